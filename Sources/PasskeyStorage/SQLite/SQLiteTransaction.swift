// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

/// What bodies may ask of a connection: of one that reads, or inside a write.
final class SQLiteTransaction: SQLWrite {
  let connection: SQLiteConnection

  /// Whether the body wants what it wrote taken back.
  private(set) var isTakenBack = false
  private var head: AuditHead?
  private var hasMovedHead = false

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
  func auditHead() throws(StorageError) -> AuditHead {
    if let head { return head }
    let head = try AuditHead(row(SQLStatement(AuditHead.reading)))
    self.head = head
    return head
  }

  func setAuditHead(_ head: AuditHead) {
    self.head = head
    hasMovedHead = true
  }

  /// Runs one body of a batch, so that it can fail by itself.
  func attempt(_ body: () throws(StorageError) -> Void) throws(StorageError) {
    let before = (head, hasMovedHead)
    isTakenBack = false
    _ = try connection.rows("SAVEPOINT body")
    do throws(StorageError) {
      try body()
      if !isTakenBack {
        _ = try connection.rows("RELEASE body")
        return
      }
    } catch {
      (head, hasMovedHead) = before
      // Where the whole transaction is gone, so is the savepoint.
      if connection.isInTransaction { try endSavepoint() }
      throw error
    }
    (head, hasMovedHead) = before
    try endSavepoint()
  }

  private func endSavepoint() throws(StorageError) {
    _ = try connection.rows("ROLLBACK TO body")
    _ = try connection.rows("RELEASE body")
  }

  /// Writes where the audit trail ends, once for the batch.
  func finish() throws(StorageError) {
    guard let head, hasMovedHead else { return }
    try run(head.writing)
  }
}
