// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

extension AuthService {
  /// Authenticates a request by its session token.
  ///
  /// Call it for each request. It reads the store once, and writes the session's last use only once per interval
  /// (``ServicePolicy/Sessions/touchInterval``).
  ///
  /// - Parameters:
  ///   - token: The token of the request; nil if the request has none.
  ///   - allowance: The restricted sessions that the request allows.
  ///   - context: The time and origin of the request.
  /// - Returns: The proof of authentication, which the other methods require.
  /// - Throws: `session.unknown`, `session.expired`, `session.idle`, `session.account-refused`,
  ///   `session.account-pending` or `session.verification-required`; or a storage code.
  public func authenticate(
    _ token: Token?, allowing allowance: AccountSession.Allowance = [], in context: CallContext
  ) async throws(ServiceError) -> AuthenticatedSession {
    guard let token else { throw ServiceError(.sessionUnknown) }
    let found = try await stored(async: await storage.session(token: token.digest))
    guard let (session, account) = found else { throw ServiceError(.sessionUnknown) }
    let now = context.time
    guard now <= session.expiry else { throw ServiceError(.sessionExpired) }
    let idleEnd = policy.sessions.idleLimit.map { session.lastSeen + $0 }
    if let idleEnd, now > idleEnd { throw ServiceError(.sessionIdle) }
    switch account.state {
    case .active: break
    case .pending where admitsSession(account):
      guard allowance.contains(.pendingAccount) else { throw ServiceError(.sessionAccountPending) }
    case .pending, .disabled, .rejected: throw ServiceError(.sessionAccountRefused)
    }
    let needsVerification = policy.sessions.verificationLimit.map { session.lastSeen + $0 < now } ?? false
    if needsVerification {
      // The last use stays as it is, so that every request is refused until the user is verified.
      guard allowance.contains(.unverifiedUser) else { throw ServiceError(.sessionVerificationRequired) }
    } else if session.lastSeen + policy.sessions.touchInterval <= now {
      // A read-only store must not end the session; the next request tries again.
      try? await storage.touch(session.id, at: now)
    }
    return AuthenticatedSession(
      session: session, account: account, expiry: session.expiry,
      isAboutToExpire: session.expiry < now + policy.sessions.warning)
  }

  /// Renews a session with a refresh token, which can be used once.
  ///
  /// A second use means that the token has leaked, and ends the session. There is one exception: within the grace
  /// period (``ServicePolicy/Sessions/Renewal/grace``), the client that used the token can present it again and gets
  /// the same tokens. The client is identified by its address. The new tokens are derived from the presented one with a
  /// key from the server's secret, so the server does not store them.
  ///
  /// - Returns: The session with a new session token, refresh token and expiry.
  /// - Throws: `session.renewal-refused` if the token is unknown or expired, or the policy allows no renewal;
  ///   `session.refresh-token-reused`; or a storage code.
  public func renew(
    _ refreshToken: Token, in context: CallContext
  ) async throws(ServiceError) -> OpenedSession {
    guard let renewal = policy.sessions.renewal else { throw ServiceError(.sessionRenewalRefused) }
    let found = try await stored(async: await storage.refreshToken(refreshToken.digest))
    guard let found else { throw ServiceError(.sessionRenewalRefused) }
    var derivedAt = found.spentAt ?? context.time
    // A concurrent request may spend the token between look-up and renewal, but only once.
    for _ in 0..<Self.maximumAttemptCount {
      let key = decoys.derivedKey(for: "refresh tokens")
      let token = Token(of: "session", succeeding: refreshToken, at: derivedAt, key: key)
      let next = Token(of: "renewal", succeeding: refreshToken, at: derivedAt, key: key)
      var change = try self.renewal(of: found, renewal, to: token, next, in: context)
      change.derivedAt = derivedAt
      change.grace = renewal.grace
      change.client = context.sourceAddress.map { HMAC.tag(of: [UInt8]("client \($0)".utf8), key: key) }
      switch try await stored(async: await storage.renew(change)) {
      case .renewed(let session, let account):
        return OpenedSession(
          session: session, account: account, token: token, refreshToken: next,
          refreshExpiry: min(change.refresh.expiry, session.renewalEnd ?? change.refresh.expiry))
      case .repeated(let session, let account, let stored):
        return OpenedSession(
          session: session, account: account, token: token, refreshToken: next,
          refreshExpiry: min(stored.expiry, session.renewalEnd ?? stored.expiry))
      case .spent(let moment): derivedAt = moment
      case .reused: throw ServiceError(.sessionRefreshTokenReused)
      case .refused: throw ServiceError(.sessionRenewalRefused)
      }
    }
    throw ServiceError(.sessionRenewalRefused)
  }

  private func renewal(
    of found: RefreshToken, _ renewal: ServicePolicy.Sessions.Renewal, to token: Token, _ next: Token,
    in context: CallContext
  ) throws(ServiceError) -> SessionRenewal {
    let now = context.time
    var change = SessionRenewal(
      presented: found.digest, session: found.session, token: token.digest, expiry: now + policy.sessions.lifetime,
      refresh: RefreshToken(
        digest: next.digest, session: found.session, user: found.user, expiry: now + renewal.tokenLifetime),
      time: now, idleSince: policy.sessions.idleLimit.map { now - $0 },
      audit: [
        try draft(.sessionRenewed, by: found.user, of: found.user, subject: .session(found.session), in: context)
      ],
      auditOfReuse: [
        try draft(
          .refreshTokenReused, by: nil, of: found.user, subject: .session(found.session),
          outcome: ServiceError.Code.sessionRefreshTokenReused.rawValue, in: context)
      ])
    change.unverifiedSince = policy.sessions.verificationLimit.map { now - $0 }
    change.allowsPending = policy.sessions.allowsPendingAccounts
    return change
  }

