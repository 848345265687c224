// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import SystemIO

/// A transaction on a read connection, or within a batch of writes.
final class PostgreSQLTransaction: SQLWrite {
  private let connection: PostgreSQLConnection

  /// The failure of the latest statement.
  private(set) var failure: PostgreSQLFailure?
  private var isRollbackRequested = false
  var writesNotices = false
  private var hasUnsentWrites = false
  private var form: AuditForm?
  private var hasMovedEnd = false
  private var paths: SearchPaths?

  init(_ connection: PostgreSQLConnection) {
    self.connection = connection
  }

  func batch(_ statements: [SQLStatement]) throws(StorageError) -> [[SQLRow]] {
    if let statement = statements.first { changePath(for: statement) }
    hasUnsentWrites = false
    return try recordingFailure { () throws(PostgreSQLFailure) in try connection.batch(statements) }
  }

  func run(_ statement: SQLStatement) {
    changePath(for: statement)
    hasUnsentWrites = true
    connection.enqueue(statement)
  }

  func requestRollback() {
    isRollbackRequested = true
  }

  func auditForm() throws(StorageError) -> AuditForm {
    guard let form else { throw StorageError(.failed, "only serial writes can access the audit trail") }
    return form
  }

  func setAuditForm(_ form: AuditForm) {
    self.form = form
    hasMovedEnd = true
  }

  /// Statements that lock the end of the audit chain and then read the form of the trail. The second one sees a log that
  /// the previous holder of the lock began.
  private static let formSelections = [SQLStatement(AuditEnd.selection + " FOR UPDATE"), AuditForm.logSelection]

  private func readForm(_ answers: some BidirectionalCollection<[SQLRow]>) throws(StorageError) {
    guard let logs = answers.last, let ends = answers.dropLast().last else { return }
    form = logs.isEmpty ? .chain(try AuditEnd(ends.first)) : .log(.drawn)
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

// MARK: Joining a transaction of the embedding server

extension PostgreSQLTransaction {
  /// The search paths of a connection of the embedding server. Its statements run with its own path.
  private struct SearchPaths {
    let own: String
    let embedding: String
    var isOwn = true
  }

  /// Runs a body in a savepoint of the embedding server's transaction. If the body throws or returns nil, nothing of it
  /// remains, no lock either.
  ///
  /// The body is serial with all transactions of the store, as in ``begin(isSerial:)``. With a stricter isolation level
  /// than READ COMMITTED it is too: locking the end of the audit chain fails if any transaction of the store has committed
  /// since the snapshot.
  func join<Value>(
    _ configuration: PostgreSQLConfiguration, _ body: () throws(StorageError) -> Value?
  ) throws(StorageError) -> Value? {
    do throws(StorageError) {
      let timeout = try enter(configuration)
      let value = try body()
      guard value != nil else {
        try leave()
        return nil
      }
      if case .chain(let end) = form, hasMovedEnd { run(end.update) }
      if let paths { connection.enqueue(Self.setting("search_path", to: paths.embedding)) }
      connection.enqueue(Self.setting("statement_timeout", to: timeout))
      connection.enqueue("RELEASE passkey")
      try recordingFailure { () throws(PostgreSQLFailure) in try connection.flush() }
      return value
    } catch {
      if failure?.remedy != .reconnect { try? leave() }
      throw error
    }
  }

  /// Sets the savepoint, changes settings until the end of the transaction, and locks the end of the audit chain. Returns
  /// the statement time-out to restore.
  private func enter(_ configuration: PostgreSQLConfiguration) throws(StorageError) -> String {
    let timeout = max(1, configuration.statementTimeout.milliseconds)
    run(SQLStatement("SAVEPOINT passkey"))
    let settings = [
      SQLStatement("SELECT current_setting('search_path'), current_setting('statement_timeout')"),
      Self.setting("search_path", to: configuration.schema),
      Self.setting("statement_timeout", to: "\(timeout)"),
      // A program that stalls with the lock blocks every server of the database.
      Self.setting("idle_in_transaction_session_timeout", to: "\(Int64(timeout) * 2)", insteadOf: "0"),
      // A spent confirmation must not return after a power failure.
      Self.setting("synchronous_commit", to: "on", insteadOf: "off"),
    ]
    let answers = try batch(settings + Self.formSelections)
    guard let before = answers.first?.first else { throw StorageError(.failed, "no settings of the connection") }
    paths = SearchPaths(own: configuration.schema, embedding: try before.text(0))
    try readForm(answers)
    return try before.text(1)
  }

  private func leave() throws(StorageError) {
    try recordingFailure { () throws(PostgreSQLFailure) in try connection.rollBack(to: "passkey") }
  }

  private func changePath(for statement: SQLStatement) {
    guard let paths, paths.isOwn != statement.isOwn else { return }
    self.paths?.isOwn = statement.isOwn
    connection.enqueue(Self.setting("search_path", to: statement.isOwn ? paths.own : paths.embedding))
  }

  /// A statement that changes a setting until the end of the transaction.
  private static func setting(_ name: String, to value: String) -> SQLStatement {
    SQLStatement("SELECT set_config('\(name)', $1, true)", [.text(value)])
  }

  /// A statement that changes a setting until the end of the transaction if it has a certain value.
  private static func setting(_ name: String, to value: String, insteadOf old: String) -> SQLStatement {
    let current = "current_setting('\(name)')"
    return SQLStatement(
      "SELECT set_config('\(name)', CASE \(current) WHEN $2 THEN $1 ELSE \(current) END, true)",
      [.text(value), .text(old)])
  }
}

// MARK: A batch

extension PostgreSQLTransaction {
  /// Begins a transaction. A serial batch locks the end of the audit chain, which excludes all other servers.
  func begin(isSerial: Bool) throws(PostgreSQLFailure) {
    connection.enqueue("BEGIN ISOLATION LEVEL READ COMMITTED")
    guard isSerial else { return }
    let answers = try connection.batch(Self.formSelections)
    do throws(StorageError) {
      try readForm(answers)
    } catch {
      throw PostgreSQLFailure(error, .none)
    }
  }

  /// Runs one body of the batch in a savepoint, so that its failure does not affect the others. Returns the body's own
  /// error. Throws if the whole batch must be abandoned.
  func attempt(_ write: PendingWrite) throws(PostgreSQLFailure) -> StorageError? {
    let before = (form, hasMovedEnd)
    failure = nil
    isRollbackRequested = false
    connection.enqueue("SAVEPOINT body")
    do throws(StorageError) {
      hasUnsentWrites = false
      try write.run(self)
      if isRollbackRequested {
        (form, hasMovedEnd) = before
        connection.enqueue("ROLLBACK TO body")
      }
      connection.enqueue("RELEASE body")
      // Flush, so that an error of this body's last write is not attributed to the next body.
      if hasUnsentWrites { try recordingFailure { () throws(PostgreSQLFailure) in try connection.flush() } }
      return nil
    } catch {
      (form, hasMovedEnd) = before
      if let failure, failure.remedy != .none { throw failure }
      connection.enqueue("ROLLBACK TO body")
      connection.enqueue("RELEASE body")
      return error
    }
  }

  /// Writes the end of the audit chain, once for the batch, and commits.
  func commit() throws(PostgreSQLFailure) {
    if case .chain(let end) = form, hasMovedEnd { connection.enqueue(end.update) }
    try connection.commit()
  }
}
