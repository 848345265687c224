// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import PasskeyServiceTestSupport
import Testing
import WebAuthnTypes

@testable import PasskeyStorage

/// A manipulation of the audit log after its last pass, and the error of a verification.
struct LogManipulation: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let code: ServiceError.Code
  let statements: [SQLStatement]

  init(_ name: String, _ code: ServiceError.Code, _ statements: String...) {
    (testDescription, self.code) = (name, code)
    self.statements = statements.map { SQLStatement($0) }
  }

  private static let swapped = """
    UPDATE audit SET record = (SELECT record FROM audit AS other WHERE other.sequence = 15 - audit.sequence),
      person = (SELECT person FROM audit AS other WHERE other.sequence = 15 - audit.sequence)
    WHERE sequence IN (7, 8)
    """

  /// The log has 10 records: its first one has number 3, after a chain of 2.
  static let all = [
    LogManipulation(
      "a changed record", .auditRecordMalformed,
      "UPDATE audit SET record = (SELECT note FROM audit_checkpoints LIMIT 1) WHERE sequence = 5"),
    LogManipulation("a removed record", .auditLogMismatch, "DELETE FROM audit WHERE sequence = 5"),
    LogManipulation(
      "a removed record with its position", .auditLogMismatch, "DELETE FROM audit WHERE sequence = 5",
      "DELETE FROM audit_positions WHERE sequence = 5"),
    LogManipulation("exchanged records", .auditLogMismatch, swapped),
    LogManipulation(
      "a record in place of another", .auditLogMismatch,
      "UPDATE audit SET record = (SELECT record FROM audit AS other WHERE other.sequence = 8) WHERE sequence = 7"),
    LogManipulation(
      "an inserted record", .auditRecordUnplaced,
      "INSERT INTO audit (sequence, record, person, other) SELECT 100, record, person, other FROM audit WHERE sequence = 5",
      "UPDATE audit_positions SET sequence = 101 WHERE sequence = 12"),
    LogManipulation(
      "a record in an epoch that does not exist", .auditRecordUnplaced,
      "INSERT INTO audit (sequence, record, person, other) SELECT 100, record, person, other FROM audit WHERE sequence = 5",
      "INSERT INTO audit_positions (sequence, epoch, position) VALUES (100, 99, 0)"),
    LogManipulation(
      "a truncated trail", .auditLogMismatch, "DELETE FROM audit WHERE sequence > 8",
      "DELETE FROM audit_positions WHERE sequence > 8"),
    LogManipulation(
      "a truncated trail with its last checkpoint", .auditLogMismatch, "DELETE FROM audit WHERE sequence > 8",
      "DELETE FROM audit_positions WHERE sequence > 8", "DELETE FROM audit_checkpoints WHERE size > 4"),
    LogManipulation(
      "a changed tile", .auditLogMismatch,
      "UPDATE audit_tiles SET hashes = (SELECT note FROM audit_checkpoints LIMIT 1)"),
    LogManipulation("a removed tile", .auditLogMismatch, "DELETE FROM audit_tiles"),
    LogManipulation(
      "a checkpoint filed under another size", .auditLogMismatch, "UPDATE audit_checkpoints SET size = 5 WHERE size = 4"
    ),
    LogManipulation(
      "a changed checkpoint", .auditLogMismatch,
      "UPDATE audit_checkpoints SET note = (SELECT hashes FROM audit_tiles LIMIT 1)"),
    LogManipulation("removed checkpoints", .auditLogMismatch, "DELETE FROM audit_checkpoints"),
    LogManipulation("a removed log", .auditBehindEnd, "DELETE FROM audit_logs"),
    LogManipulation(
      "a changed end of the chain", .auditLogMismatch, "UPDATE audit_logs SET after = 1"),
    LogManipulation(
      "another key", .auditLogMismatch,
      "UPDATE audit_logs SET verifier = 'example.com/log+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k'"),
  ]

  /// Checks that a verification succeeds before the manipulation and detects it afterwards.
  func check(_ storage: DatabaseStorage) async throws {
    let world = try LogWorld(storage)
    let person = try SampleUser()
    #expect(try await storage.create(person.account, code: nil, spending: nil, audit: []) == .created)
    try await storage.append((0..<2).map { _ in try person.draft() })
    try await world.begin()
    try await storage.append((0..<3).map { _ in try Sample.draft(of: person.account.handle) })
    try await world.sequence()
    try await storage.append((0..<6).map { _ in try Sample.draft(of: person.account.handle) })
    try await world.sequence()
    try await world.verifyAll()
    try await storage.database.write(.serial) { [statements] (transaction) throws(StorageError) in
      for statement in statements { _ = try transaction.rows(statement) }
    }
    await expectServiceCode(code) { _ = try await world.service.verifyAuditTrail() }
  }
}
