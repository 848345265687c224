// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import PasskeyServiceTestSupport
import PasskeyTransparencyLog
import Testing

@testable import PasskeyStorage

/// Puts an older copy of the audit trail in its place, as the restoration of a backup does.
struct TrailCopy {
  private let storage: DatabaseStorage

  private static func tables(_ dialect: SQLDialect) -> [String] {
    ["audit", "personal_details", "audit_positions", "audit_tiles", "audit_checkpoints"]
      + (dialect == .postgreSQL ? ["audit_queue"] : [])
  }

  /// Copies the trail of a store.
  init(of storage: DatabaseStorage) async throws {
    self.storage = storage
    try await run { (table) in ["CREATE TABLE copy_of_\(table) AS SELECT * FROM \(table)"] }
  }

  func restore() async throws {
    try await run { (table) in ["DELETE FROM \(table)", "INSERT INTO \(table) SELECT * FROM copy_of_\(table)"] }
  }

  private func run(_ statements: @escaping @Sendable (String) -> [String]) async throws {
    let tables = Self.tables(storage.database.dialect)
    try await storage.database.write(.serial) { (transaction) throws(StorageError) in
      for table in tables {
        for statement in statements(table) { _ = try transaction.rows(SQLStatement(statement)) }
      }
    }
  }
}

/// Older and forked copies of a log.
enum OlderLogChecks {
  /// Checks that the kept checkpoint reveals an older copy, that its records are still written, and that a new epoch
  /// continues.
  static func rollbackIsFound(_ storage: DatabaseStorage) async throws {
    let world = try LogWorld(storage)
    let keeper = KeptCheckpoint()
    try await world.begin()
    try await storage.append([Sample.draft(), Sample.draft()])
    try await world.sequence(keeper: keeper)
    let running = AuditSequencer(storage, key: world.key, keeper: keeper)
    // A server that keeps no checkpoint remembers one as long as it runs.
    let unkept = AuditSequencer(storage, key: world.key)
    try await world.service.sweep(at: Sample.start)
    let copy = try await TrailCopy(of: storage)
    try await storage.append([Sample.draft(), Sample.draft()])
    #expect(try await running.sequence(at: Sample.start)?.count == 2)
    #expect(try await unkept.sequence(at: Sample.start)?.count == 0)
    try await world.service.sweep(at: Sample.start)
    let kept = try SignedNote(parsing: try #require(try keeper.load()))
    try await copy.restore()
    // The copy contradicts nothing that it contains.
    try await world.verifyAll()
    await expectServiceCode(.auditRolledBack) {
      _ = try await world.service.verifyAuditTrail(knownCheckpoint: kept)
    }
    try await storage.append([Sample.draft()])
    // A running server finds it too, and so does one that has started since.
    for sequencer in [running, unkept] {
      await expectServiceCode(.auditRolledBack) { _ = try await sequencer.sequence(at: Sample.start) }
    }
    await expectServiceCode(.auditRolledBack) { try await world.sequence(keeper: keeper) }
    await expectServiceCode(.auditRolledBack) { try await world.service.sweep(at: Sample.start) }
    #expect(try await world.service.verifyAuditTrail().waitingCount == 1)
    try await world.begin(kept: kept)
    try await world.sequence(keeper: keeper)
    #expect(try await world.verifyAll().log?.epoch == 2)
    #expect(try Checkpoint(parsing: SignedNote(parsing: try #require(try keeper.load())).text).size == 2)
    try await truncateFirstEpoch(of: storage)
    await expectServiceCode(.auditLogMismatch) { try await world.verifyAll() }
  }

  /// Checks that the records of an earlier epoch cannot be removed, and that its checkpoints can still be compared.
  static func earlierEpochIsBound(_ storage: DatabaseStorage) async throws {
    let world = try LogWorld(storage)
    try await world.begin()
    try await storage.append([Sample.draft(), Sample.draft()])
    try await world.sequence()
    let known = try SignedNote(parsing: try #require(try await world.service.auditLog()).checkpoint.note)
    let later = try LogWorld(storage, secret: LogWorld.otherSecret)
    try await later.begin()
    #expect(try await world.service.verifyAuditTrail(knownCheckpoint: known).log?.epoch == 2)
    try await truncateFirstEpoch(of: storage)
    await expectServiceCode(.auditLogMismatch) { try await later.verifyAll() }
    await expectServiceCode(.auditRolledBack) {
      _ = try await later.service.verifyAuditTrail(knownCheckpoint: known)
    }
  }

  /// Checks that a copy from before the newest epoch is found by a server that has seen that epoch.
  static func earlierEpochIsFound(_ storage: DatabaseStorage) async throws {
    let world = try LogWorld(storage)
    let keeper = KeptCheckpoint()
    try await world.begin()
    try await world.sequence(keeper: keeper)
    let log = try #require(try await world.service.auditLog()?.log)
    let later = try Checkpoint(origin: log.origin.dropLast() + "3", size: 1, root: TreeHash(ofEntry: [1]))
    let signer = try NoteSigner(name: later.origin, kind: .ed25519, signingKey: world.key)
    try keeper.save(later.signed(by: signer, at: Sample.start).bytes)
    try await storage.append([Sample.draft()])
    await expectServiceCode(.auditRolledBack) { try await world.sequence(keeper: keeper) }
    try await world.begin(kept: SignedNote(parsing: #require(try keeper.load())))
    try await world.sequence(keeper: keeper)
    #expect(try await world.verifyAll().log?.epoch == 4)
    try await storage.append([Sample.draft()])
    try await world.sequence(keeper: keeper)
    #expect(try await world.verifyAll().checkpoint?.checkpoint.size == 3)
  }

  /// Removes all but the first record of the first epoch, with all that belongs to them.
  private static func truncateFirstEpoch(of storage: DatabaseStorage) async throws {
    try await storage.database.write(.serial) { (transaction) throws(StorageError) in
      for statement in [
        "DELETE FROM audit WHERE sequence IN (SELECT sequence FROM audit_positions WHERE epoch = 1 AND position > 0)",
        "DELETE FROM audit_positions WHERE epoch = 1 AND position > 0",
        "DELETE FROM audit_checkpoints WHERE epoch = 1 AND size > 1",
      ] { _ = try transaction.rows(SQLStatement(statement)) }
    }
  }

  /// Checks that the kept checkpoint reveals a copy that another server continued, of each size.
  static func forkIsFound(_ storage: DatabaseStorage) async throws {
    let world = try LogWorld(storage)
    let keeper = KeptCheckpoint()
    try await world.begin()
    try await storage.append([Sample.draft(), Sample.draft()])
    try await world.sequence(keeper: keeper)
    let copy = try await TrailCopy(of: storage)
    try await storage.append([Sample.draft(), Sample.draft()])
    try await world.sequence(keeper: keeper)
    let kept = try SignedNote(parsing: try #require(try keeper.load()))
    try await copy.restore()
    // The server of the fork has the key, and did not see the other branch.
    for count in 0..<2 {
      try await storage.append([Sample.draft()] + (count == 0 ? [Sample.draft()] : []))
      try await world.sequence()
      try await world.verifyAll()
      await expectServiceCode(.auditRolledBack) { try await world.sequence(keeper: keeper) }
      await expectServiceCode(.auditLogMismatch) {
        _ = try await world.service.verifyAuditTrail(knownCheckpoint: kept)
      }
    }
    #expect(try keeper.load().map { Array($0) } == kept.bytes)
  }
}
