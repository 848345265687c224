// SPDX-License-Identifier: Apache-2.0

/// The endpoints of the server, independent of their paths.
@nonexhaustive
public enum EndpointName: String, Hashable, Sendable, CaseIterable {
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
  /// Ends the current session.
  case signOut = "sign-out"
  /// Renews a session.
  case refresh
  /// Lists the caller's sessions.
  case sessions
  /// Ends all sessions of the caller.
  case revokeSessions = "revoke-sessions"
  /// Ends one session of the caller.
  case revokeSession = "revoke-session"
  /// Lists the caller's passkeys.
  case credentials
  /// Returns one of the caller's passkeys.
  case credential
  /// Renames one of the caller's passkeys.
  case renameCredential = "rename-credential"
  /// Deletes one of the caller's passkeys.
  case deleteCredential = "delete-credential"
  /// Registers a device for push notifications.
  case registerDevice = "register-device"
  /// Deletes a device.
  case eraseDevice = "erase-device"
  /// Exports the caller's data.
  case exportAccount = "export-account"
  /// Deletes the caller's account.
  case eraseAccount = "erase-account"
  /// Lists accounts.
  case users
  /// Approves an account.
  case approveUser = "approve-user"
  /// Disables an account.
  case disableUser = "disable-user"
  /// Enables an account.
  case enableUser = "enable-user"
  /// Sets the roles of an account.
  case setRoles = "set-roles"
  /// Ends all sessions of an account.
  case revokeUserSessions = "revoke-user-sessions"
  /// Lists the passkeys of an account.
  case userCredentials = "user-credentials"
  /// Deletes a passkey of an account.
  case deleteUserCredential = "delete-user-credential"
  /// Creates an invitation code.
  case inviteUser = "invite-user"
  /// Creates a recovery code.
  case recoverUser = "recover-user"
  /// Reports that the server is running.
  case health
  /// Reports whether the store accepts writes.
  case readiness
  /// Exports the metrics.
  case metrics
  /// Returns the OpenAPI document.
  case openAPI = "openapi"
  /// Lists the related origins.
  case relatedOrigins = "related-origins"
  /// Lists the associated apps on Apple platforms.
  case appleAppSiteAssociation = "apple-app-site-association"
  /// Lists the associated apps on Android.
  case digitalAssetLinks = "asset-links"
  /// Lists the pages for managing passkeys.
  case passkeyEndpoints = "passkey-endpoints"
}
