// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import WebAuthnTypes

/// A store whose transactions can contain statements of the server that embeds the service, as both databases are.
package protocol TransactionalStorage: Storage {
  /// Checks and spends a grant, runs `body`, appends the audit records, and commits all of it together.
  ///
  /// - Parameters:
  ///   - account: The account that acts; nil for none. No other work on it runs meanwhile.
  ///   - grant: The grant; nil if the action needs none. It is treated as in every transaction of ``Storage``.
  ///   - audit: The audit drafts, appended before the body runs.
  ///   - body: The statements. It can run more than once, if the transaction is retried, so it must have no effect outside
  ///     the transaction. If it throws, nothing is committed, and the grant is not spent.
  /// - Returns: The value of the body; nil if the grant was refused.
  /// - Throws: A ``StorageError`` if the store or the body fails.
  func transact<Value: Sendable>(
    by account: UserHandle?, spending grant: GrantSpending?, audit: [AuditDraft],
    _ body: @escaping @Sendable (any StorageTransaction) throws(StorageError) -> Value
  ) async throws(StorageError) -> Value?

  /// Performs an action as ``transact(by:spending:audit:_:)``, and keeps its answer with the spent grant. If the grant was
  /// spent on the same action before, and its answer is kept, changes nothing.
  ///
  /// - Parameters:
  ///   - account: The account that acts. No other work on it runs meanwhile.
  ///   - grant: The grant.
  ///   - end: The time until which the answer is kept. It ends earlier with the session.
  ///   - audit: The audit drafts, appended before the body runs.
  ///   - body: The statements. Returns the answer.
  /// - Returns: The answer of this request or of the earlier one; nil if the grant was refused.
  /// - Throws: A ``StorageError`` if the store or the body fails.
  func transactOnce(
    by account: UserHandle, spending grant: GrantSpending, keepingAnswerUntil end: UnixTime, audit: [AuditDraft],
    _ body: @escaping @Sendable (any StorageTransaction) throws(StorageError) -> [UInt8]
  ) async throws(StorageError) -> KeptAnswer?
}

/// The statements of an open transaction.
///
/// No other transaction with own statements runs at the same time, on any server, so what it reads of your tables stays valid
/// until the commit, and so does the account that acts. In SQLite it runs alone. Keep it short.
public protocol TransactionStatements: AnyObject {
  /// Runs a statement and returns its rows.
  ///
  /// - Parameters:
  ///   - statement: SQL with the parameters `$1`, `$2` and so on. SQLite shares its file with the service, so tables need
  ///     names of their own, such as `raptor_orders`. In PostgreSQL, the service's schema comes first in the search path:
  ///     write `public.orders`.
  ///   - values: The values of the parameters.
  /// - Returns: The rows.
  /// - Throws: A ``StorageError`` if the statement fails.
  func rows(_ statement: String, _ values: [StorageValue]) throws(StorageError) -> [[StorageValue]]
}

/// A transaction of a store, open while the body that receives it runs.
package protocol StorageTransaction: TransactionStatements {
  /// Appends audit records, and writes their notices.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func record(_ drafts: [AuditDraft]) throws(StorageError)

  /// Writes notices that belong to no audit record.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func enqueue(_ notices: [RoutedNotice]) throws(StorageError)
}

/// A value that both databases store alike.
public enum StorageValue: Hashable, Sendable {
  /// No value.
  case null
  /// An integer: `INTEGER` in SQLite, `bigint` in PostgreSQL.
  case integer(Int64)
  /// Text without NUL: `TEXT`.
  case text(String)
  /// Bytes: `BLOB` in SQLite, `bytea` in PostgreSQL.
  case bytes([UInt8])
}

/// Tables of the server that embeds the service, in the store's database.
public struct EmbeddedTables: Sendable {
  /// Statements that create the tables if they are missing, run at each start in one transaction. Both databases know
  /// `CREATE TABLE IF NOT EXISTS`.
  public var creation: [String]

  /// Statements that delete a person's rows when the account is erased, in the same transaction. Each has one parameter,
  /// `$1`, the account's handle as bytes.
  public var erasure: [String]

  /// Creates a description of tables.
  public init(creation: [String] = [], erasure: [String] = []) {
    self.creation = creation
    self.erasure = erasure
  }
}
