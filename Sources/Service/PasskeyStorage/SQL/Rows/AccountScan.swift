// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyService
internal import WebAuthnTypes

/// Accounts in the order of an index: all of them by handle, or by name those whose name begins with a prefix.
///
/// A prefix is a range of the index and not a pattern, so `%` and `_` have no meaning in it.
struct AccountScan {
  /// A column with a unique index.
  private enum Column: String {
    case handle
    case email
    case usernameKey = "username_key"
  }

  private let column: Column
  /// The values at which the rows begin and before which they end.
  private var range: (start: SQLValue, end: SQLValue?)
  /// Whether the row with the first value is left out.
  private var isAfterStart = false
  /// The beginnings of the addresses that an earlier scan has found.
  private var excludedEmails: String?

  /// Scans all accounts after a handle. A handle has at least one byte, so the empty value sorts before every handle.
  private init(after handle: UserHandle?) {
    column = .handle
    range = (handle.map { .opaque($0) } ?? .bytes([]), nil)
    isAfterStart = true
  }

  private init(_ column: Column, beginningWith prefix: String) {
    self.column = column
    range = (.text(prefix), .text(Self.end(of: prefix)))
  }

  /// A text that sorts after each name with a prefix: no name contains the last code point, a noncharacter.
  private static func end(of prefix: String) -> String { prefix + "\u{10FFFF}" }

  /// Returns the scans that find the accounts after `handle`, in the order of ``AccountStorage``.
  static func all(
    for filter: AccountFilter, after handle: UserHandle?, in transaction: some SQLTransaction
  ) throws(StorageError) -> [AccountScan] {
    guard let prefix = filter.prefix else { return [AccountScan(after: handle)] }
    var byEmail = prefix.email.map { AccountScan(.email, beginningWith: $0) }
    var byUsername = prefix.usernameKey.map { AccountScan(.usernameKey, beginningWith: $0) }
    byUsername?.excludedEmails = prefix.email
    if let handle, let last = try Account(transaction.rows(SQLStatement(Account.byHandle, [.opaque(handle)]))) {
      if prefix.beginsEmail(of: last) {
        byEmail?.pass(last)
      } else if prefix.beginsUsername(of: last) {
        byEmail = nil
        byUsername?.pass(last)
      }
    }
    return [byEmail, byUsername].compactMap(\.self)
  }

  /// Returns the statement that finds the next rows.
  func statement(matching filter: AccountFilter, limit: Int, _ dialect: SQLDialect) -> SQLStatement {
    let key = column.rawValue
    var conditions = ["\(key) \(isAfterStart ? ">" : ">=") $1"]
    var values = [range.start, .integer(Int64(clamping: limit))]
    func parameter(_ value: SQLValue) -> String {
      values.append(value)
      return "$\(values.count)"
    }
    if let end = range.end { conditions.append("\(key) < \(parameter(end))") }
    if let excludedEmails {
      let (start, end) = (parameter(.text(excludedEmails)), parameter(.text(Self.end(of: excludedEmails))))
      conditions.append("(email IS NULL OR email < \(start) OR email >= \(end))")
    }
    if let state = filter.state {
      // As an expression for names: SQLite would prefer the index of states, and sort all accounts of one by name.
      conditions.append("\(column == .handle ? "state" : "state || ''") = \(parameter(.text(state.rawValue)))")
    }
    if let role = filter.role {
      let bytes = CBORWriter.bytes(of: .text(role.rawValue))
      conditions.append(dialect.containsCondition("roles", parameter(.bytes(bytes[...]))))
    }
    let search = "SELECT \(Account.columns) FROM accounts WHERE \(conditions.joined(separator: " AND "))"
    return SQLStatement(search + " ORDER BY \(key) LIMIT $2", values)
  }

  /// Continues after an account.
  mutating func pass(_ account: Account) {
    range.start =
      switch column {
      case .handle: .opaque(account.handle)
      case .email: .text(account.email?.text)
      case .usernameKey: .text(account.username?.key)
      }
    isAfterStart = true
  }
}
