// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyStorage
internal import WebAuthnTypes

extension Account {
  private static let columnNames = [
    "handle", "email", "state", "roles", "created", "username", "email_verified", "awaits_verification", "updated",
    "language", "time_zone",
  ]
  static let columns = columnNames.joined(separator: ", ")
  static let columnCount = columnNames.count

  static func columns(of table: String) -> String {
    columnNames.map { (name) in "\(table).\(name)" }.joined(separator: ", ")
  }

  static let byHandle = "SELECT \(columns) FROM accounts WHERE handle = $1"

  /// Finds the accounts that have one of the names of a new account: at most two.
  static func owners(of names: AccountNames) -> SQLStatement {
    SQLStatement(byNames, [names.email.map { .text($0.text) } ?? .null, names.username.map { .text($0.key) } ?? .null])
  }

  // Not with OR: after ANALYZE, SQLite would read the whole table if no account has a username.
  private static let byNames = """
    SELECT \(columns) FROM accounts WHERE email = $1
    UNION
    SELECT \(columns) FROM accounts WHERE username_key = $2
    """

  /// Finds an account by handle, or the sentinel by the sentinel's handle.
  static let byHandleOrSentinel = """
    SELECT \(columns), 0 FROM accounts WHERE handle = $1
    UNION ALL
    SELECT \(columns), 1 FROM sentinels WHERE handle = $1
    """

  /// Decodes ``columns``, starting at column `start`.
  init(_ row: SQLRow, at start: Int = 0) throws(StorageError) {
    let email = try row.optionalText(start + 1)
    let username = try row.optionalText(start + 5)
    let names = try row.checked(start + 1) {
      AccountNames(try username.map { try Username($0) }, try email.map { try EmailAddress($0) })
    }
    guard let names else { throw row.unexpected(start + 1) }
    self.init(
      handle: try row.opaque(start), names: names, emailVerified: try row.optionalTime(start + 6),
      awaitsVerification: try row.flag(start + 7), state: try row.name(start + 2), roles: try row.roles(start + 3),
      created: try row.time(start + 4), updated: try row.time(start + 8))
    locale = MailLocale(language: try row.optionalText(start + 9), timeZone: try row.optionalText(start + 10))
  }

  init?(_ rows: [SQLRow]?) throws(StorageError) {
    guard let row = rows?.first else { return nil }
    try self.init(row)
  }

  /// Decodes the result of a query that returns the sentinel on a miss; nil for the sentinel.
  init?(orSentinel rows: [SQLRow]?) throws(StorageError) {
    guard let row = rows?.first else { return nil }
    let account = try Account(row)
    guard try !row.flag(Self.columnCount) else { return nil }
    self = account
  }

  var insertion: SQLStatement {
    SQLStatement(
      """
      INSERT INTO accounts (\(Self.columns), username_key, administers)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
      """,
      [
        .opaque(handle), .text(email?.text), .text(state.rawValue), .roles(roles), .time(created),
        .text(username?.text), .time(emailVerified), .flag(awaitsVerification), .time(updated), .text(locale.language),
        .text(locale.timeZone), .text(username?.key), .flag(isActingAdministrator),
      ])
  }

  /// Updates the columns that change: all but the handle, the user name, the creation and the locale.
  var update: SQLStatement {
    SQLStatement(
      """
      UPDATE accounts SET state = $2, roles = $3, administers = $4, email = $5, email_verified = $6,
        awaits_verification = $7, updated = $8
      WHERE handle = $1
      """,
      [
        .opaque(handle), .text(state.rawValue), .roles(roles), .flag(isActingAdministrator), .text(email?.text),
        .time(emailVerified), .flag(awaitsVerification), .time(updated),
      ])
  }

  /// Finds another acting administrator.
  var otherAdministrator: SQLStatement {
    SQLStatement(
      "SELECT handle FROM accounts WHERE administers = 1 AND handle <> $1 LIMIT 1", [.opaque(handle)])
  }
}

extension MailLocale {
  /// Stores the locale of an account.
  func update(of account: UserHandle) -> SQLStatement {
    SQLStatement(
      "UPDATE accounts SET language = $2, time_zone = $3 WHERE handle = $1",
      [.opaque(account), .text(language), .text(timeZone)])
  }
}

extension SQLValue {
  /// Encodes roles sorted by their names, so that equal sets have equal encodings.
  static func roles(_ roles: Set<Role>) -> Self {
    .bytes(CBORWriter.bytes(of: .array(roles.map(\.rawValue).sorted().map { .text($0) }))[...])
  }
}

extension SQLRow {
  func roles(_ column: Int) throws(StorageError) -> Set<Role> {
    let bytes = try bytes(column)
    return try checked(column) {
      var roles: Set<Role> = []
      for name in try CBORValue(parsing: bytes, rules: .canonical).array { roles.insert(Role(rawValue: try name.text)) }
      return roles
    }
  }
}
