// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WebAuthnTypes
internal import WireFormats

extension Account {
  static let columns = "handle, email, state, roles, created"
  static let columnCount = 5

  static func columns(of table: String) -> String {
    "\(table).handle, \(table).email, \(table).state, \(table).roles, \(table).created"
  }

  static let byHandle = "SELECT \(columns) FROM accounts WHERE handle = $1"
  static let byEmail = "SELECT \(columns) FROM accounts WHERE email = $1"

  /// Finds an account by email address, or returns the sentinel (``Sentinel``), so that both cases cost the same. The
  /// last column tells whether the row is the sentinel's.
  static let byEmailOrSentinel = """
    SELECT \(columns), 0 FROM accounts WHERE email = $1
    UNION ALL
    SELECT \(columns), 1 FROM sentinels WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE email = $1)
    """

  /// Finds an account by handle, or the sentinel by the sentinel's handle.
  static let byHandleOrSentinel = """
    SELECT \(columns), 0 FROM accounts WHERE handle = $1
    UNION ALL
    SELECT \(columns), 1 FROM sentinels WHERE handle = $1
    """

  /// Finds an account with the records of its enabled passkeys, one per row. If it has none, $2 rows of sentinel
  /// passkeys follow. The last three columns are the record, the passkey's number (its order), and whether the row is
  /// the sentinel's.
  static let candidateByEmail = """
    SELECT \(columns(of: "accounts")), passkeys.record, passkeys.number, 0
    FROM accounts LEFT JOIN passkeys ON passkeys.user_handle = accounts.handle AND passkeys.disabled = 0
    WHERE accounts.email = $1
    UNION ALL
    SELECT \(columns(of: "sentinels")), spare.record, spare.number, 1
    FROM sentinels JOIN sentinel_passkeys AS spare ON spare.user_handle = sentinels.handle AND spare.number <= $2
    WHERE NOT EXISTS (
      SELECT 1 FROM accounts JOIN passkeys ON passkeys.user_handle = accounts.handle AND passkeys.disabled = 0
      WHERE accounts.email = $1)
    """

  /// Decodes ``columns``, starting at column `start`.
  init(_ row: SQLRow, at start: Int = 0) throws(StorageError) {
    let email = try row.text(start + 1)
    self.init(
      handle: try row.opaque(start), email: try row.checked(start + 1) { try EmailAddress(email) },
      state: try row.name(start + 2), roles: try row.roles(start + 3), created: try row.time(start + 4))
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
      "INSERT INTO accounts (\(Self.columns), administers) VALUES ($1, $2, $3, $4, $5, $6)",
      [
        .opaque(handle), .text(email.text), .text(state.rawValue), .roles(roles), .time(created),
        .flag(isActingAdministrator),
      ])
  }

  /// Updates the mutable columns.
  var update: SQLStatement {
    SQLStatement(
      "UPDATE accounts SET state = $2, roles = $3, administers = $4 WHERE handle = $1",
      [.opaque(handle), .text(state.rawValue), .roles(roles), .flag(isActingAdministrator)])
  }

  /// Finds another acting administrator.
  var otherAdministrator: SQLStatement {
    SQLStatement(
      "SELECT handle FROM accounts WHERE administers = 1 AND handle <> $1 LIMIT 1", [.opaque(handle)])
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
