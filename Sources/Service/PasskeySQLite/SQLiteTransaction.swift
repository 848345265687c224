// SPDX-License-Identifier: Apache-2.0

internal import PasskeyStorage

/// A transaction on a read connection, or within a write.
final class SQLiteTransaction: SQLWrite {
  let connection: SQLiteConnection

  /// Whether the body requested a rollback of its changes.
  private(set) var isRollbackRequested = false
  var writesNotices = false

  init(_ connection: SQLiteConnection) {
    self.connection = connection
  }

  func batch(_ statements: [SQLStatement]) throws(StorageError) -> [[SQLRow]] {
    var answers: [[SQLRow]] = []
    for statement in statements { answers.append(try connection.rows(statement)) }
    return answers
  }

  func run(_ statement: SQLStatement) throws(StorageError) {
    _ = try connection.rows(statement)
  }

  func requestRollback() {
    isRollbackRequested = true
  }

  var dialect: SQLDialect { .sqlite }

  /// Does nothing: there is one writer.
  func lock(_ objects: Set<LockedObject>) {}

  /// Runs one body of a batch in a savepoint, so that its failure does not affect the others.
  func attempt(_ body: () throws(StorageError) -> Void) throws(StorageError) {
    isRollbackRequested = false
    _ = try connection.rows("SAVEPOINT body")
    do throws(StorageError) {
      try body()
      guard !connection.breaksForeignKey else { throw StorageError(.conflict, "a foreign key constraint failed") }
      if !isRollbackRequested {
        _ = try connection.rows("RELEASE body")
        return
      }
    } catch {
      // If SQLite rolled back the whole transaction, the savepoint no longer exists.
      if connection.isInTransaction { try endSavepoint() }
      throw error
    }
    try endSavepoint()
  }

  private func endSavepoint() throws(StorageError) {
    _ = try connection.rows("ROLLBACK TO body")
    _ = try connection.rows("RELEASE body")
  }
}
