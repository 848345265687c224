// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

/// What bodies may ask of a connection: of one that reads, or inside a write.
final class SQLiteTransaction: SQLWrite {
  let connection: SQLiteConnection

  /// Whether the body wants what it wrote taken back.
  private(set) var isTakenBack = false
  private var end: AuditEnd?
  private var hasMovedEnd = false

  init(_ connection: SQLiteConnection) {
    self.connection = connection
  }

  func answers(_ statements: [SQLStatement]) throws(StorageError) -> [[SQLRow]] {
    var answers: [[SQLRow]] = []
    for statement in statements { answers.append(try connection.rows(statement.text, statement.values)) }
    return answers
  }

  func run(_ statement: SQLStatement) throws(StorageError) {
    _ = try connection.rows(statement.text, statement.values)
  }

  func takeBack() {
    isTakenBack = true
  }

  /// There is one writer at a time: every write is a serial one.
  func auditEnd() throws(StorageError) -> AuditEnd {
    if let end { return end }
    let end = try AuditEnd(row(SQLStatement(AuditEnd.reading)))
    self.end = end
    return end
  }

  func setAuditEnd(_ end: AuditEnd) {
    self.end = end
    hasMovedEnd = true
  }

  /// Runs one body of a batch, so that it can fail by itself.
  func attempt(_ body: () throws(StorageError) -> Void) throws(StorageError) {
    let before = (end, hasMovedEnd)
    isTakenBack = false
    _ = try connection.rows("SAVEPOINT body")
    do throws(StorageError) {
      try body()
      if !isTakenBack {
        _ = try connection.rows("RELEASE body")
        return
      }
    } catch {
      (end, hasMovedEnd) = before
      // Where the whole transaction is gone, so is the savepoint.
      if connection.isInTransaction { try endSavepoint() }
      throw error
    }
    (end, hasMovedEnd) = before
    try endSavepoint()
  }

  private func endSavepoint() throws(StorageError) {
    _ = try connection.rows("ROLLBACK TO body")
    _ = try connection.rows("RELEASE body")
  }

  /// Writes where the audit trail ends, once for the batch.
  func finish() throws(StorageError) {
    guard let end, hasMovedEnd else { return }
    try run(end.writing)
  }
}
