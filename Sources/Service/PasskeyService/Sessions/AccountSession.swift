// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
public import PasskeyFormats
public import WebAuthnTypes

/// A signed-in session of an account.
public struct AccountSession: Hashable, Sendable {
  /// The identifier.
  public var id: AccountSessionID

  /// The account that is signed in.
  public var user: UserHandle

  /// The passkey that opened the session.
  public var credential: CredentialID

  /// The time when the session was opened.
  public var created: UnixTime

  /// The expiry time of the session token.
  public var expiry: UnixTime

  /// The software with which the session was opened; nil if it is not known.
  public var client: ClientSoftware?

  /// The time of the last use, with a precision of about a minute: not every request writes it.
  package var lastSeen: UnixTime

  /// The end of the period in which the session can be renewed; nil if it cannot be renewed.
  package var renewalEnd: UnixTime?

  /// The time of the last assertion in this session: the sign-in, or a later re-verification.
  package var verifiedAt: UnixTime

  /// The time when this session removed the last passkey of its account that could confirm an action; nil if it did not,
  /// or if the account has such a passkey again (``ServicePolicy/replacementPeriod``).
  package var lastPasskeyRemoved: UnixTime?

  /// Creates a session from its stored fields. Without `verifiedAt`, the session was not verified after the sign-in.
  public init(
    id: AccountSessionID, user: UserHandle, credential: CredentialID, created: UnixTime, expiry: UnixTime,
    lastSeen: UnixTime, renewalEnd: UnixTime? = nil, verifiedAt: UnixTime? = nil
  ) {
    self.id = id
    self.user = user
    self.credential = credential
    self.created = created
    self.expiry = expiry
    self.lastSeen = lastSeen
    self.renewalEnd = renewalEnd
    self.verifiedAt = verifiedAt ?? created
  }
}

/// The identifier of a session in lists and in the audit trail. It is not a token and grants no access. It begins with
/// the time when the session was opened, so that the store can append to its index.
public struct AccountSessionID: FixedBytes {
  /// The bytes.
  public let bytes: [UInt8]

  /// The length, the same as a UUID's.
  public static let byteCount = 16

  /// Creates an ID from bytes whose length is already checked.
  public init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }

  init(at time: UnixTime, random: RandomSource) throws(ServiceError) {
    bytes = try TimeOrderedBytes.draw(Self.byteCount, at: time, random)
  }
}

extension AccountSession {
  /// The restricted sessions that a request allows. Without any, only an unrestricted session of an active account is
  /// authenticated.
  public struct Allowance: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// The session of a pending account. Allow it only where its owner reads their own profile or signs out.
    public static let pendingAccount = Self(rawValue: 1)
    /// A session whose user must be verified again. Allow it only for that verification and to sign out.
    public static let unverifiedUser = Self(rawValue: 2)
  }
}

/// Proof that a request is authenticated. Only ``AuthService/authenticate(_:allowing:in:)`` creates one.
public struct AuthenticatedSession: Hashable, Sendable {
  /// The session.
  public let session: AccountSession

  /// The session's account, as read with this request.
  public let account: Account

  /// The time when the session token expires. The session can end earlier.
  public let expiry: UnixTime

  /// Whether the session expires soon, so that the user should be warned.
  public let isAboutToExpire: Bool
}

/// An opened or renewed session with its tokens. The server does not keep the tokens, so this is the only chance to
/// send them.
public struct OpenedSession: Sendable {
  /// The session.
  public let session: AccountSession

  /// The session's account.
  public let account: Account

  /// The session token, which the client sends with each request.
  public let token: Token

  /// The refresh token; nil if the policy does not allow renewal.
  public let refreshToken: Token?

  /// The expiry time of the refresh token.
  public let refreshExpiry: UnixTime?

  /// The offer to create a passkey without a dialog, if the policy makes one after this sign-in.
  package internal(set) var creationOffer: CreationOffer?
}
