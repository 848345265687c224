// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import PasskeyService

extension DatabaseStorage {
  /// Updates the credential and opens a session, in one transaction. Ends the account's oldest sessions above the
  /// maximum.
  package func signIn(_ commit: SignInCommit) async throws(StorageError) -> SignInOutcome {
    guard !database.dialect.hasGatedChanges else { return try await signInBehindGate(commit) }
    let order = WriteOrder.account(commit.use.user, recording: commit.records, spending: commit.ceremony)
    return try await database.write(order) { (transaction) throws(StorageError) in
      // Almost every sign-in succeeds, so all statements go out in one round trip and are rolled back on refusal.
      let excess = commit.opening.excessSessions
      let first =
        [commit.use.update(allowingPending: commit.opening.allowsPending, unlessSpent: commit.ceremony)]
        + [commit.ceremony?.spending].compactMap(\.self)
      let others =
        commit.insertions.map(\.statement) + transaction.statements(appending: commit.audit)
        + [excess].compactMap(\.self)
      let answers = try transaction.batch(first + others)
      guard answers.prefix(first.count).contains(where: \.isEmpty) else {
        if excess != nil { try transaction.end(answers.last ?? [], of: commit.opening) }
        return .opened
      }
      transaction.requestRollback()
      // A ceremony that was not spent is spent by this transaction until it is rolled back.
      if commit.ceremony != nil, answers[1].isEmpty { return .ceremonySpent }
      return try commit.use.holds(in: transaction) ? .accountRefused : .credentialChanged
    }
  }

  /// Signs in with one statement, which changes nothing if the sign-in is refused. Sessions above the maximum end in a
  /// transaction of its own, after this one.
  private func signInBehindGate(_ commit: SignInCommit) async throws(StorageError) -> SignInOutcome {
    var changes = SQLChanges(
      gate: commit.use.update(allowingPending: commit.opening.allowsPending, unlessSpent: commit.ceremony))
    for insertion in [commit.ceremony?.insertion].compactMap(\.self) + commit.insertions { changes.insert(insertion) }
    changes.record(commit.audit)
    let excess = commit.opening.excessSessions
    let order = WriteOrder.account(commit.use.user, recording: commit.records, spending: commit.ceremony)
    let answers = try await database.write(order, closed: [changes.statement] + [excess].compactMap(\.self))
    guard try answers.first?.first?.integer(0) == 1 else {
      return try await database.find { (transaction) throws(StorageError) in
        if try transaction.isSpent(commit.ceremony) { return .ceremonySpent }
        return try commit.use.holds(in: transaction) ? .accountRefused : .credentialChanged
      }
    }
    var writesNotices = commit.audit.contains { (draft) in !draft.notices.isEmpty }
    if excess != nil, let rows = answers.last, !rows.isEmpty {
      let endings = try commit.opening.endings(of: rows)
      // If this fails, the next sign-in of the account ends the sessions.
      _ = try? await database.write(order, closed: endings)
      writesNotices = writesNotices || commit.opening.auditOfEnding?.notices.isEmpty == false
    }
    if writesNotices { outboxSignal.give() }
    return .opened
  }

  /// Updates the credential and stores a step-up grant, in one transaction.
  package func confirm(_ commit: StepUpCommit) async throws(StorageError) -> StepUpOutcome {
    try await database.write(
      .account(commit.use.user, recording: commit.audit, spending: commit.ceremony)
    ) { (transaction) throws(StorageError) in
      let grant = commit.grant
      if let ceremony = commit.ceremony, try !transaction.spend(ceremony) { return .ceremonySpent }
      let answers = try transaction.batch([
        commit.use.update,
        SQLStatement(
          "SELECT number FROM sessions WHERE id = $1 AND user_handle = $2",
          [.fixed(grant.session), .opaque(grant.user)]),
      ])
      guard answers.first?.isEmpty == false else {
        transaction.requestRollback()
        return .credentialChanged
      }
      guard answers.last?.isEmpty == false else {
        transaction.requestRollback()
        return .sessionEnded
      }
      try transaction.run(grant.insertion)
      try transaction.record(commit.audit)
      return .granted
    }
  }

  /// Stores a step-up grant for a session that removed the last passkey of its account. Returns false if the session is
  /// gone, or the account has a passkey again.
  package func grant(
    _ grant: StepUpGrant, afterRemovalAt removal: UnixTime, audit: [AuditDraft]
  ) async throws(StorageError) -> Bool {
    let search = SQLStatement(
      "SELECT number FROM sessions WHERE id = $1 AND user_handle = $2 AND last_passkey_removed = $3",
      [.fixed(grant.session), .opaque(grant.user), .time(removal)])
    return try await database.write(.account(grant.user, recording: audit)) { (transaction) throws(StorageError) in
      guard try transaction.row(search) != nil else { return false }
      try transaction.run(grant.insertion)
      try transaction.record(audit)
      return true
    }
  }

  /// Updates the credential and the session's last verification, in one transaction.
  package func reverify(_ commit: ReverificationCommit) async throws(StorageError) -> ReverificationOutcome {
    try await database.write(
      .account(commit.use.user, recording: commit.audit, spending: commit.ceremony)
    ) { (transaction) throws(StorageError) in
      if let ceremony = commit.ceremony, try !transaction.spend(ceremony) { return .ceremonySpent }
      let answers = try transaction.batch([
        commit.use.update,
        SQLStatement(
          """
          UPDATE sessions SET verified = $3, last_seen = CASE WHEN last_seen > $3 THEN last_seen ELSE $3 END
          WHERE id = $1 AND user_handle = $2 RETURNING \(AccountSession.columns)
          """, [.fixed(commit.session), .opaque(commit.use.user), .time(commit.time)]),
      ])
      guard answers.first?.isEmpty == false, let row = answers.last?.first else {
        transaction.requestRollback()
        return answers.first?.isEmpty == false ? .sessionEnded : .credentialChanged
      }
      try transaction.record(commit.audit)
      return .verified(try AccountSession(row))
    }
  }

