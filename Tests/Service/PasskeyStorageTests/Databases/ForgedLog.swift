// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import PasskeyServiceTestSupport
import PasskeyTransparencyLog
import Testing

@testable import PasskeyStorage

/// A forgery of the audit trail by an attacker with write access to the database but without the secret.
enum ForgedLog: String, CaseIterable, CustomTestStringConvertible {
  case emptied, emptiedWithIdentity, replaced, signedWithAnotherKey

  var testDescription: String { rawValue }

  /// Checks that the server does not continue a forged trail, also after a restart, and that a verification detects it.
  func check(_ storage: DatabaseStorage) async throws {
    let world = try LogWorld(storage)
    try await world.service.claimStore(at: Sample.start)
    #expect(try await storage.create(SampleUser().account, code: nil, spending: nil, audit: []).refusal == nil)
    for _ in 0..<10 { try await storage.append([Sample.draft()]) }
    try await world.sequence()
    let kept = try SignedNote(parsing: try #require(try await world.service.auditLog()).checkpoint.note)
    let running = world.service.auditSequencer()
    _ = try await running.sequence(at: Sample.start)
    try await forge(storage)
    // The server restarts, and goes on.
    try await world.service.claimStore(at: Sample.start)
    try await storage.append([Sample.draft()])
    switch self {
    case .emptied, .emptiedWithIdentity:
      await expectServiceCode(.auditLogMismatch) { try await world.service.sweep(at: Sample.start) }
      let trail = try await world.service.verifyAuditTrail()
      #expect(trail.log == nil && trail.waitingCount == 1)
    case .replaced:
      // Only a checkpoint from before reveals it.
      try await world.sequence()
      try await world.verifyAll()
      await expectServiceCode(.auditRolledBack) { try await world.sequence(keeper: KeptCheckpoint(kept.bytes)) }
    case .signedWithAnotherKey:
      await expectServiceCode(.auditKeyMismatch) { try await world.service.sweep(at: Sample.start) }
      let log = try #require(try await world.service.auditLog()?.log)
      await expectServiceCode(.auditKeyMismatch) {
        try await world.service.verifyAuditTrail(key: world.service.verifier(of: log))
      }
    }
    await expectServiceCode(.auditRolledBack) { try await world.service.verifyAuditTrail(knownCheckpoint: kept) }
    // A server that ran meanwhile remembers the log.
    await expectServiceCode(self == .signedWithAnotherKey ? .auditKeyMismatch : .auditRolledBack) {
      _ = try await running.sequence(at: Sample.start)
    }
  }

  private func forge(_ storage: DatabaseStorage) async throws {
    let tables =
      ["audit", "personal_details", "audit_logs", "audit_positions", "audit_tiles", "audit_checkpoints"]
      + (storage.database.dialect == .postgreSQL ? ["audit_queue"] : [])
      + (self == .emptiedWithIdentity || self == .replaced ? ["identity"] : [])
      + (self == .replaced ? ["accounts"] : [])
    try await storage.database.write(.serial) { (transaction) throws(StorageError) in
      for table in tables { _ = try transaction.rows(SQLStatement("DELETE FROM \(table)")) }
    }
    guard self == .signedWithAnotherKey else { return }
    let attacker = try LogWorld(storage, secret: LogWorld.otherSecret)
    try await storage.append((0..<5).map { _ in try Sample.draft() })
    try await attacker.begin()
    try await attacker.sequence()
    try await attacker.verifyAll()
  }
}
