// SPDX-License-Identifier: Apache-2.0

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
  func spending(in session: AuthenticatedSession, at context: RequestContext) throws(ServiceError) -> GrantSpending {
    guard let grant else { throw ServiceError(.stepUpRequired, "\(action)") }
    return GrantSpending(
      digest: grant.digest, user: session.account.handle, session: session.session.id, actionDigest: action.digest,
      time: context.time)
  }
}
