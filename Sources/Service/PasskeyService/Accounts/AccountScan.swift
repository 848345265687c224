// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyStorage
internal import WebAuthnTypes

/// Accounts in the order of an index: all of them by handle, by name or by age, or by name those whose name begins with a
/// prefix.
///
/// A prefix is a range of the index and not a pattern, so `%` and `_` have no meaning in it.
struct AccountScan {
  /// A column with an index.
  private enum Column: String {
    case handle
    case email
    case usernameKey = "username_key"
    /// The newest first, and the handle decides between accounts of one second.
    case created
  }

  private let column: Column
  /// The values at which the rows begin and before which they end.
  private var range: (start: SQLValue, end: SQLValue?)
  /// Whether the row with the first value is left out.
  private var isAfterStart = false
  /// The beginnings of the addresses that an earlier scan has found; empty for all addresses.
  private var excludedEmails: String?
  /// The handle of the last account that is left out, in the order of age.
  private var handle = SQLValue.bytes([])

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

  /// Scans all accounts from the newest one.
  private init(newestAfter account: Account?) {
    column = .created
    range = (.integer(.max), nil)
    isAfterStart = true
    if let account { pass(account) }
  }

  /// A text that sorts after each name with a prefix: no name contains the last code point, a noncharacter.
  private static func end(of prefix: String) -> String { prefix + "\u{10FFFF}" }

  /// Returns the scans that find the accounts after `handle`, in the order of ``DatabaseStorage/accounts(after:matching:limit:)``.
  static func all(
    for filter: Account.Filter, after handle: UserHandle?, in transaction: some SQLTransaction
  ) throws(StorageError) -> [AccountScan] {
    if filter.prefix == nil, filter.order == .handle { return [AccountScan(after: handle)] }
    let last = try handle.flatMap { (handle) throws(StorageError) -> Account? in
      try Account(transaction.rows(SQLStatement(Account.byHandle, [.opaque(handle)])))
    }
    if filter.prefix == nil, filter.order == .newest { return [AccountScan(newestAfter: last)] }
    // Without a prefix all names are listed.
    let (email, usernameKey) = filter.prefix.map { ($0.email, $0.usernameKey) } ?? ("", "")
    var byEmail = email.map { AccountScan(.email, beginningWith: $0) }
    var byUsername = usernameKey.map { AccountScan(.usernameKey, beginningWith: $0) }
    byUsername?.excludedEmails = email
    if let last {
      if filter.prefix?.beginsEmail(of: last) ?? (last.email != nil) {
        byEmail?.pass(last)
      } else if filter.prefix?.beginsUsername(of: last) ?? true {
        byEmail = nil
        byUsername?.pass(last)
      }
    }
    return [byEmail, byUsername].compactMap(\.self)
  }

  /// Returns the statement that finds the next rows.
  func statement(matching filter: Account.Filter, limit: Int, _ dialect: SQLDialect) -> SQLStatement {
    var values = [range.start, .integer(Int64(clamping: limit))]
    let condition = self.condition(matching: filter, dialect, &values)
    let order = column == .created ? "created DESC, handle DESC" : column.rawValue
    return SQLStatement(
      "SELECT \(Account.columns) FROM accounts WHERE \(condition) ORDER BY \(order) LIMIT $2", values)
  }

  /// Returns the statement that counts the rows; with a role for each set of roles, which it also returns.
  func counting(_ filter: Account.Filter, _ dialect: SQLDialect) -> SQLStatement {
    var values = [range.start]
    let condition = self.condition(matching: filter, dialect, &values)
    return filter.role == nil
      ? SQLStatement("SELECT count(*) FROM accounts WHERE \(condition)", values)
      : SQLStatement("SELECT count(*), roles FROM accounts WHERE \(condition) GROUP BY roles", values)
  }

  /// Returns the condition of the rows. Its first parameter is the start of the range.
  private func condition(
    matching filter: Account.Filter, _ dialect: SQLDialect, _ values: inout [SQLValue]
  ) -> String {
    let key = column.rawValue
    func parameter(_ value: SQLValue) -> String {
      values.append(value)
      return "$\(values.count)"
    }
    var conditions =
      column == .created
      ? ["(created, handle) < ($1, \(parameter(handle)))"] : ["\(key) \(isAfterStart ? ">" : ">=") $1"]
    if let end = range.end { conditions.append("\(key) < \(parameter(end))") }
    if excludedEmails == "" {
      // As an expression: SQLite would prefer the index of addresses, and sort all accounts without one.
      conditions.append("coalesce(email, '') = ''")
    } else if let excludedEmails {
      let (start, end) = (parameter(.text(excludedEmails)), parameter(.text(Self.end(of: excludedEmails))))
      conditions.append("(email IS NULL OR email < \(start) OR email >= \(end))")
    }
    if let state = filter.state {
      // Most accounts are active. As an expression for other orders: SQLite would prefer the index of states, and sort them all.
      let isIndexed = column == .handle || state != .active
      conditions.append("\(isIndexed ? "state" : "state || ''") = \(parameter(.text(state.rawValue)))")
    }
    if let role = filter.role {
      let bytes = CBORWriter.bytes(of: .text(role.rawValue))
      conditions.append(dialect.containsCondition("roles", parameter(.bytes(bytes[...]))))
    }
    return conditions.joined(separator: " AND ")
  }

  /// Continues after an account.
  mutating func pass(_ account: Account) {
    range.start =
      switch column {
      case .handle: .opaque(account.handle)
      case .email: .text(account.email?.text)
      case .usernameKey: .text(account.username?.key)
      case .created: .time(account.created)
      }
    handle = .opaque(account.handle)
    isAfterStart = true
  }
}
