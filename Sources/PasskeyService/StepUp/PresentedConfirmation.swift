// SPDX-License-Identifier: Apache-2.0

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
