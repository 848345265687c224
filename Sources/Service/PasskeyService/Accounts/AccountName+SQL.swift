// SPDX-License-Identifier: Apache-2.0

internal import PasskeyStorage

/// The queries for accounts by one kind of name.
struct AccountNameQueries: Sendable {
  /// Finds an account by its name, or returns the sentinel (``Sentinel``), so that both cases cost the same. The last
  /// column tells whether the row is the sentinel's.
  let orSentinel: String

  /// Finds an account with the records of its enabled passkeys, one per row. If it has none, $2 rows of sentinel
  /// passkeys follow. The last three columns are the record, the passkey's number (its order), and whether the row is
  /// the sentinel's.
  let candidate: String

  fileprivate static let email = Self(column: "email")
  fileprivate static let username = Self(column: "username_key")

  private init(column: String) {
    orSentinel = """
      SELECT \(Account.columns), 0 FROM accounts WHERE \(column) = $1
      UNION ALL
      SELECT \(Account.columns), 1 FROM sentinels WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE \(column) = $1)
      """
    candidate = """
      SELECT \(Account.columns(of: "accounts")), passkeys.record, passkeys.number, 0
      FROM accounts LEFT JOIN passkeys ON passkeys.user_handle = accounts.handle AND passkeys.disabled = 0
      WHERE accounts.\(column) = $1
      UNION ALL
      SELECT \(Account.columns(of: "sentinels")), spare.record, spare.number, 1
      FROM sentinels JOIN sentinel_passkeys AS spare ON spare.user_handle = sentinels.handle AND spare.number <= $2
      WHERE NOT EXISTS (
        SELECT 1 FROM accounts JOIN passkeys ON passkeys.user_handle = accounts.handle AND passkeys.disabled = 0
        WHERE accounts.\(column) = $1)
      """
  }
}

extension AccountName {
  /// The queries for this kind of name.
  var queries: AccountNameQueries {
    switch self {
    case .email: .email
    case .username: .username
    }
  }

  /// The value of the first parameter of the queries.
  var parameter: SQLValue {
    switch self {
    case .email(let email): .text(email.text)
    case .username(let username): .text(username.key)
    }
  }
}

extension AccountNames {
  /// Returns the outcome for a new account with these names, if other accounts have one of them.
  func isTaken(by owners: [Account]) -> TakenName? {
    if let key = username?.key, owners.contains(where: { $0.username?.key == key }) { return .username }
    return owners.isEmpty ? nil : .email
  }
}

/// The name of a new account that another account has.
enum TakenName {
  case username
  case email
}
