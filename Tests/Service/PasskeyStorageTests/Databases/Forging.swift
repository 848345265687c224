// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import PasskeyServiceTestSupport
import Testing
import WebAuthnTypes

@testable import PasskeyStorage

/// A forgery of the audit trail with a valid chain, by an attacker with write access to the database but without the
/// secret.
enum Forging: String, CaseIterable, CustomTestStringConvertible {
  case cutOff, cutOffWithoutSeal, rewritten, emptied, identityDeleted, emptiedWithIdentity

  var testDescription: String { rawValue }

  /// The expected code when the end is verified.
  var code: ServiceError.Code {
    switch self {
    case .cutOff, .rewritten: .auditSealMismatch
    case .cutOffWithoutSeal, .emptied, .identityDeleted, .emptiedWithIdentity: .auditSealMissing
    }
  }

  /// Checks that the forged trail fails verification, also after later records and a restart of the server.
  func check(_ storage: DatabaseStorage) async throws {
    let claim = try SealSample.claim()
    _ = try await storage.claim(claim)
    _ = try await storage.create(SampleUser().account, code: nil, spending: nil, audit: [])
    for _ in 0..<10 { try await storage.append([SealSample.draft(claim.key)]) }
    let entries = try await storage.auditEntries(after: 0, of: nil, limit: 99)
    try await storage.database.write(.serial) { [self] (transaction) throws(StorageError) in
      for statement in statements(entries) { _ = try transaction.rows(statement) }
    }
    // The chain itself is valid,
    let end = try await storage.verifyAuditTrail().get().chain
    // but the seal is not.
    expectForged(end, claim)
    // A later seal of the server does not hide the forgery.
    if self == .identityDeleted || self == .emptiedWithIdentity { _ = try await storage.claim(claim) }
    try await storage.append([SealSample.draft(claim.key)])
    _ = try await storage.claim(claim)
    let later = try await storage.verifyAuditTrail().get().chain
    #expect(later.head.sequence == end.head.sequence + 1)
    #expect { try claim.key.verify(later) } throws: { ($0 as? ServiceError)?.code == .auditSealMissing }
  }

  private func expectForged(_ end: AuditEnd, _ claim: StoreClaim) {
    #expect { try claim.key.verify(end) } throws: { ($0 as? ServiceError)?.code == code }
  }

  private func statements(_ entries: [AuditEntry]) -> [SQLStatement] {
    let fifth = entries[4].record.head
    let head = "UPDATE audit_head SET sequence = $1, hash = $2"
    let place: [SQLValue] = [.integer(fifth.sequence), .bytes(fifth.hash[...])]
    let zero: [SQLValue] = [.integer(0), .bytes(AuditHead.beginning.hash[...])]
    let cut = SQLStatement("DELETE FROM audit WHERE sequence > 5")
    switch self {
    case .cutOff: return [cut, SQLStatement(head, place)]
    case .cutOffWithoutSeal, .identityDeleted:
      let all = [cut, SQLStatement("\(head), seal = NULL", place)]
      return self == .identityDeleted ? all + [SQLStatement("DELETE FROM identity")] : all
    case .rewritten:
      var end = AuditEnd(head: .beginning, seal: .missing)
      var statements: [SQLStatement] = []
      for entry in entries {
        var draft = AuditDraft(
          time: entry.record.time, actor: nil, account: nil, event: entry.record.event, requestID: "forged")
        draft.outcome = "forged"
        let record = end.append(draft).record
        statements.append(
          SQLStatement(
            "UPDATE audit SET record = $2, person = $3 WHERE sequence = $1",
            [.integer(record.sequence), .bytes(record.encoded[...]), .opaque(record.indexKeys.person)]))
      }
      return statements + [SQLStatement(head, [.integer(end.head.sequence), .bytes(end.head.hash[...])])]
    case .emptied, .emptiedWithIdentity:
      let all = [SQLStatement("DELETE FROM audit"), SQLStatement("\(head), seal = NULL", zero)]
      return self == .emptiedWithIdentity ? all + [SQLStatement("DELETE FROM identity")] : all
    }
  }
}
