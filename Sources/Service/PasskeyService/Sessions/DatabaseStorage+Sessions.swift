// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import PasskeyStorage
package import WebAuthnTypes

extension DatabaseStorage {
  /// Returns the clients from which an account was used, also those that have expired.
  package func knownClients(of user: UserHandle) async throws(StorageError) -> [KnownClient] {
    try await database.find { (transaction) throws(StorageError) in
      try transaction.rows(KnownClient.all(of: user)).map { (row) throws(StorageError) in try KnownClient(row) }
    }
  }

  /// Returns the session with this token, and its account.
  package func session(token: TokenDigest) async throws(StorageError) -> (session: AccountSession, account: Account)? {
    let statement = SQLStatement(AccountSession.byToken, [.fixed(token)])
    return try await database.find {
      (transaction) throws(StorageError) -> (session: AccountSession, account: Account)? in
      guard let row = try transaction.row(statement) else { return nil }
      return (try AccountSession(row), try Account(row, at: AccountSession.columnCount))
    }
  }

  /// Updates a session's last use, unless the stored time is later.
  package func touch(_ session: AccountSessionID, at time: UnixTime) async throws(StorageError) {
    let statement = SQLStatement(
      "UPDATE sessions SET last_seen = $2 WHERE id = $1 AND last_seen < $2", [.fixed(session), .time(time)])
    _ = try await database.write(.unordered(row: session.bytes[...]), closed: [statement])
  }

  /// Returns at most `limit` sessions of an account, newest first, without those that `ended` covers. Always includes
  /// `session`, if it is named: even if it is covered, and in place of the oldest if newer ones fill the limit.
  package func sessions(
    of user: UserHandle, but ended: SweepBounds?, keeping session: AccountSessionID?, limit: Int
  ) async throws(StorageError) -> [AccountSession] {
    // An empty ID matches no session, and `Int64.min` precedes every time.
    let statement = SQLStatement(
      """
      SELECT \(AccountSession.columns) FROM (
        SELECT \(AccountSession.columns), number FROM sessions
        WHERE user_handle = $1 AND (id = $2 OR (ending >= $3 AND last_seen >= $4))
        ORDER BY CASE WHEN id = $2 THEN 0 ELSE 1 END, number DESC LIMIT $5) AS listed
      ORDER BY number DESC
      """,
      [
        .opaque(user), session.map { .fixed($0) } ?? .bytes([]), ended.map { .time($0.time) } ?? .integer(.min),
        ended?.idleSince.map { .time($0) } ?? .integer(.min), .integer(Int64(clamping: limit)),
      ])
    return try await database.read { (transaction) throws(StorageError) in
      var sessions: [AccountSession] = []
      for row in try transaction.rows(statement) { sessions.append(try AccountSession(row)) }
      return sessions
    }
  }

  /// Ends a session of an account, with its refresh tokens and grants. Returns whether it existed.
  package func revoke(
    _ session: AccountSessionID, of user: UserHandle, audit: [AuditDraft]
  ) async throws(StorageError) -> Bool {
    let statement = SQLStatement(
      "SELECT number FROM sessions WHERE id = $1 AND user_handle = $2", [.fixed(session), .opaque(user)])
    return try await write(.account(user, recording: audit)) { (transaction) throws(StorageError) in
      guard try transaction.row(statement) != nil else { return false }
      try transaction.run(session.deletions)
      try transaction.record(audit)
      return true
    }
  }

  /// Ends all sessions of an account, except `session` if it is named. Returns their number; if it is zero, records
  /// nothing. If `administrator` is named and is not an acting administrator inside the transaction, changes nothing
  /// and returns nil.
  package func revokeAll(
    of user: UserHandle, keeping session: AccountSessionID?, by administrator: UserHandle? = nil, audit: [AuditDraft]
  ) async throws(StorageError) -> Int? {
    try await write(.account(user, recording: audit)) { (transaction) throws(StorageError) in
      if let administrator, try !transaction.isActingAdministrator(administrator) { return nil }
      let statements = user.sessionEndings(keeping: session)
      let ended = try transaction.batch(statements).last?.count ?? 0
      if ended > 0 { try transaction.record(audit) }
      return ended
    }
  }

  /// Returns the refresh token with this hash, spent or not.
  package func refreshToken(_ digest: TokenDigest) async throws(StorageError) -> RefreshToken? {
    try await database.find { (transaction) throws(StorageError) in
      try RefreshToken(transaction.rows(SQLStatement(RefreshToken.byDigest, [.fixed(digest)])))
    }
  }
}

extension AccountSessionID {
  /// Statements that delete the session with its refresh tokens and grants.
  var deletions: [SQLStatement] {
    [
      SQLStatement("DELETE FROM sessions WHERE id = $1", [.fixed(self)]),
      SQLStatement("DELETE FROM refresh_tokens WHERE session = $1", [.fixed(self)]),
      SQLStatement("DELETE FROM grants WHERE session = $1", [.fixed(self)]),
    ]
  }
}

extension UserHandle {
  /// Statements that delete the sessions of an account, except one, with their refresh tokens and grants, and a pending
  /// change of its address. The last statement returns the deleted session IDs.
  func sessionEndings(keeping session: AccountSessionID?) -> [SQLStatement] {
    // An empty ID matches no session.
    let values: [SQLValue] = [.opaque(self), session.map { .fixed($0) } ?? .bytes([])]
    let others = "user_handle = $1 AND id <> $2"
    return [
      // A change of address that one of them began would otherwise give the account away after all.
      EmailCeremony.removal(of: self, .addressChange),
      SQLStatement("DELETE FROM refresh_tokens WHERE session IN (SELECT id FROM sessions WHERE \(others))", values),
      SQLStatement("DELETE FROM grants WHERE user_handle = $1 AND session <> $2", values),
      SQLStatement("DELETE FROM sessions WHERE \(others) RETURNING id", values),
    ]
  }
}

extension DatabaseStorage {

  /// Returns the number of sessions, of all accounts, that can be used or renewed at a given time.
  package func sessionCount(at time: UnixTime) async throws(StorageError) -> Int {
    let statement = SQLStatement("SELECT count(*) FROM sessions WHERE ending >= $1", [.time(time)])
    return try await database.read { (transaction) throws(StorageError) in
      Int(clamping: try transaction.row(statement)?.integer(0) ?? 0)
    }
  }
}
