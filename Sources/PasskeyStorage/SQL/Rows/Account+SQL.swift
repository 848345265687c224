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

  /// An account with the records of the passkeys that may be asked for, one to a row, and what the sentinel has in place of
  /// whatever there is not (``Sentinel``). The last three columns are the passkey's number, which is its order, and whether
  /// the account and the record are the sentinel's.
  ///
  /// Where nobody is found, the look-ups behind that are made with the sentinel's handle.
  static let candidateByEmail = """
    SELECT \(columnsOrSentinel), coalesce(passkeys.record, sentinels.record), coalesce(passkeys.number, 0),
      CASE WHEN found.handle IS NULL THEN 1 ELSE 0 END, CASE WHEN passkeys.record IS NULL THEN 1 ELSE 0 END
    FROM sentinels
    LEFT JOIN accounts AS named ON named.email = $1
    LEFT JOIN accounts AS found ON found.handle = coalesce(named.handle, sentinels.handle)
    LEFT JOIN passkeys ON passkeys.user_handle = coalesce(named.handle, sentinels.handle) AND passkeys.disabled = 0
    """

  private static let columnsOrSentinel = columns.split(separator: ", ").map { (column) in
    "coalesce(found.\(column), sentinels.\(column))"
  }.joined(separator: ", ")

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
