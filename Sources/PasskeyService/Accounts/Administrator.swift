// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes

/// Proof of the right to administer accounts. For a session, only ``AuthService/administrator(_:in:)`` creates one,
/// which records refused attempts.
///
/// Each change also requires a confirmation, with two exceptions: the server's console needs none, and ending sessions
/// needs none because it can be urgent and only costs the owner a sign-in.
public struct Administrator: Sendable {
  let session: AuthenticatedSession?

  /// The operator at the server's own console, who has direct access to the store.
  public static let console = Self(session: nil)

  /// The actor in audit records; nil for the console.
  var handle: UserHandle? { session?.account.handle }

  private init(session: AuthenticatedSession?) {
    self.session = session
  }

  /// Creates the proof for a signed-in administrator. Throws ``ServiceError/Code/notPermitted`` if the account is not
  /// an acting administrator.
  init(_ session: AuthenticatedSession) throws(ServiceError) {
    guard session.account.isActingAdministrator else { throw ServiceError(.notPermitted) }
    self.init(session: session)
  }
}
