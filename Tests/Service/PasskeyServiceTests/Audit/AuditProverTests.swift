// SPDX-License-Identifier: Apache-2.0

import PasskeyServiceTestSupport
import PasskeyStorage
import PasskeyTransparencyLog
import Testing
import WebAuthnTypes

@testable import PasskeyService

/// The proofs of an export.
@Suite struct AuditProverTests {
  private let world: ServiceWorld
  private let log: AuditLog

  init() async throws {
    world = try ServiceWorld()
    log = try await world.service.beginAuditLog(in: CallContext(time: Sample.start, requestID: "console"))
  }

  private func grow(by count: Int, of account: UserHandle? = nil) async throws {
    try await world.memory.append((0..<count).map { _ in try Sample.draft(of: account) })
    _ = try await AuditSequencer(world.memory, key: world.service.auditKey).sequence(at: Sample.start)
  }

  private func verify(_ proofs: [AuditProver.Made?], of entries: [AuditEntry]) throws {
    #expect(proofs.count == entries.count)
    let policy = LogPolicy(logs: [try NoteKey(log.verifier)])
    for (entry, made) in zip(entries, proofs) {
      _ = try #require(made).proof.verify(TreeHash(ofEntry: entry.record.encoded), by: policy)
    }
  }

  @Test(arguments: [1, 40])
  func `the number of verified signatures does not grow with the records`(count: Int) async throws {
    try await grow(by: count)
    let entries = try await world.service.auditEntries(limit: 99)
    #expect(entries.count == count + 1)
    let (proofs, verified) = try await world.memory.readAuditLog { (log) throws(ServiceError) in
      var verified = 0
      let prover = try AuditProver(log) { (checkpoint, key) throws(ServiceError) in
        verified += 1
        return try checkpoint.verified(with: [key])
      }
      return (try prover.proofs(of: entries, in: log), verified)
    }.get()
    #expect(verified == 1)
    try verify(proofs, of: entries)
  }

  @Test func `proofs of a later snapshot lead to the checkpoints of the first one`() async throws {
    try await grow(by: 300)
    let entries = try await world.service.auditEntries(limit: 999)
    let prover = try await world.memory.readAuditLog { (log) throws(ServiceError) in try AuditProver(log) }.get()
    try await grow(by: 300)
    let later = try await world.service.auditEntries(after: 301, limit: 1)
    let proofs = try await world.memory.readAuditLog { (log) throws(ServiceError) in
      try prover.proofs(of: entries + later, in: log)
    }.get()
    try verify(proofs.dropLast(), of: entries)
    #expect(try proofs[0].map { try Checkpoint(parsing: $0.proof.checkpoint.text).size } == 301)
    // No checkpoint of the first snapshot covers it.
    #expect(proofs[301] == nil)
  }

  @Test func `a checkpoint with an invalid signature proves nothing, and an export does not fail`() async throws {
    try await grow(by: 2)
    let entries = try await world.service.auditEntries(limit: 99)
    let proofs = try await world.memory.readAuditLog { (log) throws(ServiceError) in
      let prover = try AuditProver(log) { (_, _) throws(ServiceError) in throw ServiceError(.auditLogMismatch) }
      #expect(throws: ServiceError.self) { try prover.proof(of: .number(1), in: log) }
      return try prover.proofs(of: entries, in: log)
    }.get()
    #expect(proofs.count == 3 && proofs.allSatisfy { $0 == nil })
  }

  @Test func `an export holds a snapshot for 256 records at most`() async throws {
    let ada = try await world.openSession("ada@raxx.app", Person()).account
    try await grow(by: 600, of: ada.handle)
    _ = world.faults.takeTransactions()
    let export = try await world.service.exportData(
      ada, in: CallContext(time: Sample.start, requestID: "console"))
    // One snapshot for the checkpoints, and one for each page of proofs.
    #expect(world.faults.takeTransactions().filter { $0.hasPrefix("read audit_") }.count == 4)
    #expect(export.trail.count > 600 && export.trail.count <= 768 && export.trail.allSatisfy { $0.proof != nil })
    #expect(export.auditKey == log.verifier)
  }
}
