// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
public import WireFormats

/// Where sessions are.
public protocol SessionStorage: Sendable {
  /// Replaces the credential by compare-and-set, opens a session, and records it (``SignInCommit``).
  func signIn(_ commit: SignInCommit) async throws(StorageError) -> SignInOutcome

  /// The session that has this token, and its account.
  func session(token: TokenDigest) async throws(StorageError) -> (session: Session, account: Account)?

  /// Notes that a session was used; never an earlier time than is noted already.
  func touch(_ session: SessionID, at time: Timestamp) async throws(StorageError)

  /// The sessions of an account but those that have ended, the newest first, at most `limit`. One that is named is among
  /// them, however many are newer, and in place of the oldest; it is as well where it has ended.
  func sessions(
    of user: UserHandle, but ended: SweepBounds?, keeping session: SessionID?, limit: Int
  ) async throws(StorageError) -> [Session]

  /// How many sessions of all accounts there are that can be used or renewed at a time.
  func sessionCount(at time: Timestamp) async throws(StorageError) -> Int

  /// Ends a session of an account, with its refresh tokens and grants; whether there was one.
  func revoke(
    _ session: SessionID, of user: UserHandle, audit: [AuditDraft]
  ) async throws(StorageError) -> Bool

  /// Ends all sessions of an account but one, where one is named; how many. Where there are none nothing is recorded. Where
  /// an administrator is named who is none inside the transaction, nothing happens and the answer is nil.
  func revokeAll(
    of user: UserHandle, keeping session: SessionID?, by administrator: UserHandle?, audit: [AuditDraft]
  ) async throws(StorageError) -> Int?

  /// The refresh token with this hash, spent or not.
  func refreshToken(_ digest: TokenDigest) async throws(StorageError) -> RefreshToken?

  /// Renews a session with a token that is good once (``SessionRenewal``).
  func renew(_ renewal: SessionRenewal) async throws(StorageError) -> RenewalOutcome
}

extension SessionStorage {
  /// Ends all sessions of an account but one, where one is named; how many.
  public func revokeAll(
    of user: UserHandle, keeping session: SessionID?, audit: [AuditDraft]
  ) async throws(StorageError) -> Int {
    try await revokeAll(of: user, keeping: session, by: nil, audit: audit) ?? 0
  }
}

/// What a finished sign-in changes, all at once.
public struct SignInCommit: Sendable {
  /// What becomes of the credential.
  public var use: CredentialUse

  /// The session that is opened.
  public var opening: SessionOpening

  /// What is recorded.
  public var audit: [AuditDraft]

  /// Puts together what is written.
  public init(use: CredentialUse, opening: SessionOpening, audit: [AuditDraft]) {
    self.use = use
    self.opening = opening
    self.audit = audit
  }
}

/// What became of a sign-in.
public enum SignInOutcome: Hashable, Sendable {
  /// The session is open.
  case opened
  /// The credential is another by now, or gone.
  case credentialChanged
  /// The account is not active.
  case accountRefused
}

/// A refresh token that is shown, and what takes its place.
public struct SessionRenewal: Sendable {
  /// The hash of the token that is shown.
  public var presented: TokenDigest

  /// The session that it belongs to, as it was looked up.
  public var session: SessionID

  /// The hash of the session's new token.
  public var token: TokenDigest

  /// Until when that is good.
  public var expiry: Timestamp

  /// What the next renewal is made with.
  public var refresh: RefreshToken

  /// When.
  public var time: Timestamp

  /// The moment that the new tokens are derived from. Where the shown token was used before, it is the moment of that use.
  public var derivedAt: Timestamp

  /// What tells the client from others: a keyed hash. Nil where that is not known, and then no repetition is allowed.
  public var client: [UInt8]?

  /// For how long after its use the same client may show the token again.
  public var grace = Duration.zero

  /// A session that was last seen before this moment has fallen idle, and is not renewed; nil where sessions do not.
  public var idleSince: Timestamp?

  /// What is recorded of a renewal.
  public var audit: [AuditDraft]

  /// What is recorded where the token has been used before.
  public var auditOfReuse: [AuditDraft]

  /// Puts together what is written.
  public init(
    presented: TokenDigest, session: SessionID, token: TokenDigest, expiry: Timestamp, refresh: RefreshToken,
    time: Timestamp, idleSince: Timestamp? = nil, audit: [AuditDraft], auditOfReuse: [AuditDraft]
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

  /// Whether a token that was used may be shown again now: by the same client, within the grace period.
  public func repeats(_ token: RefreshToken) -> Bool {
    guard token.isSpent, grace > .zero, let client, let spentAt = token.spentAt, let spentBy = token.spentBy else {
      return false
    }
    return client == spentBy && time <= spentAt + grace
  }
}

/// What became of a renewal.
public enum RenewalOutcome: Hashable, Sendable {
  /// The session is so now: with the new token, the new expiry, and seen at that time. The presented token is spent.
  case renewed(Session, Account)
  /// The token was used within the grace period by the same client, whose new tokens are still the session's: nothing has
  /// changed. With the refresh token as it was stored then.
  case repeated(Session, Account, RefreshToken)
  /// The token was used at this moment within the grace period by the same client: ask again with tokens derived from that
  /// moment. Nothing has changed.
  case spent(at: Timestamp)
  /// The token had been used before: the session has ended, with everything of it, and that is recorded.
  case reused
  /// There is no such token or session, it is too late for either, the session has fallen idle, or the account is not
  /// active. Nothing has changed.
  case refused
}
