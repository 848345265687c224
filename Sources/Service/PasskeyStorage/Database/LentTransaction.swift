// SPDX-License-Identifier: Apache-2.0

/// A transaction that the embedding server has begun on a connection of its own, lent to the service for single calls.
///
/// A value cannot be copied, and the service only borrows it. So the service cannot use the connection after a call
/// returns. `PostgreSQLStorage.borrow(_:)` makes one.
public struct LentTransaction: ~Copyable, Sendable {
  package let transaction: any JoinableTransaction

  /// Lends a transaction.
  package init(_ transaction: any JoinableTransaction) {
    self.transaction = transaction
  }
}

/// The work of a store within a lent transaction.
package protocol JoinableTransaction: Sendable {
  /// The store whose tables the transaction can change.
  var storage: DatabaseStorage { get }

  /// Runs `body` within the transaction, at most once. The embedding server commits its changes, or rolls them back.
  ///
  /// - Returns: The value of the body; nil if it returned nil, and then changed nothing.
  /// - Throws: The error of the body or of the store. The transaction is then as before the call, unless the connection is
  ///   lost.
  func join<Value: Sendable>(
    _ order: WriteOrder, _ body: @escaping @Sendable (any SQLWrite) throws(StorageError) -> Value?
  ) async throws(StorageError) -> Value?
}
