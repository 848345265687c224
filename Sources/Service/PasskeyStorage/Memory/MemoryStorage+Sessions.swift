// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import PasskeyService
package import WebAuthnTypes

extension MemoryStorage {
  /// Updates the credential and opens a session. Ends the account's oldest sessions above the maximum.
  package func signIn(_ commit: SignInCommit) throws(StorageError) -> SignInOutcome {
    if let ceremony = commit.ceremony, spent.contains(ceremony) { return .ceremonySpent }
    guard let passkey = passkey(after: commit.use) else { return .credentialChanged }
    guard let account = accounts[passkey.user], commit.opening.isAdmitted(by: account) else { return .accountRefused }
    try sessions.checkUnused(commit.opening)
    if let ceremony = commit.ceremony { spent.insert(ceremony) }
    passkeys.replace(passkey)
    trail.seal(commit.audit)
    if let client = commit.client { store(client) }
    open(commit.opening)
    return .opened
  }

  /// Returns the clients from which an account was used.
  package func knownClients(of user: UserHandle) throws(StorageError) -> [KnownClient] { clients[user] ?? [] }

  /// Returns the session with this access token and its account, or nil.
  package func session(token: TokenDigest) throws(StorageError) -> (session: AccountSession, account: Account)? {
    guard let session = sessions[token], let account = accounts[session.user] else { return nil }
    return (session, account)
  }

  /// Updates a session's time of last use. Never moves it backwards.
  package func touch(_ session: AccountSessionID, at time: UnixTime) throws(StorageError) {
    guard var touched = sessions[session], touched.lastSeen < time else { return }
    touched.lastSeen = time
    sessions.replace(touched)
  }

  /// Returns at most `limit` sessions of an account, newest first, without those that `ended` covers. `session` is
  /// always included.
  package func sessions(
    of user: UserHandle, but ended: SweepBounds?, keeping session: AccountSessionID?, limit: Int
  ) throws(StorageError) -> [AccountSession] {
    let newest = sessions.all(of: user).reversed()
    let kept = newest.filter { $0.id == session }
    let others = newest.filter { $0.id != session && ended?.covers($0) != true }
    let listed = Set((kept + others).prefix(limit).map(\.id))
    return newest.filter { listed.contains($0.id) }
  }

  /// Returns the number of sessions that have not expired at `time`.
  package func sessionCount(at time: UnixTime) throws(StorageError) -> Int {
    sessions.all.count { ($0.renewalEnd ?? $0.expiry) >= time }
  }

  /// Ends a session. Returns false if the account has no such session.
  package func revoke(
    _ session: AccountSessionID, of user: UserHandle, audit: [AuditDraft]
  ) throws(StorageError) -> Bool {
    guard sessions[session]?.user == user else { return false }
    end([session])
    trail.seal(audit)
    return true
  }

  /// Ends an account's sessions, except `session`. Returns their number, or nil if `administrator` is not an acting
  /// administrator.
  package func revokeAll(
    of user: UserHandle, keeping session: AccountSessionID?, by administrator: UserHandle?, audit: [AuditDraft]
  ) throws(StorageError) -> Int? {
    if let administrator, accounts[administrator]?.isActingAdministrator != true { return nil }
    let ended = sessions.all(of: user).map(\.id).filter { $0 != session }
    guard !ended.isEmpty else { return 0 }
    end(ended)
    trail.seal(audit)
    return ended.count
  }

  /// Returns the refresh token with this digest, or nil.
  package func refreshToken(_ digest: TokenDigest) throws(StorageError) -> RefreshToken? {
    sessions.refreshTokens[digest]
  }

  /// Exchanges a refresh token for new tokens. Reuse of a spent token outside the grace period ends the session.
  package func renew(_ renewal: SessionRenewal) throws(StorageError) -> RenewalOutcome {
    guard let token = sessions.refreshTokens[renewal.presented], token.session == renewal.session,
      var session = sessions[renewal.session]
    else { return .refused }
    guard !token.isSpent else {
      if renewal.repeats(token), let account = accounts[session.user], renewal.admits(account) {
        if let spentAt = token.spentAt, spentAt != renewal.derivedAt { return .spent(at: spentAt) }
        let successor = sessions.refreshTokens[renewal.refresh.digest]
        if sessions[renewal.token]?.id == session.id, let successor, !successor.isSpent {
          return .repeated(session, account, successor)
        }
      }
      end([session.id])
      trail.seal(renewal.auditOfReuse)
      return .reused
    }
    guard renewal.time <= token.expiry, let end = session.renewalEnd, renewal.time <= end,
      renewal.idleSince.map({ $0 <= session.lastSeen }) ?? true,
      let account = accounts[session.user], renewal.admits(account)
    else { return .refused }
    try sessions.checkUnused(renewal.refresh)
    guard sessions[renewal.token] == nil else { throw StorageError(.conflict, "session") }
    session.expiry = renewal.expiry
    session.lastSeen = renewal.lastUse(of: session)
    sessions.replace(session, token: renewal.token)
    var spent = token
    spent.isSpent = true
    spent.spentAt = renewal.time
    spent.spentBy = renewal.client
    sessions.replace(spent, with: renewal.refresh)
    trail.seal(renewal.audit)
    return .renewed(session, account)
  }
}

