// SPDX-License-Identifier: Apache-2.0

public import PasskeyStorage

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
  /// - Throws: A ``/PasskeyStorage/StorageError`` if the statement fails.
  func rows(_ statement: String, _ values: [StorageValue]) throws(StorageError) -> [[StorageValue]]
}

/// A transaction of a store, open while the body that receives it runs.
package protocol StorageTransaction: TransactionStatements {
  /// Appends audit records, and writes their notices.
  ///
  /// - Throws: A ``/PasskeyStorage/StorageError`` if the store fails.
  func record(_ drafts: [AuditDraft]) throws(StorageError)

  /// Writes notices that belong to no audit record.
  ///
  /// - Throws: A ``/PasskeyStorage/StorageError`` if the store fails.
  func enqueue(_ notices: [RoutedNotice]) throws(StorageError)
}
