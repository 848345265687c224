// SPDX-License-Identifier: Apache-2.0

public import PasskeyStorage

extension PostgreSQLStorage {
  /// Returns a loan of the embedding server's own libpq connection, for `AuthService.perform(_:by:in:within:_:)`.
  ///
  ///     PQexec(connection, "BEGIN")
  ///     let loan = unsafe storage.borrow(connection)
  ///     try await service.perform(confirmation, by: session, in: context, within: loan) { … }
  ///     PQexec(connection, "COMMIT")
  ///     storage.outboxSignal.give()
  ///
  /// The connection is to the store's database, in a transaction, idle, not in pipeline mode, with the client encoding UTF8.
  /// Its role may change the store's tables. The store uses it only during a call, on a thread of its own. Afterwards the
  /// connection has its settings back and no prepared statement of the store, so a pooler in transaction mode may be between.
  ///
  /// - Parameter connection: A `PGconn`. Keep it open, and do not use it during a call.
  /// - Returns: The loan, for one call in each transaction.
  public func borrow(_ connection: OpaquePointer) -> LentTransaction {
    unsafe LentTransaction(PostgreSQLLoan(storage: self, connection: connection))
  }
}

/// A libpq connection of the embedding server, lent to the store (``PostgreSQLStorage/borrow(_:)``).
///
/// Unchecked: its user keeps other threads off the connection.
@safe private struct PostgreSQLLoan: @unchecked Sendable {
  private let store: PostgreSQLStorage
  private let connection: OpaquePointer

  fileprivate init(storage: PostgreSQLStorage, connection: OpaquePointer) {
    self.store = storage
    unsafe self.connection = connection
  }

  /// The connection, on its way to the thread that uses it.
  @safe private struct Handle: @unchecked Sendable {
    let pointer: OpaquePointer
  }
}

extension PostgreSQLLoan: JoinableTransaction {
  /// The store.
  package var storage: DatabaseStorage { store }

  /// Runs a body in a savepoint of the connection's transaction.
  ///
  /// - Throws: `storage.configuration-invalid` if the connection is not ready; `storage.isolation-unsupported` if
  ///   the transaction is not READ COMMITTED; `storage.contended` after a deadlock; `storage.unavailable` or `storage.timed-out` if the connection is lost, which is then
  ///   unusable; or another code.
  package func join<Value: Sendable>(
    _ order: WriteOrder, _ body: @escaping @Sendable (any SQLWrite) throws(StorageError) -> Value?
  ) async throws(StorageError) -> Value? {
    let handle = unsafe Handle(pointer: connection)
    let configuration = store.configuration
    return try await WorkerThread.run { () throws(StorageError) in
      let connection: PostgreSQLConnection
      do throws(PostgreSQLFailure) {
        connection = try unsafe PostgreSQLConnection(borrowing: handle.pointer, configuration)
      } catch {
        throw error.error
      }
      defer { connection.giveBack() }
      let transaction = PostgreSQLTransaction(connection)
      return try transaction.join(configuration, order) { () throws(StorageError) in try body(transaction) }
    }
  }
}
