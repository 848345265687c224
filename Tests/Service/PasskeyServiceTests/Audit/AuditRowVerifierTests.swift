// SPDX-License-Identifier: Apache-2.0

import Testing
import WebAuthnTypes

@testable import PasskeyService

/// The verification of personal details beside their records.
struct AuditRowVerifierTests {
  private static func verify(_ entry: AuditEntry) throws {
    var verifier = AuditRowVerifier(epochs: [])
    let record = StoredAuditRecord(
      indexKeys: entry.record.indexKeys, encoded: entry.record.encoded[...], placement: .waiting)
    let details = entry.personalDetails.map { (detail) in
      StoredPersonalDetail(
        sequence: entry.record.sequence, detail: detail, recorded: entry.record.time, isFoundByRecord: true)
    }
    try verifier.verify([record], details: details)
    #expect(verifier.waitingCount == 1)
  }

  private static func entry() throws -> AuditEntry { try AuditRecordTests.draft(2).logged(as: 7) }

  @Test func `a record is valid with and without its details`() throws {
    var entry = try Self.entry()
    try Self.verify(entry)
    entry.personalDetails = []
    try Self.verify(entry)
  }

  @Test func `changed and inserted details are detected`() async throws {
    var changed = try Self.entry()
    changed.personalDetails[0].value = "203.0.113.9"
    var added = try Self.entry()
    added.personalDetails.append(PersonalDetail(name: .email, person: nil, salt: [1], value: "ada@raxx.app"))
    // The commitment is the same, because it hashes salt and value without a separator.
    var split = try Self.entry()
    let moved = split.personalDetails[0].value.utf8.prefix(2)
    split.personalDetails[0].salt += moved
    split.personalDetails[0].value.removeFirst(2)
    #expect(split.record.commitments.values.contains(split.personalDetails[0].commitment))
    for entry in [changed, added, split] {
      await expect(.auditDetailMismatch) { try Self.verify(entry) }
    }
  }
}
