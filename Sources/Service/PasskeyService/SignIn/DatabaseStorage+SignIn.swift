// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
package import PasskeyStorage

extension DatabaseStorage {
  /// Updates the credential by compare-and-set, opens a session, and records it (``SignInCommit``).
  package func signIn(_ commit: SignInCommit) async throws(StorageError) -> SignInOutcome {
    guard !database.dialect.hasGatedChanges else { return try await signInBehindGate(commit) }
    let order = WriteOrder.account(commit.use.user, recording: commit.records, spending: commit.ceremony)
    return try await write(order) { (transaction) throws(StorageError) in
      // Almost every sign-in succeeds, so all statements go out in one round trip and are rolled back on refusal.
      let excess = commit.opening.excessSessions
      let first =
        [commit.use.update(allowingPending: commit.opening.allowsPending, unlessSpent: commit.ceremony)]
        + [commit.ceremony?.spending].compactMap(\.self)
      let others =
        commit.insertions.map(\.statement) + transaction.statements(appending: commit.audit)
        + [commit.locale?.update(of: commit.use.user), excess].compactMap(\.self)
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
    if let locale = commit.locale {
      changes.update(
        "accounts", [("language", .text(locale.language)), ("time_zone", .text(locale.timeZone))],
        where: ("handle", .opaque(commit.use.user)))
    }
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
