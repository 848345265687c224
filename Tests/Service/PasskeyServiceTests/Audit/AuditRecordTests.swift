// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyServiceTestSupport
import Testing
import WebAuthnTypes

@testable import PasskeyService

struct AuditRecordTests {
  static func draft(_ number: Int) throws -> AuditDraft {
    AuditDraft(
      time: ServiceWorld.start + .seconds(number), actor: try UserHandle([1, 2]), account: nil,
      event: AuditEvent(rawValue: "order.placed"), subject: "order:\(number)", outcome: "ok", requestID: "r\(number)",
      details: ["amount": "10", "b": "é"],
      personalDetails: [
        PersonalDetail(
          name: .address, person: try UserHandle([1, 2]), salt: [UInt8](repeating: 7, count: 32),
          value: "192.0.2.\(number)")
      ])
  }

  @Test func `a record is a map of integers in canonical form, without its number`() throws {
    let draft = try Self.draft(1)
    let record = draft.logged(as: 7).record
    let expected: CBORTree = [
      0: 1, 1: .bytes(draft.id.bytes), 2: 1_800_000_001, 3: .bytes([1, 2]), 5: "order.placed", 6: "order:1", 7: "ok",
      8: "r1", 9: ["amount": "10", "b": "é"],
      10: [
        "address": .bytes(
          Digest.sha256(([UInt8](repeating: 7, count: 32) + Array("192.0.2.1".utf8))))
      ],
    ]
    #expect(record.encoded == CBORWriter.bytes(of: expected))
    #expect(record.hash == Digest.sha256([0] + record.encoded))
    #expect(try AuditRecord(parsing: record.encoded, number: 7) == record)
    #expect(record.id == draft.id && record.sequence == 7)
  }

  @Test func `the ID of a record has its time and random bytes`() throws {
    let (one, other) = (try Self.draft(1), try Self.draft(1))
    #expect(one.id != other.id && one.logged(as: 1).record.hash != other.logged(as: 1).record.hash)
    #expect(one.id.bytes.prefix(4) == other.id.bytes.prefix(4))
    #expect(AuditRecordID("\(one.id)") == one.id)
    #expect(AuditRecordID("\(one.id)0") == nil)
  }

  @Test func `records with any optional members have canonical form`() throws {
    let names = ["b", "a", "é", "aa", "ab", "z", String(repeating: "n", count: 30), ""]
    for count in 0...names.count {
      for (actor, account, subject) in [(nil, nil, nil), ([1], nil, nil), (nil, [2], "x"), ([1], [2], "x")]
        as [([UInt8]?, [UInt8]?, String?)]
      {
        var draft = AuditDraft(
          time: ServiceWorld.start, actor: try actor.map { try UserHandle($0) },
          account: try account.map { try UserHandle($0) }, event: .sessionOpened, subject: subject, requestID: "")
        draft.details = Dictionary(uniqueKeysWithValues: names.prefix(count).map { ($0, "of \($0)") })
        draft.personalDetails = [.email, .address].prefix(count).map {
          PersonalDetail(name: $0, person: nil, salt: [1], value: "v")
        }
        let record = draft.logged(as: 1).record
        // The record parses under the strict rules, and its CBOR tree encodes to the same bytes.
        #expect(try AuditRecord(parsing: record.encoded, number: 1) == record)
        let tree = CBORTree(try CBORValue(parsing: record.encoded[...], rules: .canonical))
        #expect(CBORWriter.bytes(of: tree) == record.encoded)
        #expect(record.commitments.count == min(count, 2))
      }
    }
  }

  @Test func `a record does not contain the address itself`() throws {
    let record = try Self.draft(5).logged().record
    let text = String(decoding: record.encoded, as: UTF8.self)
    #expect(!text.contains("192.0.2"))
  }

  @Test func `invalid records are refused`() async throws {
    let bytes = try Self.draft(1).logged().record.encoded
    let later = CBORWriter.bytes(of: [0: 2])
    let tree = CBORTree(try CBORValue(parsing: bytes[...], rules: .canonical))
    guard case .map(var members) = tree else { throw UnexpectedTree() }
    members[11] = 1
    let unknown = CBORWriter.bytes(of: .map(members))
    members[11] = nil
    members[1] = .bytes([UInt8](repeating: 7, count: 15))
    let shortID = CBORWriter.bytes(of: .map(members))
    for wrong in [[], [0xa0], bytes + [0], bytes.dropLast(), later[...], unknown[...], shortID[...], [0x80]] as [Bytes]
    {
      await expect(.auditRecordMalformed) { _ = try AuditRecord(parsing: wrong) }
    }
  }

  private struct UnexpectedTree: Error {}
}
