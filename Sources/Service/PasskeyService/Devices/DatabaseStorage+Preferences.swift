// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
package import PasskeyStorage
package import WebAuthnTypes

extension DatabaseStorage {
  /// Returns the notification preferences of an account; empty if it has none or does not exist.
  package func preferences(of user: UserHandle) async throws(StorageError) -> NotificationPreferences {
    try await database.read { (transaction) throws(StorageError) in
      let statement = SQLStatement("SELECT choices FROM preferences WHERE user_handle = $1", [.opaque(user)])
      return try transaction.row(statement)?.preferences(0) ?? .none
    }
  }

  /// Replaces the notification preferences of an account, and with a locale that of its mails. Returns whether the account
  /// exists.
  package func setPreferences(
    _ preferences: NotificationPreferences, locale: MailLocale? = nil, of user: UserHandle, audit: [AuditDraft]
  ) async throws(StorageError) -> Bool {
    try await write(.account(user, recording: audit)) { (transaction) throws(StorageError) in
      guard try transaction.row(SQLStatement(Account.byHandle, [.opaque(user)])) != nil else { return false }
      try transaction.run(
        SQLStatement(
          """
          INSERT INTO preferences (user_handle, choices) VALUES ($1, $2)
          ON CONFLICT (user_handle) DO UPDATE SET choices = excluded.choices
          """, [.opaque(user), .bytes(preferences.encoded[...])]))
      if let locale { try transaction.run(locale.update(of: user)) }
      try transaction.record(audit)
      return true
    }
  }
}

extension NotificationPreferences {
  /// The choices as a CBOR map from names to 0 or 1.
  fileprivate var encoded: [UInt8] {
    var map: [CBORKey: CBORTree] = [:]
    for (name, choice) in choices { map[.text(name)] = .integer(choice ? 1 : 0) }
    return CBORWriter.bytes(of: .map(map))
  }
}

extension SQLRow {
  fileprivate func preferences(_ column: Int) throws(StorageError) -> NotificationPreferences {
    let bytes = try bytes(column)
    return try checked(column) {
      var choices: [String: Bool] = [:]
      for pair in try CBORValue(parsing: bytes, rules: .canonical).map {
        choices[try pair.key.text] = try pair.value.unsigned == 1
      }
      return try NotificationPreferences(choices)
    }
  }
}
