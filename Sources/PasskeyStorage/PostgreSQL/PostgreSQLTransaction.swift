// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

/// What bodies may ask of a connection: of one that reads, or inside a batch of writes.
final class PostgreSQLTransaction: SQLWrite {
  private let connection: PostgreSQLConnection

  /// What made the latest statement fail.
  private(set) var failure: PostgreSQLFailure?
  private var isTakenBack = false
  private var hasUnsentWrites = false
  private var end: AuditEnd?
  private var hasMovedEnd = false

  init(_ connection: PostgreSQLConnection) {
    self.connection = connection
  }

  func answers(_ statements: [SQLStatement]) throws(StorageError) -> [[SQLRow]] {
    hasUnsentWrites = false
    return try remembering { () throws(PostgreSQLFailure) in try connection.answers(statements) }
  }

  func run(_ statement: SQLStatement) {
    hasUnsentWrites = true
    connection.putOff(statement)
  }

  func takeBack() {
    isTakenBack = true
  }

  func auditEnd() throws(StorageError) -> AuditEnd {
    guard let end else { throw StorageError(.failed, "the audit trail belongs to serial writes") }
    return end
  }

  func setAuditEnd(_ end: AuditEnd) {
    self.end = end
    hasMovedEnd = true
  }

  private func remembering<Value>(
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
  /// Begins; a serial batch waits until it is alone, over all servers of the database.
  func begin(isSerial: Bool) throws(PostgreSQLFailure) {
    connection.putOff("BEGIN ISOLATION LEVEL READ COMMITTED")
    guard isSerial else { return }
    let row = try connection.rows(AuditEnd.reading + " FOR UPDATE").first
    do throws(StorageError) {
      end = try AuditEnd(row)
    } catch {
      throw PostgreSQLFailure(error, .none)
    }
  }

  /// Runs one body of the batch in a savepoint, so that it can fail by itself. An error means that it did; a failure,
  /// that the batch has to be given up.
  func attempt(_ write: PendingWrite) throws(PostgreSQLFailure) -> StorageError? {
    let before = (end, hasMovedEnd)
    failure = nil
    isTakenBack = false
    connection.putOff("SAVEPOINT body")
    do throws(StorageError) {
      hasUnsentWrites = false
      try write.run(self)
      if isTakenBack {
        (end, hasMovedEnd) = before
        connection.putOff("ROLLBACK TO body")
      }
      connection.putOff("RELEASE body")
      // What the body wrote last must not fail in the next one's name.
      if hasUnsentWrites { try remembering { () throws(PostgreSQLFailure) in try connection.flush() } }
      return nil
    } catch {
      (end, hasMovedEnd) = before
      if let failure, failure.remedy != .none { throw failure }
      connection.putOff("ROLLBACK TO body")
      connection.putOff("RELEASE body")
      return error
    }
  }

  /// Writes where the audit trail ends, once for the batch, and commits.
  func commit() throws(PostgreSQLFailure) {
    if let end, hasMovedEnd { connection.putOff(end.writing) }
    try connection.commit()
  }
}
