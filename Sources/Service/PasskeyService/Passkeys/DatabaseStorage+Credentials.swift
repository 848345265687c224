// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import PasskeyStorage
package import WebAuthnTypes

extension DatabaseStorage {
  /// Returns the passkey with this ID, of any account.
  package func passkey(_ id: CredentialID) async throws(StorageError) -> Passkey? {
    try await database.find { (transaction) throws(StorageError) in
      try Passkey(transaction.rows(SQLStatement(Passkey.byID, [.opaque(id)])))
    }
  }

  /// Returns all passkeys of an account, oldest first.
  package func passkeys(of user: UserHandle) async throws(StorageError) -> [Passkey] {
    let statement = SQLStatement(
      "SELECT \(Passkey.columns) FROM passkeys WHERE user_handle = $1 ORDER BY number", [.opaque(user)])
    return try await database.read { (transaction) throws(StorageError) in
      var passkeys: [Passkey] = []
      for row in try transaction.rows(statement) { passkeys.append(try Passkey(row)) }
      return passkeys
    }
  }

  /// Returns at most `limit` passkeys of all accounts, by ascending bytes of their IDs, beginning after `id`; nil begins
  /// with the first.
  package func passkeys(after id: CredentialID?, limit: Int) async throws(StorageError) -> [Passkey] {
    // An ID has at least one byte, so the empty value sorts before every ID.
    let statement = SQLStatement(
      "SELECT \(Passkey.columns) FROM passkeys WHERE id > $1 ORDER BY id LIMIT $2",
      [id.map { .opaque($0) } ?? .bytes([]), .integer(Int64(clamping: limit))])
    return try await database.read { (transaction) throws(StorageError) in
      var passkeys: [Passkey] = []
      for row in try transaction.rows(statement) { passkeys.append(try Passkey(row)) }
      return passkeys
    }
  }

  /// Renames a passkey of an account.
  ///
  /// - Returns: Whether the account has the passkey.
  package func rename(
    _ id: CredentialID, of user: UserHandle, to name: Passkey.Name, audit: [AuditDraft]
  ) async throws(StorageError) -> Bool {
    let statement = SQLStatement(
      "UPDATE passkeys SET name = $3 WHERE id = $1 AND user_handle = $2 RETURNING number",
      [.opaque(id), .opaque(user), .text(name.text)])
    return try await write(.account(user, recording: audit)) { (transaction) throws(StorageError) in
      guard try transaction.row(statement) != nil else { return false }
      try transaction.record(audit)
      return true
    }
  }

  /// Deletes a passkey of an account and ends the sessions that it opened. If the account then has no passkey that can
  /// confirm an action (``Passkey/canConfirm``), and the deletion spends a grant, also sets
  /// ``AccountSession/lastPasskeyRemoved`` of the kept session to the time of the spending.
  ///
  /// - Parameters:
  ///   - id: The identifier of the passkey.
  ///   - user: The account.
  ///   - session: The session that requests the deletion and stays open; nil for none.
  ///   - allowingLast: Whether to delete the last usable passkey too.
  ///   - grant: The grant to spend; nil for none.
  ///   - audit: The audit drafts.
  /// - Returns: The outcome.
  /// - Throws: A ``StorageError`` if the store fails.
  package func delete(
    _ id: CredentialID, of user: UserHandle, keeping session: AccountSessionID?, allowingLast: Bool,
    spending grant: GrantSpending?, audit: [AuditDraft]
  ) async throws(StorageError) -> Result<Void, ServiceError> {
    try await write(.account(user, spending: grant, recording: audit)) { (transaction) throws(StorageError) in
      try transaction.perform(spending: grant, audit) { () throws(StorageError) in
        let answers = try transaction.batch([
          SQLStatement("SELECT number FROM passkeys WHERE id = $1 AND user_handle = $2", [.opaque(id), .opaque(user)]),
          SQLStatement(
            "SELECT \(Passkey.columns) FROM passkeys WHERE user_handle = $1 AND id <> $2 AND disabled = 0",
            [.opaque(user), .opaque(id)]),
        ])
        guard answers.first?.isEmpty == false else { return .refused(.credentialUnknown) }
        let others = try (answers.last ?? []).map { (row) throws(StorageError) in try Passkey(row) }
        guard allowingLast || !others.isEmpty else { return .refused(.credentialLast) }
        try transaction.run(SQLStatement("DELETE FROM passkeys WHERE id = $1", [.opaque(id)]))
        let opened = try transaction.rows(
          SQLStatement(
            "SELECT id FROM sessions WHERE user_handle = $1 AND credential = $2", [.opaque(user), .opaque(id)]))
        var ended: [AccountSessionID] = []
        for row in opened { ended.append(try row.fixed(0)) }
        for id in ended where id != session { try transaction.run(id.deletions) }
        // The deleted passkey may have confirmed it.
        try transaction.run(EmailCeremony.removal(of: user, .addressChange))
        if let session, let grant, !others.contains(where: \.canConfirm) {
          try transaction.run(
            SQLStatement(
              "UPDATE sessions SET last_passkey_removed = $2 WHERE id = $1", [.fixed(session), .time(grant.time)]))
        }
        return .success(())
      }
    }
  }

  /// Disables a passkey of an account and ends all of the account's sessions. Increases the revision, whatever its
  /// value.
  ///
  /// - Parameters:
  ///   - id: The identifier of the passkey.
  ///   - user: The account.
  ///   - cloneSignal: The new value of ``Passkey/cloneSignal``; nil leaves it unchanged.
  ///   - audit: The audit drafts.
  /// - Returns: Whether the passkey existed and was enabled.
  /// - Throws: A ``StorageError`` if the store fails.
  package func disable(
    _ id: CredentialID, of user: UserHandle, cloneSignal: UnixTime?, audit: [AuditDraft]
  ) async throws(StorageError) -> Bool {
    let statement = SQLStatement(
      """
      UPDATE passkeys SET disabled = 1, revision = revision + 1, clone_signal = coalesce($3, clone_signal)
      WHERE id = $1 AND user_handle = $2 AND disabled = 0 RETURNING number
      """, [.opaque(id), .opaque(user), .time(cloneSignal)])
    return try await write(.account(user, recording: audit)) { (transaction) throws(StorageError) in
      guard try transaction.row(statement) != nil else { return false }
      try transaction.run(user.sessionEndings(keeping: nil))
      try transaction.record(audit)
      return true
    }
  }
}
