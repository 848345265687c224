// SPDX-License-Identifier: Apache-2.0

internal import PasskeyStorage
internal import PasskeySystem

/// A transaction on a read connection, or within a batch of writes.
final class PostgreSQLTransaction: SQLWrite {
  private let connection: PostgreSQLConnection

  /// The failure of the latest statement.
  private(set) var failure: PostgreSQLFailure?
  /// Whether a body requested a rollback of its changes.
  private(set) var isRollbackRequested = false
  var writesNotices = false
  private var paths: SearchPaths?
  /// The objects that bodies have locked.
  private var lockedObjects: Set<LockedObject> = []

  init(_ connection: PostgreSQLConnection) {
    self.connection = connection
  }

  var dialect: SQLDialect { .postgreSQL }

  func batch(_ statements: [SQLStatement]) throws(StorageError) -> [[SQLRow]] {
    if let statement = statements.first { changePath(for: statement) }
    return try recordingFailure { () throws(PostgreSQLFailure) in try connection.batch(statements) }
  }

  func run(_ statement: SQLStatement) {
    changePath(for: statement)
    connection.enqueue(statement)
  }

  func requestRollback() {
    isRollbackRequested = true
  }

  func lock(_ objects: Set<LockedObject>) {
    let others = objects.subtracting(lockedObjects)
    guard !others.isEmpty else { return }
    lockedObjects.formUnion(others)
    PostgreSQLLocks.statements(for: [.objects(others)]).forEach { (statement) in run(statement) }
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
  /// The locks of the order last until the embedding server's transaction ends. The snapshots of the body must be newer, so
  /// this throws `storage.isolation-unsupported` with a stricter isolation level than READ COMMITTED.
  func join<Value>(
    _ configuration: PostgreSQLConfiguration, _ order: WriteOrder, _ body: () throws(StorageError) -> Value?
  ) throws(StorageError) -> Value? {
    do throws(StorageError) {
      let timeout = try enter(configuration, order)
      let value = try body()
      guard value != nil else {
        try leave()
        return nil
      }
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

  /// Sets the savepoint, changes settings until the end of the transaction, and takes the locks. Returns the statement
  /// time-out to restore.
  private func enter(
    _ configuration: PostgreSQLConfiguration, _ order: WriteOrder
  ) throws(StorageError) -> String {
    let timeout = max(1, configuration.statementTimeout.milliseconds)
    run(SQLStatement("SAVEPOINT passkey"))
    let statements = [
      SQLStatement(
        """
        SELECT current_setting('search_path'), current_setting('statement_timeout'),
        current_setting('transaction_isolation')
        """),
      Self.setting("search_path", to: configuration.schema),
      Self.setting("statement_timeout", to: "\(timeout)"),
      // A program that stalls with the locks blocks those of other servers.
      Self.setting("idle_in_transaction_session_timeout", to: "\(Int64(timeout) * 2)", insteadOf: "0"),
      // A spent confirmation must not return after a power failure.
      Self.setting("synchronous_commit", to: "on", insteadOf: "off"),
    ]
    let answers = try batch(statements + PostgreSQLLocks.statements(for: [order]))
    guard let before = answers.first?.first else { throw StorageError(.failed, "no settings of the connection") }
    guard ["read committed", "read uncommitted"].contains(try before.text(2)) else {
      throw StorageError(.isolationUnsupported, "the isolation level is not READ COMMITTED")
    }
    paths = SearchPaths(own: configuration.schema, embedding: try before.text(0))
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
  /// Begins a transaction with locks, which travel with the next statements.
  func begin(_ locks: [SQLStatement]) {
    connection.enqueue("BEGIN ISOLATION LEVEL READ COMMITTED")
    locks.forEach { (statement) in connection.enqueue(statement) }
  }

  /// Runs one body of the batch.
  func perform(_ write: PendingWrite) throws(PostgreSQLFailure) {
    do throws(StorageError) {
      try write.run(self)
    } catch {
      throw failure ?? PostgreSQLFailure(error, .none)
    }
  }
}
