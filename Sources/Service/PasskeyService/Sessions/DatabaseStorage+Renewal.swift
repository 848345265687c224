// SPDX-License-Identifier: Apache-2.0

package import PasskeyStorage

extension DatabaseStorage {
  /// Updates the credential by compare-and-set, and the last verification and use of the session, and records it.
  package func reverify(_ commit: ReverificationCommit) async throws(StorageError) -> ReverificationOutcome {
    try await write(
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

  /// Renews a session with a refresh token, which can be used once (``SessionRenewal``).
  package func renew(_ renewal: SessionRenewal) async throws(StorageError) -> RenewalOutcome {
    let order = WriteOrder.account(renewal.refresh.user, recording: renewal.audit + renewal.auditOfReuse)
    return try await write(order) { (transaction) throws(StorageError) in
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
