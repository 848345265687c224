// SPDX-License-Identifier: Apache-2.0

/// A database with the schema, as used by the methods of ``DatabaseStorage``.
package protocol SQLDatabase: Sendable {
  /// Runs a write with the durability of `order`. Concurrent writes share one commit.
  func write<Value: Sendable>(
    _ order: WriteOrder, _ body: @escaping @Sendable (any SQLWrite) throws(StorageError) -> Value
  ) async throws(StorageError) -> Value

  /// Runs a write whose statements are known in advance, and returns the rows of each statement. Such writes cost fewer
  /// round trips than those with a body.
  func write(_ order: WriteOrder, closed statements: [SQLStatement]) async throws(StorageError) -> [[SQLRow]]

  /// Writes a row, to detect a full disk or a read-only server. Excludes no other write.
  func check() async throws(StorageError)

  /// Runs a read. With `snapshot`, all statements of the body see the same state of the database.
  func read<Value: Sendable>(
    snapshot: Bool, _ body: @escaping @Sendable (any SQLTransaction) throws(StorageError) -> Value
  ) async throws(StorageError) -> Value

  /// Finds a few rows by key with one statement, on the calling thread if that needs no waiting.
  func find<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLTransaction) throws(StorageError) -> Value
  ) async throws(StorageError) -> Value

  /// Scrubs deleted data from the database's files if a scrub is due (``SQLStatement/markScrubDue``) and the files are
  /// local. A scrub that cannot run now stays due.
  func scrub() async

  /// Returns free space to the file system, incrementally.
  func reclaim() async

  /// Returns what names the place of the database, and differs for a copy in another place.
  func place(_ transaction: any SQLTransaction) throws(StorageError) -> [UInt8]

  /// The database's SQL dialect.
  var dialect: SQLDialect { get }

  /// Finishes pending work and closes the database.
  func close() async
}

extension SQLDatabase {
  package func write(_ order: WriteOrder, closed statements: [SQLStatement]) async throws(StorageError) -> [[SQLRow]] {
    try await write(order) { (transaction) throws(StorageError) in try transaction.batch(statements) }
  }

  package func read<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLTransaction) throws(StorageError) -> Value
  ) async throws(StorageError) -> Value {
    try await read(snapshot: false, body)
  }

  package func find<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLTransaction) throws(StorageError) -> Value
  ) async throws(StorageError) -> Value {
    try await read(body)
  }
}
