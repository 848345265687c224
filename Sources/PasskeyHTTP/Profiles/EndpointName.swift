// SPDX-License-Identifier: Apache-2.0

/// What can be asked of the server, whatever the path is called.
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
  /// Ends all of one's sessions.
  case revokeSessions = "revoke-sessions"
  /// Ends one of one's sessions.
  case revokeSession = "revoke-session"
  /// Lists one's passkeys.
  case credentials
  /// Shows one of one's passkeys.
  case credential
  /// Renames one of one's passkeys.
  case renameCredential = "rename-credential"
  /// Deletes one of one's passkeys.
  case deleteCredential = "delete-credential"
  /// Registers a device for messages.
  case registerDevice = "register-device"
  /// Erases a device.
  case eraseDevice = "erase-device"
  /// Gives one's data.
  case exportAccount = "export-account"
  /// Erases one's account.
  case eraseAccount = "erase-account"
  /// Lists accounts.
  case users
  /// Approves an account.
  case approveUser = "approve-user"
  /// Disables an account.
  case disableUser = "disable-user"
  /// Enables an account.
  case enableUser = "enable-user"
  /// Gives an account roles.
  case setRoles = "set-roles"
  /// Ends all sessions of an account.
  case revokeUserSessions = "revoke-user-sessions"
  /// Lists the passkeys of an account.
  case userCredentials = "user-credentials"
  /// Deletes a passkey of an account.
  case deleteUserCredential = "delete-user-credential"
  /// Makes an invitation.
  case inviteUser = "invite-user"
  /// Makes a recovery code.
  case recoverUser = "recover-user"
  /// Says that the server runs.
  case health
  /// Says whether the store can be written to.
  case readiness
  /// Gives the numbers.
  case metrics
  /// Describes the endpoints.
  case openAPI = "openapi"
  /// Names the related origins.
  case relatedOrigins = "related-origins"
  /// Names the applications on Apple platforms.
  case appleAppSiteAssociation = "apple-app-site-association"
  /// Names the applications on Android.
  case digitalAssetLinks = "asset-links"
  /// Names the pages for passkeys.
  case passkeyEndpoints = "passkey-endpoints"
}