  /// Lists the active sessions of the signed-in account, newest first, at most ``ServicePolicy/listedSessionCount``. The
  /// list always includes the current session.
  ///
  /// - Throws: A storage code.
  public func sessions(
    of session: AuthenticatedSession, in context: CallContext
  ) async throws(ServiceError) -> [AccountSession] {
    let bounds = sweepBounds(at: context.time)
    let limit = policy.listedSessionCount
    return try await stored(
      async: await storage.sessions(
        of: session.account.handle, but: bounds, keeping: session.session.id, limit: limit))
  }

  /// Ends a session of the signed-in account: the current one, to sign out, or another.
  ///
  /// - Throws: `session.unknown` if the account has no such session; or a storage code.
  public func revoke(
    _ id: AccountSessionID, by session: AuthenticatedSession, in context: CallContext
  ) async throws(ServiceError) {
    let handle = session.account.handle
    let audit = [try draft(.sessionRevoked, by: handle, of: handle, subject: .session(id), in: context)]
    let wasThere = try await stored(async: await storage.revoke(id, of: handle, audit: audit))
    guard wasThere else { throw ServiceError(.sessionUnknown) }
  }

  /// Ends the session of a refresh token, whose session token may have expired. An unknown token changes nothing.
  ///
  /// - Throws: A storage code.
  package func revoke(renewedBy refreshToken: Token, in context: CallContext) async throws(ServiceError) {
    guard let found = try await stored(async: await storage.refreshToken(refreshToken.digest)) else { return }
    let audit = [
      try draft(.sessionRevoked, by: found.user, of: found.user, subject: .session(found.session), in: context)
    ]
    _ = try await stored(async: await storage.revoke(found.session, of: found.user, audit: audit))
  }

  /// Ends all sessions of the signed-in account.
  ///
  /// - Parameters:
  ///   - session: The session of the signed-in account, from ``AuthService/authenticate(_:allowing:in:)``.
  ///   - keepingCurrent: Whether the current session stays open.
  ///   - context: The time and origin of the request.
  /// - Returns: The number of sessions that ended.
  /// - Throws: A storage code.
  @discardableResult
  public func revokeAll(
    by session: AuthenticatedSession, keepingCurrent: Bool, in context: CallContext
  ) async throws(ServiceError) -> Int {
    let handle = session.account.handle
    let kept = keepingCurrent ? session.session.id : nil
    let details = ["session": "\(session.session.id)", "kept": keepingCurrent ? "current" : "none"]
    let audit = [
      try draft(.sessionsRevoked, by: handle, of: handle, subject: .account(handle), details: details, in: context)
    ]
    return try await stored(async: await storage.revokeAll(of: handle, keeping: kept, audit: audit)) ?? 0
  }
}

extension AuthService {
  /// Returns whether the account's state admits a session. An account that awaits a verification gets none.
  func admitsSession(_ account: Account) -> Bool {
    !awaitsVerification(account)
      && (account.state == .active || (account.state == .pending && policy.sessions.allowsPendingAccounts))
  }

  /// Generates a session with its tokens. The session is open once the store has committed it.
  func newSession(
    of account: Account, with credential: CredentialID, in context: CallContext
  ) throws(ServiceError) -> (opened: OpenedSession, opening: SessionOpening) {
    let now = context.time
    let token = try Token(at: now, random: random)
    let renewal = policy.sessions.renewal
    var session = AccountSession(
      id: try AccountSessionID(at: now, random: random), user: account.handle, credential: credential, created: now,
      expiry: now + policy.sessions.lifetime, lastSeen: now, renewalEnd: renewal.map { now + $0.sessionLifetime })
    session.client = context.client
    var opening = SessionOpening(session: session, token: token.digest)
    opening.maximumCount = policy.sessions.maximumCount
    opening.allowsPending = policy.sessions.allowsPendingAccounts
    opening.auditOfEnding = try draft(
      .sessionRevoked, by: nil, of: account.handle, subject: nil, details: ["by": "session-limit"], in: context)
    var refreshToken: Token?
    if let renewal {
      let next = try newRefreshToken(of: session, renewal, at: now)
      refreshToken = next.token
      opening.refresh = next.stored
    }
    let opened = OpenedSession(
      session: session, account: account, token: token, refreshToken: refreshToken,
      refreshExpiry: opening.refresh?.expiry)
    return (opened, opening)
  }

  /// Generates a refresh token. It expires no later than the session's renewal period.
  func newRefreshToken(
    of session: AccountSession, _ renewal: ServicePolicy.Sessions.Renewal, at now: UnixTime
  ) throws(ServiceError) -> (token: Token, stored: RefreshToken) {
    let token = try Token(at: now, random: random)
    let expiry = now + renewal.tokenLifetime
    return (
      token,
      RefreshToken(
        digest: token.digest, session: session.id, user: session.user,
        expiry: session.renewalEnd.map { min($0, expiry) } ?? expiry)
    )
  }
}
