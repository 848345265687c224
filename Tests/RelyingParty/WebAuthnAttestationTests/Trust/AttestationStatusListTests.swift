// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnAttestation

@Suite struct AttestationStatusListTests {
  private static func list(_ text: String) throws -> AttestationStatusList {
    try AttestationStatusList(json: Array(text.utf8))
  }

  @Test func `a certificate is found by its serial number with or without leading zeros`() throws {
    let list = try Self.list(
      """
      {"entries":{"c35747a084470c3135aeefe2b8d40cd6":{"status":"REVOKED","reason":"KEY_COMPROMISE"},
      "abc":{"status":"SUSPENDED","comment":"under review"},"002A":{"status":"UNHEARD_OF"},"7":{"status":"REVOKED"},
      "1111111111111111111111111111111111111111":{"status":"REVOKED"}},"more":1}
      """)
    #expect(list.count == 5)
    #expect(list.entry(serialNumber: [7])?.status == .revoked)
    #expect(list.entry(serialNumber: [UInt8](repeating: 0x11, count: 20))?.status == .revoked)
    let long = try Hex.decode("00c35747a084470c3135aeefe2b8d40cd6")
    #expect(list.entry(serialNumber: long[...])?.status == .revoked)
    #expect(list.entry(serialNumber: long.dropFirst())?.reason == "KEY_COMPROMISE")
    #expect(list.entry(serialNumber: [0x0a, 0xbc])?.status == .suspended)
    #expect(list.entry(serialNumber: [0x0a, 0xbc])?.reason == nil)
    #expect(list.entry(serialNumber: [0x2a])?.status.rawValue == "UNHEARD_OF")
    #expect(list.entry(serialNumber: [0x2b]) == nil)
  }

  @Test(arguments: [
    "", "[]", "{}", "{\"entries\":[]}", "{\"entries\":{\"\":{\"status\":\"REVOKED\"}}}",
    "{\"entries\":{\"xy\":{\"status\":\"REVOKED\"}}}", "{\"entries\":{\"2a\":{}}}",
    "{\"entries\":{\"2a\":{\"status\":1}}}", "{\"entries\":{\"2a\":\"REVOKED\"}}",
    "{\"entries\":{\"2a\":{\"status\":\"REVOKED\",\"reason\":1}}}",
    "{\"entries\":{\"11111111111111111111111111111111111111111\":{\"status\":\"REVOKED\"}}}",
    "{\"entries\":{\"2a\":{\"status\":\"REVOKED\"},\"2a\":{\"status\":\"REVOKED\"}}}",
  ])
  func `a list that is malformed is refused`(_ text: String) {
    expect(.statusListMalformed) { try Self.list(text) }
  }

  @Test func `a list has at most 8 MiB`() throws {
    let limit = 1 << 23
    var text = [UInt8](#"{"entries":{}}"#.utf8)
    text += [UInt8](repeating: 0x20, count: limit - text.count)
    #expect(try AttestationStatusList(json: text).count == 0)
    expect(.statusListMalformed, "\(limit + 1) bytes") { try AttestationStatusList(json: text + [0x20]) }
  }

  @Test func `a list has at most 100,000 entries`() throws {
    func list(_ count: Int) throws -> AttestationStatusList {
      let entries = (0..<count).map { "\"\(String($0, radix: 16))\":{\"status\":\"\"}" }
      return try Self.list("{\"entries\":{\(entries.joined(separator: ","))}}")
    }
    #expect(try list(100_000).count == 100_000)
    expect(.statusListMalformed) { try list(100_001) }
  }
}
