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
      "abc":{"status":"SUSPENDED","comment":"under review"},"002A":{"status":"UNHEARD_OF"}},"more":1}
      """)
    #expect(list.count == 3)
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

  @Test func `a list that is too long is refused`() {
    let long = [UInt8](repeating: 0x20, count: AttestationStatusList.maximumByteCount + 1)
    expect(.statusListMalformed, "bytes") { try AttestationStatusList(json: long) }
    let entries = (0...100_000).map { "\"\(String($0, radix: 16))\":{\"status\":\"REVOKED\"}" }
    expect(.statusListMalformed) { try Self.list("{\"entries\":{\(entries.joined(separator: ","))}}") }
  }
}
