// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import WebAuthnTypes

/// Storage of sessions.
package protocol SessionStorage: Sendable {
  /// Updates the credential by compare-and-set, opens a session, and records it (``SignInCommit``).
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func signIn(_ commit: SignInCommit) async throws(StorageError) -> SignInOutcome

  /// Returns the clients from which an account was used, also those that have expired.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func knownClients(of user: UserHandle) async throws(StorageError) -> [KnownClient]

  /// Returns the session with this token, and its account.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func session(token: TokenDigest) async throws(StorageError) -> (session: AccountSession, account: Account)?

  /// Updates a session's last use, unless the stored time is later.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func touch(_ session: AccountSessionID, at time: UnixTime) async throws(StorageError)

  /// Returns at most `limit` sessions of an account, newest first, without those that `ended` covers. Always includes
  /// `session`, if it is named: even if it is covered, and in place of the oldest if newer ones fill the limit.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func sessions(
    of user: UserHandle, but ended: SweepBounds?, keeping session: AccountSessionID?, limit: Int
  ) async throws(StorageError) -> [AccountSession]

  /// Returns the number of sessions, of all accounts, that can be used or renewed at a given time.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func sessionCount(at time: UnixTime) async throws(StorageError) -> Int

  /// Ends a session of an account, with its refresh tokens and grants. Returns whether it existed.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func revoke(
    _ session: AccountSessionID, of user: UserHandle, audit: [AuditDraft]
  ) async throws(StorageError) -> Bool

  /// Ends all sessions of an account, except `session` if it is named. Returns their number; if it is zero, records
  /// nothing. If `administrator` is named and is not an acting administrator inside the transaction, changes nothing
  /// and returns nil.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func revokeAll(
    of user: UserHandle, keeping session: AccountSessionID?, by administrator: UserHandle?, audit: [AuditDraft]
  ) async throws(StorageError) -> Int?

  /// Returns the refresh token with this hash, spent or not.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func refreshToken(_ digest: TokenDigest) async throws(StorageError) -> RefreshToken?

  /// Updates the credential by compare-and-set, and the last verification and use of the session, and records it.
  func reverify(_ commit: ReverificationCommit) async throws(StorageError) -> ReverificationOutcome

  /// Renews a session with a refresh token, which can be used once (``SessionRenewal``).
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func renew(_ renewal: SessionRenewal) async throws(StorageError) -> RenewalOutcome
}

extension SessionStorage {
  /// Ends all sessions of an account, except `session` if it is named. Returns their number.
  package func revokeAll(
    of user: UserHandle, keeping session: AccountSessionID?, audit: [AuditDraft]
  ) async throws(StorageError) -> Int {
    try await revokeAll(of: user, keeping: session, by: nil, audit: audit) ?? 0
  }
}

/// The changes of a finished sign-in, committed in one transaction.
package struct SignInCommit: Sendable {
  /// The ceremony to spend; nil for a commit that finishes none.
  package var ceremony: CeremonyID?

  /// The changes to the credential.
  package var use: CredentialUse

  /// The session to open.
  package var opening: SessionOpening

  /// The client to store, in place of the same one with another expiry; nil for none.
  package var client: KnownClient?

  /// The audit drafts.
  package var audit: [AuditDraft]

  /// Creates a commit from its fields.
  package init(use: CredentialUse, opening: SessionOpening, audit: [AuditDraft]) {
    self.use = use
    self.opening = opening
    self.audit = audit
  }
}

/// The outcome of a sign-in.
package enum SignInOutcome: Hashable, Sendable {
  /// The ceremony is spent. Comes before the others.
  case ceremonySpent
  /// The session was opened.
  case opened
  /// The credential has changed since it was read, or is deleted.
  case credentialChanged
  /// The account's state does not admit the session (``SessionOpening/isAdmitted(by:)``).
  case accountRefused
}

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
