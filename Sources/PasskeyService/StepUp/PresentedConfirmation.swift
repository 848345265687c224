// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// What is shown with a request for an act that needs a confirmation of its own: the act as it is about to be carried out,
/// and the token of its confirmation, where there is one.
public struct PresentedConfirmation: Sendable {
  /// The act, made from the request's own bytes.
  public var action: ProtectedAction

  /// The token; nil where the request has none.
  public var grant: Token?

  /// Takes what is shown.
  public init(of action: ProtectedAction, grant: Token?) {
    self.action = action
    self.grant = grant
  }

  /// What the store is asked to spend.
  func spending(in session: AuthenticatedSession, at context: RequestContext) throws(ServiceError) -> GrantSpending {
    guard let grant else { throw ServiceError(.stepUpRequired, "\(action)") }
    return GrantSpending(
      digest: grant.digest, user: session.account.handle, session: session.session.id, actionDigest: action.digest,
      time: context.time)
  }
}

/// A confirmation that has been granted: the token is shown with the act, once, and in time.
public struct GrantedConfirmation: Sendable {
  /// What is shown with the act.
  public let token: Token

  /// When it is too late.
  public let expiry: Timestamp

  /// SHA-256 of the act's canonical bytes.
  public let actionDigest: [UInt8]
}

/// Proof that a confirmation of an act was spent, and is recorded. Only the service makes one: a function that demands it
/// cannot be called without, and its caller answers for carrying out this act, now, once.
public struct SpentConfirmation: Hashable, Sendable {
  /// Who confirmed.
  public let account: Account

  /// In which session.
  public let session: SessionID

  /// What was confirmed.
  public let action: ProtectedAction

  /// When it was spent.
  public let time: Timestamp
}
