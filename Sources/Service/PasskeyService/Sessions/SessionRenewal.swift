// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// A presented refresh token and its successors.
package struct SessionRenewal: Sendable {
  /// The hash of the presented token.
  package var presented: TokenDigest

  /// The session that the token belonged to at look-up.
  package var session: AccountSessionID

  /// The hash of the new session token.
  package var token: TokenDigest

  /// The expiry time of the new session token.
  package var expiry: UnixTime

  /// The new refresh token.
  package var refresh: RefreshToken

  /// The time of the renewal.
  package var time: UnixTime

  /// The time from which the new tokens are derived. If the presented token is already spent, this is the time when it
  /// was spent.
  package var derivedAt: UnixTime

  /// A keyed hash that identifies the client; nil if it is unknown, in which case no repetition is allowed.
  package var client: [UInt8]?

  /// How long after its use the same client may present the token again.
  package var grace = Duration.zero

  /// The idle time-out: sessions last used before this time are not renewed; nil if sessions have no idle time-out.
  package var idleSince: UnixTime?

  /// The limit after which a session must be verified: the last use of a session last used before this time does not
  /// change; nil if there is no such limit.
  package var unverifiedSince: UnixTime?

  /// Whether the session of a pending account is renewed.
  package var allowsPending = false

  /// The audit drafts of a renewal.
  package var audit: [AuditDraft]

  /// The audit drafts to store if the token was already used.
  package var auditOfReuse: [AuditDraft]

  /// Creates a renewal from its fields.
  package init(
    presented: TokenDigest, session: AccountSessionID, token: TokenDigest, expiry: UnixTime, refresh: RefreshToken,
    time: UnixTime, idleSince: UnixTime? = nil, audit: [AuditDraft], auditOfReuse: [AuditDraft]
  ) {
    self.presented = presented
    self.session = session
    self.token = token
    self.expiry = expiry
    self.refresh = refresh
    self.time = time
    derivedAt = time
    self.idleSince = idleSince
    self.audit = audit
    self.auditOfReuse = auditOfReuse
  }

  /// Returns whether the state of the session's account allows a renewal.
  package func admits(_ account: Account) -> Bool {
    account.state == .active || (allowsPending && account.state == .pending)
  }

  /// Returns the last use of a session after the renewal.
  package func lastUse(of session: AccountSession) -> UnixTime {
    if let unverifiedSince, session.lastSeen < unverifiedSince { return session.lastSeen }
    return max(session.lastSeen, time)
  }

  /// Returns whether a spent token is accepted again: from the same client, within the grace period.
  package func repeats(_ token: RefreshToken) -> Bool {
    guard token.isSpent, grace > .zero, let client, let spentAt = token.spentAt, let spentBy = token.spentBy else {
      return false
    }
    return client == spentBy && time <= spentAt + grace
  }
}

/// The outcome of a renewal.
package enum RenewalOutcome: Hashable, Sendable {
  /// The session was renewed and now has this value, with the new token, expiry and last use. The presented token is
  /// spent.
  case renewed(AccountSession, Account)
  /// The same client used the token within the grace period, and the session still has the tokens issued then. Nothing
  /// was changed. The refresh token is the stored successor.
  case repeated(AccountSession, Account, RefreshToken)
  /// The same client used the token at this time, within the grace period. Nothing was changed: retry with tokens
  /// derived from this time.
  case spent(at: UnixTime)
  /// The token was already used. The session was ended with its tokens and grants, and the reuse was recorded.
  case reused
  /// The token or session is unknown, expired or idle, or the account is not admitted. Nothing was changed.
  case refused
}
