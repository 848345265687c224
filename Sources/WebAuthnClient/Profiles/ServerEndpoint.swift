// SPDX-License-Identifier: Apache-2.0

/// An endpoint of a server, independent of its path.
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
  /// Begins a step-up.
  case stepUpOptions = "step-up-options"
  /// Finishes a step-up.
  case stepUpVerify = "step-up-verify"
  /// Returns the signed-in account.
  case me
  /// Ends the session of the request.
  case signOut = "sign-out"
  /// Renews a session.
  case refresh
  /// Lists the account's sessions.
  case sessions
  /// Revokes the account's sessions, or all except the current one.
  case revokeSessions = "revoke-sessions"
  /// Revokes one of the account's sessions.
  case revokeSession = "revoke-session"
  /// Lists the account's passkeys.
  case credentials
  /// Renames one of the account's passkeys.
  case renameCredential = "rename-credential"
  /// Deletes one of the account's passkeys.
  case deleteCredential = "delete-credential"
  /// Exports the account's data.
  case exportAccount = "export-account"
  /// Deletes the account.
  case eraseAccount = "erase-account"
  /// Reports that the server is running.
  case health

  /// Whether the endpoint is part of a ceremony or renews a session. Servers apply rate limits to these requests.
  var isCeremony: Bool {
    switch self {
    case .registerOptions, .registerVerify, .signInOptions, .signInVerify, .stepUpOptions, .stepUpVerify, .refresh: true
    case .me, .signOut, .sessions, .revokeSessions, .revokeSession, .credentials, .renameCredential, .deleteCredential,
      .exportAccount, .eraseAccount, .health:
      false
    }
  }

  /// Whether the path contains an identifier.
  var takesIdentifier: Bool { [.revokeSession, .renameCredential, .deleteCredential].contains(self) }
}