  /// Spends a step-up grant. Returns false if it is unknown or does not match.
  package func spend(_ grant: GrantSpending, audit: [AuditDraft]) async throws(StorageError) -> Bool {
    try await database.write(.account(grant.user, recording: audit)) { (transaction) throws(StorageError) in
      guard try transaction.spend(grant) else { return false }
      try transaction.record(audit)
      return true
    }
  }

  /// Exchanges a refresh token for new tokens. Reuse of a spent token outside the grace period ends the session.
  package func renew(_ renewal: SessionRenewal) async throws(StorageError) -> RenewalOutcome {
    let order = WriteOrder.account(renewal.refresh.user, recording: renewal.audit + renewal.auditOfReuse)
    return try await database.write(order) { (transaction) throws(StorageError) in
      let answers = try transaction.batch([
        SQLStatement(RefreshToken.byDigest, [.fixed(renewal.presented)]),
        SQLStatement(AccountSession.byID, [.fixed(renewal.session)]),
      ])
      guard let token = try RefreshToken(answers.first), token.session == renewal.session,
        let row = answers.last?.first
      else { return .refused }
      guard !token.isSpent else {
        if renewal.repeats(token), let outcome = try renewal.repetition(of: token, row, in: transaction) {
          return outcome
        }
        try transaction.run(renewal.session.deletions)
        try transaction.record(renewal.auditOfReuse)
        return .reused
      }
      var session = try AccountSession(row)
      let account = try Account(row, at: AccountSession.columnCount)
      guard renewal.time <= token.expiry, let end = session.renewalEnd, renewal.time <= end,
        renewal.idleSince.map({ (moment) in moment <= session.lastSeen }) ?? true, renewal.admits(account)
      else { return .refused }
      session.expiry = renewal.expiry
      session.lastSeen = renewal.lastUse(of: session)
      try transaction.run(renewal.updates(to: session))
      try transaction.record(renewal.audit)
      return .renewed(session, account)
    }
  }
}

extension SignInCommit {
  /// The rows of the session and the client.
  fileprivate var insertions: [SQLInsertion] { opening.insertions + [client?.insertion].compactMap(\.self) }

  /// The records of the sign-in and of sessions that it ends.
  fileprivate var records: [AuditDraft] { audit + [opening.auditOfEnding].compactMap(\.self) }
}

extension SessionOpening {
  /// Statements of PostgreSQL that end the sessions returned by ``excessSessions`` and record each.
  fileprivate func endings(of rows: [SQLRow]) throws(StorageError) -> [SQLStatement] {
    try rows.map { (row) throws(StorageError) in
      let id: AccountSessionID = try row.fixed(0)
      var changes = SQLChanges(
        gate: SQLStatement(
          "DELETE FROM sessions WHERE id = $1 AND user_handle = $2 RETURNING id", [.fixed(id), .opaque(session.user)]))
      changes.delete(from: "refresh_tokens", where: "session = $1")
      changes.delete(from: "grants", where: "session = $1")
      changes.record([draft(id)].compactMap(\.self))
      return changes.statement
    }
  }
}

extension CredentialUse {
  /// Whether the condition for the credential update holds.
  fileprivate func holds(in transaction: some SQLTransaction) throws(StorageError) -> Bool {
    try Passkey(transaction.rows(SQLStatement(Passkey.byID, [.opaque(credential)]))).flatMap(applied) != nil
  }
}

extension SessionRenewal {
  /// The outcome when the same client repeats a spent token within the grace period; nil if the tokens derived from it
  /// are no longer current.
  fileprivate func repetition(
    of token: RefreshToken, _ row: SQLRow, in transaction: some SQLTransaction
  ) throws(StorageError) -> RenewalOutcome? {
    let account = try Account(row, at: AccountSession.columnCount)
    guard admits(account) else { return nil }
    if let spentAt = token.spentAt, spentAt != derivedAt { return .spent(at: spentAt) }
    let answers = try transaction.batch([
      SQLStatement(AccountSession.byToken, [.fixed(self.token)]),
      SQLStatement(RefreshToken.byDigest, [.fixed(refresh.digest)]),
    ])
    guard let current = answers.first?.first, let successor = try RefreshToken(answers.last), !successor.isSpent else {
      return nil
    }
    let session = try AccountSession(current)
    return session.id == self.session ? .repeated(session, account, successor) : nil
  }

  /// Statements that spend the presented refresh token and store the session's new tokens.
  fileprivate func updates(to session: AccountSession) -> [SQLStatement] {
    [
      SQLStatement(
        "UPDATE refresh_tokens SET spent = 1, spent_at = $2, spent_by = $3 WHERE digest = $1",
        [.fixed(presented), .time(time), client.map { .bytes($0[...]) } ?? .null]),
      refresh.insertion.statement,
      SQLStatement(
        "UPDATE sessions SET token = $2, expiry = $3, last_seen = $4, ending = $5 WHERE id = $1",
        [.fixed(session.id), .fixed(token), .time(session.expiry), .time(session.lastSeen), .time(session.end)]),
    ]
  }
}
