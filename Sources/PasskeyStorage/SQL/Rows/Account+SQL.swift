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

  /// An account with the records of the passkeys that may be asked for, one to a row, and the sentinel where there are none
  /// of those (``Sentinel``). The last two columns are the passkey's number, which is its order, and whether the row is the
  /// sentinel's.
  static let candidateByEmail = """
    SELECT \(columns(of: "accounts")), passkeys.record, passkeys.number, 0
    FROM accounts LEFT JOIN passkeys ON passkeys.user_handle = accounts.handle AND passkeys.disabled = 0
    WHERE accounts.email = $1
    UNION ALL
    SELECT \(columns(of: "sentinels")), sentinels.record, 0, 1 FROM sentinels
    WHERE NOT EXISTS (
      SELECT 1 FROM accounts JOIN passkeys ON passkeys.user_handle = accounts.handle AND passkeys.disabled = 0
      WHERE accounts.email = $1)
    """

  /// Reads ``columns``, the first of which is at `start`.
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

  var insertion: SQLStatement {
    SQLStatement(
      "INSERT INTO accounts (\(Self.columns), administers) VALUES ($1, $2, $3, $4, $5, $6)",
      [
        .opaque(handle), .text(email.text), .text(state.rawValue), .roles(roles), .time(created),
        .flag(isActingAdministrator),
      ])
  }

  /// Writes what can change.
  var update: SQLStatement {
    SQLStatement(
      "UPDATE accounts SET state = $2, roles = $3, administers = $4 WHERE handle = $1",
      [.opaque(handle), .text(state.rawValue), .roles(roles), .flag(isActingAdministrator)])
  }

  /// Somebody else who can administer.
  var otherAdministrator: SQLStatement {
    SQLStatement(
      "SELECT handle FROM accounts WHERE administers = 1 AND handle <> $1 LIMIT 1", [.opaque(handle)])
  }
}

extension SQLValue {
  /// Names in the order of their bytes, so that the same roles are the same bytes.
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
