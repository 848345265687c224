// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

/// A transaction on a read connection, or within a batch of writes.
final class PostgreSQLTransaction: SQLWrite {
  private let connection: PostgreSQLConnection

  /// The failure of the latest statement.
  private(set) var failure: PostgreSQLFailure?
  private var isRollbackRequested = false
  var writesNotices = false
  private var hasUnsentWrites = false
  private var end: AuditEnd?
  private var hasMovedEnd = false

  init(_ connection: PostgreSQLConnection) {
    self.connection = connection
  }

  func batch(_ statements: [SQLStatement]) throws(StorageError) -> [[SQLRow]] {
    hasUnsentWrites = false
    return try recordingFailure { () throws(PostgreSQLFailure) in try connection.batch(statements) }
  }

  func run(_ statement: SQLStatement) {
    hasUnsentWrites = true
    connection.enqueue(statement)
  }

  func requestRollback() {
    isRollbackRequested = true
  }

  func auditEnd() throws(StorageError) -> AuditEnd {
    guard let end else { throw StorageError(.failed, "only serial writes can access the audit trail") }
    return end
  }

  func setAuditEnd(_ end: AuditEnd) {
    self.end = end
    hasMovedEnd = true
  }

  private func recordingFailure<Value>(
    _ body: () throws(PostgreSQLFailure) -> Value
  ) throws(StorageError) -> Value {
    do throws(PostgreSQLFailure) {
      return try body()
    } catch {
      failure = error
      throw error.error
    }
  }
}

// MARK: A batch

extension PostgreSQLTransaction {
  /// Begins a transaction. A serial batch locks the end of the audit chain, which excludes all other servers.
  func begin(isSerial: Bool) throws(PostgreSQLFailure) {
    connection.enqueue("BEGIN ISOLATION LEVEL READ COMMITTED")
    guard isSerial else { return }
    let row = try connection.rows(AuditEnd.selection + " FOR UPDATE").first
    do throws(StorageError) {
      end = try AuditEnd(row)
    } catch {
      throw PostgreSQLFailure(error, .none)
    }
  }

  /// Runs one body of the batch in a savepoint, so that its failure does not affect the others. Returns the body's own
  /// error. Throws if the whole batch must be abandoned.
  func attempt(_ write: PendingWrite) throws(PostgreSQLFailure) -> StorageError? {
    let before = (end, hasMovedEnd)
    failure = nil
    isRollbackRequested = false
    connection.enqueue("SAVEPOINT body")
    do throws(StorageError) {
      hasUnsentWrites = false
      try write.run(self)
      if isRollbackRequested {
        (end, hasMovedEnd) = before
        connection.enqueue("ROLLBACK TO body")
      }
      connection.enqueue("RELEASE body")
      // Flush, so that an error of this body's last write is not attributed to the next body.
      if hasUnsentWrites { try recordingFailure { () throws(PostgreSQLFailure) in try connection.flush() } }
      return nil
    } catch {
      (end, hasMovedEnd) = before
      if let failure, failure.remedy != .none { throw failure }
      connection.enqueue("ROLLBACK TO body")
      connection.enqueue("RELEASE body")
      return error
    }
  }

  /// Writes the end of the audit chain, once for the batch, and commits.
  func commit() throws(PostgreSQLFailure) {
    if let end, hasMovedEnd { connection.enqueue(end.update) }
    try connection.commit()
  }
}
