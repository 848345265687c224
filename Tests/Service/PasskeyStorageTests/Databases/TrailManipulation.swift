// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import PasskeyServiceTestSupport
import Testing
import WebAuthnTypes

@testable import PasskeyStorage

/// A manipulation of the audit trail after its last pass, and the error of a verification.
struct TrailManipulation: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let code: ServiceError.Code
  let statements: [SQLStatement]

  init(_ name: String, _ code: ServiceError.Code, _ text: String, _ values: [SQLValue] = [], then others: String...) {
    (testDescription, self.code) = (name, code)
    statements = [SQLStatement(text, values)] + others.map { (text) in SQLStatement(text) }
  }

  private static let swapped = """
    UPDATE audit SET record = (SELECT record FROM audit AS other WHERE other.sequence = 15 - audit.sequence),
      person = (SELECT person FROM audit AS other WHERE other.sequence = 15 - audit.sequence)
    WHERE sequence IN (7, 8)
    """

  /// Manipulations of rows. The log has ten records, with the numbers 1 to 10; all but the first one have an address.
  private static let rows = [
    TrailManipulation(
      "a record before the first", .auditRecordUnplaced,
      "INSERT INTO audit (sequence, record, person, other) SELECT -7, record, person, other FROM audit WHERE sequence = 4",
      then: "UPDATE personal_details SET sequence = -7 WHERE sequence = 4"),
    TrailManipulation(
      "the last record moved", .auditDetailOrphaned, "UPDATE audit SET sequence = 11 WHERE sequence = 10",
      then: "UPDATE audit_positions SET sequence = 11 WHERE sequence = 10"),
    TrailManipulation("a record moved", .auditRecordUnplaced, "UPDATE audit SET sequence = 0 WHERE sequence = 1"),
    TrailManipulation(
      "a record without a person", .auditFilingMismatch, "UPDATE audit SET person = NULL WHERE sequence = 5"),
    TrailManipulation(
      "a record without accounts and its key", .auditFilingMismatch,
      "UPDATE audit SET person = NULL WHERE sequence = 1"),
    TrailManipulation(
      "a record of another person", .auditFilingMismatch, "UPDATE audit SET person = $1 WHERE sequence = 5",
      [.bytes([1, 2, 3])]),
    TrailManipulation(
      "a record of one more person", .auditFilingMismatch, "UPDATE audit SET other = $1 WHERE sequence = 5",
      [.bytes([1, 2, 3])]),
    TrailManipulation("what is no record", .auditRecordMalformed, "UPDATE audit SET record = $1", [.bytes([0xa0])]),
    TrailManipulation(
      "a detail without a record", .auditDetailOrphaned,
      "UPDATE personal_details SET sequence = 999999 WHERE sequence = 5"),
    TrailManipulation(
      "a detail before all records", .auditDetailOrphaned,
      "UPDATE personal_details SET sequence = -1 WHERE sequence = 5"),
    TrailManipulation(
      "a detail twice", .auditDetailRepeated,
      """
      INSERT INTO personal_details (sequence, place, recorded, name, person, salt, content, apart)
      SELECT sequence, place + 1, recorded, name, person, salt, content, apart FROM personal_details WHERE sequence = 5
      """),
    TrailManipulation(
      "a detail of another record", .auditDetailMismatch,
      "UPDATE personal_details SET content = $1 WHERE sequence = 5", [.utf8("203.0.113.9")]),
    TrailManipulation(
      "a detail that would not be too old", .auditFilingMismatch,
      "UPDATE personal_details SET recorded = recorded + 1 WHERE sequence = 5"),
    TrailManipulation(
      "a detail that would not be erased", .auditFilingMismatch,
      "UPDATE personal_details SET person = $1 WHERE sequence = 5", [.bytes([1, 2, 3])]),
  ]

  /// Manipulations of the log.
  private static let log = [
    TrailManipulation(
      "a changed record", .auditRecordMalformed,
      "UPDATE audit SET record = (SELECT note FROM audit_checkpoints LIMIT 1) WHERE sequence = 5"),
    TrailManipulation("a removed record", .auditLogMismatch, removed, then: "DELETE FROM audit WHERE sequence = 5"),
    TrailManipulation(
      "a removed record with its position", .auditLogMismatch, removed, then: "DELETE FROM audit WHERE sequence = 5",
      "DELETE FROM audit_positions WHERE sequence = 5"),
    TrailManipulation(
      "exchanged records", .auditLogMismatch, "DELETE FROM personal_details WHERE sequence IN (7, 8)", then: swapped),
    TrailManipulation(
      "a record in place of another", .auditLogMismatch, "DELETE FROM personal_details WHERE sequence = 7",
      then:
        "UPDATE audit SET record = (SELECT record FROM audit AS other WHERE other.sequence = 8) WHERE sequence = 7"),
    TrailManipulation(
      "an inserted record", .auditRecordUnplaced,
      "INSERT INTO audit (sequence, record, person, other) SELECT 100, record, person, other FROM audit WHERE sequence = 5",
      then: "UPDATE audit_positions SET sequence = 101 WHERE sequence = 10"),
    TrailManipulation(
      "a record in an epoch that does not exist", .auditRecordUnplaced,
      "INSERT INTO audit (sequence, record, person, other) SELECT 100, record, person, other FROM audit WHERE sequence = 5",
      then: "INSERT INTO audit_positions (sequence, epoch, position) VALUES (100, 99, 0)"),
    TrailManipulation(
      "a truncated trail", .auditLogMismatch, "DELETE FROM personal_details WHERE sequence > 6",
      then: "DELETE FROM audit WHERE sequence > 6", "DELETE FROM audit_positions WHERE sequence > 6"),
    TrailManipulation(
      "a truncated trail with its last checkpoint", .auditLogMismatch,
      "DELETE FROM personal_details WHERE sequence > 6",
      then: "DELETE FROM audit WHERE sequence > 6", "DELETE FROM audit_positions WHERE sequence > 6",
      "DELETE FROM audit_checkpoints WHERE size > 4"),
    TrailManipulation(
      "a changed tile", .auditLogMismatch,
      "UPDATE audit_tiles SET hashes = (SELECT note FROM audit_checkpoints LIMIT 1)"),
    TrailManipulation("a removed tile", .auditLogMismatch, "DELETE FROM audit_tiles"),
    TrailManipulation(
      "a checkpoint filed under another size", .auditLogMismatch, "UPDATE audit_checkpoints SET size = 5 WHERE size = 4"
    ),
    TrailManipulation(
      "a changed checkpoint", .auditLogMismatch,
      "UPDATE audit_checkpoints SET note = (SELECT hashes FROM audit_tiles LIMIT 1)"),
    TrailManipulation("removed checkpoints", .auditLogMismatch, "DELETE FROM audit_checkpoints"),
    TrailManipulation("a removed log", .auditRecordUnplaced, "DELETE FROM audit_logs"),
    TrailManipulation(
      "another key", .auditLogMismatch,
      "UPDATE audit_logs SET verifier = 'example.com/log+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k'"),
  ]

  private static let removed = "DELETE FROM personal_details WHERE sequence = 5"

  static let all = rows + log

  /// Checks that a verification succeeds before the manipulation and detects it afterwards.
  func check(_ storage: DatabaseStorage) async throws {
    let world = try LogWorld(storage)
    let person = try SampleUser()
    #expect(try await storage.create(person.account, code: nil, spending: nil, audit: []).refusal == nil)
    try await world.begin()
    try await storage.append((0..<3).map { _ in try person.draft() })
    try await world.sequence()
    try await storage.append((0..<6).map { _ in try person.draft() })
    try await world.sequence()
    try await world.verifyAll()
    try await storage.database.write(.serial) { [statements] (transaction) throws(StorageError) in
      for statement in statements { _ = try transaction.rows(statement) }
    }
    await expectServiceCode(code) { _ = try await world.service.verifyAuditTrail() }
  }
}
