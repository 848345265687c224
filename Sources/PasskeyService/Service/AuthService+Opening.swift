// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes
internal import WireFormats

extension AuthService {
  /// Generates a session with its tokens. The session is open once the store has committed it.
  func newSession(
    of account: Account, with credential: CredentialID, in context: RequestContext
  ) throws(ServiceError) -> (opened: OpenedSession, opening: SessionOpening) {
    let now = context.time
    let token = try Token(at: now, random: random)
    let renewal = policy.sessions.renewal
    let session = Session(
      id: try SessionID(at: now, random: random), user: account.handle, credential: credential, created: now,
      expiry: now + policy.sessions.lifetime, lastSeen: now, renewalEnd: renewal.map { now + $0.sessionLifetime })
    var opening = SessionOpening(session: session, token: token.digest)
    opening.maximumCount = policy.sessions.maximumCount
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
    of session: Session, _ renewal: SessionPolicy.Renewal, at now: Timestamp
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
