// SPDX-License-Identifier: Apache-2.0

/// An open store: a database with the service's tables. `SQLiteStorage` and `PostgreSQLStorage` open one.
///
/// The service adds its transactions as methods, each of them one transaction: when it returns, all its changes are
/// committed; when it throws, none are, except after ``StorageError/Code/outcomeUnknown``.
///
/// Every transaction that depends on what it reads excludes those that could change it, across all servers of the
/// database: work on one account, such as a sign-in, excludes other work on the account, and serial transactions, such as
/// an erasure, run alone. Deliveries to one destination exclude each other. The update of a session's time of last use is a
/// single statement that is correct in any order. All kinds share commits with concurrent transactions of their kind (group
/// commit).
///
/// Transactions are durable when their methods return, except that single statement and deliveries. Those are committed and
/// visible to all connections, but a power failure may undo the latest of them. A notice may then be delivered again.
///
/// It is safe to use from any task. Its methods suspend; database calls run on threads of the store.
open class DatabaseStorage: @unchecked Sendable {  // All stored properties are constants.
  package let database: any SQLDatabase

  /// A signal after each commit of this object that wrote notices.
  public let outboxSignal = OutboxSignal()

  /// Tables of the server that embeds the service.
  package let embedded: EmbeddedTables

  package init(_ database: any SQLDatabase, embedded: EmbeddedTables = EmbeddedTables()) {
    self.database = database
    self.embedded = embedded
  }

  /// Finishes pending work and closes the database. Later calls throw.
  open func close() async {
    await database.close()
  }

  /// Runs a write. Gives the signal if it wrote notices.
  package func write<Value: Sendable>(
    _ order: WriteOrder, _ body: @escaping @Sendable (any SQLWrite) throws(StorageError) -> Value
  ) async throws(StorageError) -> Value {
    let (value, writesNotices) = try await database.write(order) { (transaction) throws(StorageError) in
      transaction.writesNotices = false
      return (try body(transaction), transaction.writesNotices)
    }
    if writesNotices { outboxSignal.give() }
    return value
  }

  /// Creates the embedding server's tables.
  package func createEmbeddedTables() async throws(StorageError) {
    guard !embedded.creation.isEmpty else { return }
    try await write(.serial) { [embedded] (transaction) throws(StorageError) in
      try transaction.run(embedded.creation.map { (statement) in SQLStatement(statement, isOwn: false) })
    }
  }
}
