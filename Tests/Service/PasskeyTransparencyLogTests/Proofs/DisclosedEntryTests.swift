// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import PasskeyTransparencyLog
import Testing

/// Entries with their details, as the extra data of a proof.
@Suite struct DisclosedEntryTests {
  private static let disclosed = DisclosedEntry(
    entry: [1, 2, 3],
    details: [
      .init(name: "email", salt: salt(8), value: "ada@raxx.app"),
      .init(name: "address", salt: salt(9), value: "192.0.2.1"),
    ])

  private static func salt(_ byte: UInt8, count: Int = 32) -> Bytes { [UInt8](repeating: byte, count: count)[...] }

  /// A salt in CBOR.
  private static let saltText = "5820" + String(repeating: "09", count: 32)

  @Test func `an entry with details is written and read back`() throws {
    let read = try DisclosedEntry(parsing: Self.disclosed.encoded[...])
    #expect(read.entry == Self.disclosed.entry)
    #expect(read.details.map(\.name) == ["email", "address"])
    #expect(Set(read.details) == Set(Self.disclosed.details))
    #expect(read.encoded == Self.disclosed.encoded)
    let empty = DisclosedEntry(entry: [])
    #expect(empty.encoded == hex("a20040 01a0"))
    #expect(try DisclosedEntry(parsing: empty.encoded[...]) == empty)
  }

  @Test func `a commitment is the hash of the salt and the value`() {
    let detail = DisclosedEntry.Detail(name: "a", salt: Array("ab".utf8)[...], value: "c")
    #expect(Hex.encode(detail.commitment) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test(arguments: [
    "", "a0", "a10040", "a101a0", "80", "a20060 01a0", "a20040 0180", "a20040 01a1616180", "a20040 01a161618140",
    "a20040 01a16161824060ff", "a20040 01a1616182\(Self.saltText)40", "a20040 01a10182\(Self.saltText)60",
    "a20040 01a000", "bf004001a0ff", "a2004001a2616182406061618240 60", "a20040 18 01a0",
  ]) func `malformed extra data are rejected`(bytes: String) {
    let error = #expect(throws: TransparencyLogError.self) { try DisclosedEntry(parsing: hex(bytes)[...]) }
    #expect(error?.code == .proofMalformed)
  }

  /// Otherwise the first bytes of the value could move to the salt, with the same commitment.
  @Test(arguments: [0, 1, 31, 33, 64]) func `a salt of another length is rejected`(count: Int) {
    let detail = DisclosedEntry.Detail(name: "address", salt: Self.salt(9, count: count), value: "3.0.113.77")
    let error = #expect(throws: TransparencyLogError.self) {
      try DisclosedEntry(parsing: DisclosedEntry(entry: [], details: [detail]).encoded[...])
    }
    #expect(error?.code == .proofMalformed)
  }

  @Test func `16 details are read, and 17 are rejected`() throws {
    let details = (0..<17).map { DisclosedEntry.Detail(name: "\($0)", salt: Self.salt(9), value: "") }
    let most = DisclosedEntry(entry: [], details: details.dropLast())
    #expect(try DisclosedEntry(parsing: most.encoded[...]).details.count == 16)
    let error = #expect(throws: TransparencyLogError.self) {
      try DisclosedEntry(parsing: DisclosedEntry(entry: [], details: details).encoded[...])
    }
    #expect(error?.code == .proofMalformed)
  }

  @Test func `the example of a record verifies with its policy`() throws {
    let folder = "\(projectFolder)/Examples/artifacts"
    let proof = try LogProof(parsing: File.bytes("\(folder)/audit.tlog-proof")[...])
    let policy = try LogPolicy(parsing: File.bytes("\(folder)/audit.tlog-policy")[...])
    let disclosed = try DisclosedEntry(parsing: #require(proof.extra))
    #expect(try proof.verify(TreeHash(ofEntry: disclosed.entry), by: policy).cosigned.count == 1)
    let record = try CBORValue(parsing: disclosed.entry, rules: .canonical).map
    let commitments = try #require(record[.unsigned(10)]).map
    let detail = try #require(disclosed.details.first)
    #expect(try commitments[.text(detail.name)]?.bytes == detail.commitment[...])
  }
}
