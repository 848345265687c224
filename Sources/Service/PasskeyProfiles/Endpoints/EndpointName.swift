// SPDX-License-Identifier: Apache-2.0

/// The endpoints of a service, independent of their paths.
@nonexhaustive
package enum EndpointName: String, Hashable, Sendable, CaseIterable {
  /// Begins a registration.
  case registerOptions = "register-options"
  /// Finishes a registration.
  case registerVerify = "register-verify"
  /// Begins to add a passkey to the signed-in account.
  case addCredentialOptions = "add-credential-options"
  /// Finishes adding a passkey to the signed-in account.
  case addCredentialVerify = "add-credential-verify"
  /// Begins a sign-in.
  case signInOptions = "sign-in-options"
  /// Finishes a sign-in.
  case signInVerify = "sign-in-verify"
  /// Begins a step-up.
  case stepUpOptions = "step-up-options"
  /// Finishes a step-up.
  case stepUpVerify = "step-up-verify"
  /// Begins to verify again the user of an existing session.
  case reverifyOptions = "reverify-options"
  /// Finishes verifying the user of an existing session.
  case reverifyVerify = "reverify-verify"
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
  /// Lists the caller's devices.
  case devices
  /// Revokes one of the caller's devices.
  case revokeDevice = "revoke-device"
  /// Returns the caller's notification preferences.
  case preferences
  /// Replaces the caller's notification preferences.
  case setPreferences = "set-preferences"
  /// Reports whether an account is approved, to a client without a session.
  case accountStatus = "account-status"
  /// Begins to verify the address of a new account.
  case beginSignUp = "begin-sign-up"
  /// Finishes the verification of an email address with the code from the mail.
  case verifyEmail = "verify-email"
  /// Sends the code of a verification again.
  case resendVerification = "resend-verification"
  /// Begins to verify the address of the signed-in account.
  case beginVerification = "begin-verification"
  /// Begins to change the address of the signed-in account.
  case changeEmail = "change-email"
  /// Sends a recovery code to the address of an account.
  case requestRecovery = "request-recovery"
  /// Cancels a recovery that waits.
  case cancelRecovery = "cancel-recovery"
  /// Exports the caller's data.
  case exportAccount = "export-account"
  /// Deletes the caller's account.
  case eraseAccount = "erase-account"
  /// Lists accounts.
  case users
  /// Returns an account with its sessions.
  case user
  /// Approves several accounts.
  case approveUsers = "approve-users"
  /// Changes the state or the roles of an account.
  case updateUser = "update-user"
  /// Approves an account.
  case approveUser = "approve-user"
  /// Rejects an account that waits for approval.
  case rejectUser = "reject-user"
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
  /// Lists recent changes to accounts, from the audit trail.
  case changes
  /// Lists the notices of the outbox.
  case outbox
  /// Delivers notices of the outbox again.
  case retryOutbox = "retry-outbox"
  /// Deletes notices of the outbox.
  case dropOutbox = "drop-outbox"
  /// Returns the newest checkpoint of the audit log.
  case auditCheckpoint = "audit-checkpoint"
  /// Returns a tile of the audit log.
  case auditTile = "audit-tile"
  /// Tells a proxy whose a request is that it forwards.
  case forwardAuth = "forward-auth"
  /// Tells a back end whose a token is.
  case introspect
  /// Signs a short-lived token for a service.
  case signedToken = "signed-token"
  /// Returns the public keys of signed tokens.
  case keySet = "jwks"
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

  /// Whether a standard or a monitoring system fixes the response, so that a profile chooses only the route.
  package var hasFixedResponse: Bool {
    switch self {
    case .health, .readiness, .metrics, .openAPI, .relatedOrigins, .appleAppSiteAssociation, .digitalAssetLinks,
      .passkeyEndpoints, .auditCheckpoint, .auditTile, .forwardAuth, .introspect, .signedToken, .keySet:
      true
    default: false
    }
  }

  /// Whether a server may serve the endpoint with GET: it only reads, or begins a ceremony, which changes nothing until it is
  /// finished. Adding a passkey is not among these: its beginning spends a confirmation. A link on another site makes a
  /// browser send a GET request with the user's cookies.
  package var allowsGET: Bool {
    switch self {
    case .me, .sessions, .credentials, .credential, .devices, .preferences, .accountStatus, .exportAccount, .users,
      .user, .userCredentials, .changes, .outbox, .registerOptions, .signInOptions, .stepUpOptions,
      .reverifyOptions:
      true
    case .introspect, .signedToken: false
    default: hasFixedResponse
    }
  }

  /// The endpoint that begins the ceremony which this one finishes; nil for all others.
  package var beginning: EndpointName? {
    switch self {
    case .registerVerify: .registerOptions
    case .addCredentialVerify: .addCredentialOptions
    case .signInVerify: .signInOptions
    case .stepUpVerify: .stepUpOptions
    case .reverifyVerify: .reverifyOptions
    default: nil
    }
  }

  /// Whether the endpoint begins a ceremony.
  package var begins: Bool {
    switch self {
    case .registerOptions, .addCredentialOptions, .signInOptions, .stepUpOptions, .reverifyOptions: true
    default: false
    }
  }

  /// Whether the endpoint makes sense only for accounts with an email address. A profile without addresses does not inherit
  /// or have it.
  package var needsAddresses: Bool {
    switch self {
    case .beginSignUp, .verifyEmail, .resendVerification, .beginVerification, .changeEmail, .requestRecovery,
      .cancelRecovery:
      true
    default: false
    }
  }

  /// The parameters that the path must have.
  package var pathParameters: Set<String> {
    switch self {
    case .revokeSession, .revokeDevice, .credential, .renameCredential, .deleteCredential, .updateUser, .approveUser,
      .rejectUser,
      .disableUser, .enableUser, .setRoles, .revokeUserSessions, .user, .userCredentials, .inviteUser, .recoverUser:
      ["id"]
    case .deleteUserCredential: ["id", "credential"]
    // The rest of the path.
    case .auditTile: ["tile"]
    default: []
    }
  }
}
