// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import PasskeyServiceTestSupport
import Testing
import WebAuthnTypes

@testable import PasskeyStorage

/// A manipulation of the audit trail that keeps its chain valid, and the expected result of a walk.
struct TrailManipulation: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let code: ServiceError.Code
  let statements: [SQLStatement]

  init(_ name: String, _ code: ServiceError.Code, _ text: String, _ values: [SQLValue] = []) {
    (testDescription, self.code, statements) = (name, code, [SQLStatement(text, values)])
  }

  /// Ten records of one user; the last one has number 10.
  static let recordCount: Int64 = 10

  static let all = [
    TrailManipulation(
      "a record far behind the end", .auditBehindEnd,
      "INSERT INTO audit (sequence, record, person, other) SELECT 999999, record, person, other FROM audit WHERE sequence = 4"
    ),
    TrailManipulation(
      "a record before the first", .auditFilingMismatch,
      "INSERT INTO audit (sequence, record, person, other) SELECT -7, record, person, other FROM audit WHERE sequence = 4"
    ),
    TrailManipulation("the last record moved", .auditBehindEnd, "UPDATE audit SET sequence = 11 WHERE sequence = 10"),
    TrailManipulation("a record moved", .auditFilingMismatch, "UPDATE audit SET sequence = 0 WHERE sequence = 1"),
    TrailManipulation(
      "a record without a person", .auditFilingMismatch, "UPDATE audit SET person = NULL WHERE sequence = 5"),
    TrailManipulation(
      "a record of another person", .auditFilingMismatch, "UPDATE audit SET person = $1 WHERE sequence = 5",
      [.bytes([1, 2, 3])]),
    TrailManipulation(
      "a record of one more person", .auditFilingMismatch, "UPDATE audit SET other = $1 WHERE sequence = 5",
      [.bytes([1, 2, 3])]),
    TrailManipulation("a record missing", .auditSequenceBroken, "DELETE FROM audit WHERE sequence = 5"),
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

  /// Checks that a walk succeeds before the manipulation and detects it afterwards.
  func check(_ storage: DatabaseStorage) async throws {
    let person = try SampleUser()
    #expect(try await storage.create(person.account, code: nil, spending: nil, audit: []) == .created)
    try await storage.append((0..<Self.recordCount).map { _ in try person.draft() })
    let end = try await storage.auditHead()
    #expect(try await storage.verifyAuditTrail().get().chain.head == end)
    #expect(try await storage.verifyAuditTrail(knownHead: end).get().chain.head == end)
    try await storage.database.write(.serial) { [statements] (transaction) throws(StorageError) in
      for statement in statements { _ = try transaction.rows(statement) }
    }
    guard case .failure(let error) = try await storage.verifyAuditTrail(knownHead: end) else {
      Issue.record("a walk finds nothing")
      return
    }
    #expect(error.code == code, "\(error)")
  }
}
