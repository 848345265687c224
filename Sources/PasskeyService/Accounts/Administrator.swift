// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes

/// Proof that somebody may look after accounts. Only ``AuthService/administrator(_:in:)`` makes one of a session, so that
/// who is refused is recorded.
///
/// Each change takes a confirmation besides. The server's own console needs none, and neither does ending sessions, which
/// may be urgent and costs their owner a sign-in.
public struct Administrator: Sendable {
  let session: AuthenticatedSession?

  /// Whoever has the server's own console, and with it the store.
  public static let console = Self(session: nil)

  /// Who it is in the audit trail; nil for the console.
  var handle: UserHandle? { session?.account.handle }

  private init(session: AuthenticatedSession?) {
    self.session = session
  }

  /// Whoever is signed in with the role.
  init(_ session: AuthenticatedSession) throws(ServiceError) {
    guard session.account.isActingAdministrator else { throw ServiceError(.notPermitted) }
    self.init(session: session)
  }
}
