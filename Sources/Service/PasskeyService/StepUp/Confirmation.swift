// SPDX-License-Identifier: Apache-2.0

public import PasskeyFormats

/// A granted confirmation. The client presents its token with the action, once, before it expires.
public struct GrantedConfirmation: Sendable {
  /// The token to present with the action.
  public let token: Token

  /// The expiry time.
  public let expiry: UnixTime

  /// The SHA-256 of the action's canonical bytes.
  public let actionDigest: [UInt8]

  /// The assertion, for a receipt; nil for a confirmation without one.
  package var evidence: ConfirmationEvidence?
}

/// The confirmation in a request for a protected action: the action about to be performed, and the token that confirms
/// it, if the request has one.
public struct PresentedConfirmation: Sendable {
  /// The action, built from the request's own bytes.
  public var action: ProtectedAction

  /// The token; nil if the request has none.
  public var grant: Token?

  /// Creates a confirmation from a request's parts.
  public init(of action: ProtectedAction, grant: Token?) {
    self.action = action
    self.grant = grant
  }

  /// Returns the spending to pass to the store. Throws ``ServiceError/Code/stepUpRequired`` if there is no token.
  func spending(in session: AuthenticatedSession, at context: CallContext) throws(ServiceError) -> GrantSpending {
    guard let grant else { throw ServiceError(.stepUpRequired, "\(action)") }
    return GrantSpending(
      digest: grant.digest, user: session.account.handle, session: session.session.id, actionDigest: action.digest,
      time: context.time)
  }
}

/// Proof that a confirmation of an action was spent and recorded. Only the service creates one, so a function with this
/// parameter cannot be called without a confirmation. The caller must perform exactly this action, now, and once.
public struct SpentConfirmation: Hashable, Sendable {
  /// The account that confirmed the action.
  public let account: Account

  /// The session in which it was confirmed.
  public let session: AccountSessionID

  /// The confirmed action.
  public let action: ProtectedAction

  /// The time when the confirmation was spent.
  public let time: UnixTime
}