extension MemoryStorage {
  /// Updates the credential and stores a step-up grant.
  package func confirm(_ commit: StepUpCommit) throws(StorageError) -> StepUpOutcome {
    if let ceremony = commit.ceremony, spent.contains(ceremony) { return .ceremonySpent }
    guard let passkey = passkey(after: commit.use) else { return .credentialChanged }
    guard sessions[commit.grant.session]?.user == commit.grant.user else { return .sessionEnded }
    guard grants[commit.grant.digest] == nil else { throw StorageError(.conflict, "grant") }
    if let ceremony = commit.ceremony { spent.insert(ceremony) }
    passkeys.replace(passkey)
    grants[commit.grant.digest] = commit.grant
    trail.seal(commit.audit)
    return .granted
  }

  /// Stores a step-up grant for a session that removed the last passkey of its account.
  package func grant(
    _ grant: StepUpGrant, afterRemovalAt removal: UnixTime, audit: [AuditDraft]
  ) throws(StorageError) -> Bool {
    guard let session = sessions[grant.session], session.user == grant.user, session.lastPasskeyRemoved == removal
    else { return false }
    guard grants[grant.digest] == nil else { throw StorageError(.conflict, "grant") }
    grants[grant.digest] = grant
    trail.seal(audit)
    return true
  }

  /// Updates the credential and the session's last verification.
  package func reverify(_ commit: ReverificationCommit) throws(StorageError) -> ReverificationOutcome {
    if let ceremony = commit.ceremony, spent.contains(ceremony) { return .ceremonySpent }
    guard let passkey = passkey(after: commit.use) else { return .credentialChanged }
    guard var session = sessions[commit.session], session.user == commit.use.user else { return .sessionEnded }
    if let ceremony = commit.ceremony { spent.insert(ceremony) }
    passkeys.replace(passkey)
    session.verifiedAt = commit.time
    session.lastSeen = max(session.lastSeen, commit.time)
    sessions.replace(session)
    trail.seal(commit.audit)
    return .verified(session)
  }

  /// Spends a step-up grant. Returns false if it is unknown or does not match.
  package func spend(_ grant: GrantSpending, audit: [AuditDraft]) throws(StorageError) -> Bool {
    guard spendGrant(grant) else { return false }
    trail.seal(audit)
    return true
  }
}

extension MemoryStorage {
  /// Deletes expired entries, at most `limit` of each kind, and returns their number.
  package func sweep(_ bounds: SweepBounds, limit: Int) throws(StorageError) -> Int {
    let bound = CeremonyID.bound(of: bounds.spentBefore)
    let expired = spent.filter { $0.bytes.lexicographicallyPrecedes(bound) }.prefix(limit)
    spent.subtract(expired)
    var count = expired.count
    for grant in grants.values.filter({ $0.expiry < bounds.time }).prefix(limit) {
      grants[grant.digest] = nil
      count += 1
    }
    for code in codes.values.filter({ $0.expiry < bounds.time }).prefix(limit) {
      codes[code.digest] = nil
      count += 1
    }
    for token in sessions.refreshTokens.values.filter({ $0.expiry < bounds.time }).prefix(limit) {
      sessions.remove(token)
      count += 1
    }
    count += emails.remove(atMost: limit) { $0.expiry < bounds.time }
    count += emails.removeCounts(before: bounds.time, atMost: limit)
    for client in clients.values.joined().filter({ $0.expiry < bounds.time }).prefix(limit) {
      clients[client.user]?.removeAll { $0 == client }
      count += 1
    }
    let ended = sessions.all.filter(bounds.covers).prefix(limit).map(\.id)
    end(ended)
    count += ended.count
    if let period = bounds.checkpoints { count += trail.log.thin(period, limit: limit) }
    if let time = bounds.personalDetailsBefore { count += trail.forget(before: time, limit: limit) }
    return count
  }
}
