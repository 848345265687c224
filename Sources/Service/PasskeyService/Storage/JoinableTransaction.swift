// SPDX-License-Identifier: Apache-2.0

package import WebAuthnTypes

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
  var storage: any Storage { get }

  /// Checks and spends a grant, appends the audit records, and runs `body`, within the transaction. The embedding server
  /// commits all of it, or rolls it back.
  ///
  /// - Parameters:
  ///   - account: The account that acts; nil for none. No other work on it runs meanwhile.
  ///   - grant: The grant; nil if the action needs none.
  ///   - audit: The audit drafts, appended before the body runs.
  ///   - body: The statements. It runs at most once.
  /// - Returns: The value of the body; nil if the grant was refused. A refusal changes nothing.
  /// - Throws: A ``StorageError`` if the store or the body fails. The transaction is then as before the call, unless the
  ///   connection is lost.
  func transact<Value: Sendable>(
    by account: UserHandle?, spending grant: GrantSpending?, audit: [AuditDraft],
    _ body: @escaping @Sendable (any StorageTransaction) throws(StorageError) -> Value
  ) async throws(StorageError) -> Value?
}
