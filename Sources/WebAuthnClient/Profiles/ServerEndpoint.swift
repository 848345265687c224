// SPDX-License-Identifier: Apache-2.0

/// What a client asks of a server, whatever the path is called.
@nonexhaustive
public enum ServerEndpoint: String, Hashable, Sendable, CaseIterable {
  /// Begins a registration.
  case registerOptions = "register-options"
  /// Finishes a registration.
  case registerVerify = "register-verify"
  /// Begins a sign-in.
  case signInOptions = "sign-in-options"
  /// Finishes a sign-in.
  case signInVerify = "sign-in-verify"
  /// Begins the confirmation of an act.
  case stepUpOptions = "step-up-options"
  /// Finishes the confirmation of an act.
  case stepUpVerify = "step-up-verify"
  /// Tells who is signed in.
  case me
  /// Ends the session that asks.
  case signOut = "sign-out"
  /// Renews a session.
  case refresh
  /// Lists one's sessions.
  case sessions
  /// Ends one's sessions.
  case revokeSessions = "revoke-sessions"
  /// Ends one of one's sessions.
  case revokeSession = "revoke-session"
  /// Lists one's passkeys.
  case credentials
  /// Renames one of one's passkeys.
  case renameCredential = "rename-credential"
  /// Deletes one of one's passkeys.
  case deleteCredential = "delete-credential"
  /// Gives one's data.
  case exportAccount = "export-account"
  /// Erases one's account.
  case eraseAccount = "erase-account"
  /// Says that the server runs.
  case health

  /// Whether it is a part of a ceremony, or renews a session: requests that servers limit.
  var isCeremony: Bool {
    switch self {
    case .registerOptions, .registerVerify, .signInOptions, .signInVerify, .stepUpOptions, .stepUpVerify, .refresh: true
    case .me, .signOut, .sessions, .revokeSessions, .revokeSession, .credentials, .renameCredential, .deleteCredential,
      .exportAccount, .eraseAccount, .health:
      false
    }
  }

  /// Whether its path names what it is about.
  var takesIdentifier: Bool { [.revokeSession, .renameCredential, .deleteCredential].contains(self) }
}
