// SPDX-License-Identifier: Apache-2.0

/// The variables that the shapes of an endpoint may use.
package struct EndpointVariables: Sendable {
  /// The variables of the request body.
  package private(set) var request: [ShapeVariable] = []

  /// The variables of the request body that the endpoint cannot work without.
  package private(set) var required: [ShapeVariable] = []

  /// The variables of the query.
  package private(set) var query: [ShapeVariable] = []

  /// The variables of the response.
  package private(set) var response: [ShapeVariable] = []

  /// The variables of the response that a client cannot work without.
  package private(set) var requiredResponse: [ShapeVariable] = []

  private static let names: [ShapeVariable] = [.accountUsername, .accountEmail, .accountName]

  /// Returns the variables of an endpoint.
  package init(_ endpoint: EndpointName) {
    switch endpoint {
    case .registerOptions:
      request = Self.names + [.accountDisplayName, .code, .sessionConditionalCreate]
      response = [.options, .optionsExpiry]
      // A server that begins a ceremony by `GET` reads the query.
      (query, requiredResponse) = (request, [.options])
    case .addCredentialOptions:
      (response, requiredResponse) = ([.options, .optionsExpiry], [.options])
    case .signInOptions:
      (request, response) = (Self.names + [.mediation], [.options, .optionsExpiry, .optionsUIMode])
      (query, requiredResponse) = (request, [.options])
    case .registerVerify, .addCredentialVerify:
      // A body may repeat the names; the ceremony holds the ones that count.
      (request, required) = (Self.names + [.credential, .credentialName], [.credential])
      response = ShapeVariable.openedSession + ShapeVariable.account + ShapeVariable.passkey
      if endpoint == .registerVerify { response += ShapeVariable.verification }
    case .signInVerify:
      (request, required) = (Self.names + [.credential], [.credential])
      response = ShapeVariable.openedSession + ShapeVariable.account
    case .stepUpOptions:
      (request, required) = ([.actionMethod, .actionPath, .actionBodyDigest], [.actionMethod, .actionPath])
      (response, requiredResponse) = ([.options, .optionsExpiry], [.options])
    case .stepUpVerify:
      // A request that names the action again asks for a receipt.
      (request, required) = ([.credential, .actionMethod, .actionPath, .actionBodyDigest], [.credential])
      (response, requiredResponse) = ([.grantHeader, .grantToken, .grantExpiry, .receipt], [.grantToken])
    case .reverifyOptions: (response, requiredResponse) = ([.options, .optionsExpiry], [.options])
    case .reverifyVerify:
      (request, required) = ([.credential], [.credential])
      response = ShapeVariable.account + ShapeVariable.listedSession
    case .me:
      response = ShapeVariable.account + ShapeVariable.listedSession + [.accountSignal, .sessionReplacementEnd]
    case .signOut: break
    case .refresh:
      request = [.sessionRefreshToken]
      response = ShapeVariable.openedSession + ShapeVariable.account
    case .sessions: response = [.sessions]
    case .revokeSessions: (query, response) = ([.sessionOthers], [.sessionRevokedCount])
    case .revokeSession: break
    case .credentials: response = [.credentials, .signal]
    case .credential: response = ShapeVariable.passkey
    case .renameCredential:
      (request, required, response) = ([.credentialName], [.credentialName], ShapeVariable.passkey)
    case .deleteCredential: query = [.credentialAllowLast]
    case .registerDevice:
      (request, required) = ([.deviceToken, .deviceService, .devicePlatform, .deviceTimeZone], [.deviceToken])
      response = ShapeVariable.device
    case .eraseDevice: (request, required) = ([.deviceToken, .deviceService, .devicePlatform], [.deviceToken])
    case .devices: response = [.devices]
    case .revokeDevice: break
    case .preferences: response = ShapeVariable.preferenceChoices
    case .setPreferences: (request, response) = (ShapeVariable.preferenceChoices, ShapeVariable.preferenceChoices)
    case .accountStatus:
      (query, required) = (Self.names, [.accountUsername, .accountEmail])
      response = [.accountState]
    case .beginSignUp:
      (request, required) = ([.accountEmail], [.accountEmail])
      (response, requiredResponse) = (ShapeVariable.verification, [.verificationToken])
    case .verifyEmail:
      (request, required) = ([.verificationToken, .code], [.verificationToken, .code])
      response =
        ShapeVariable.openedSession + ShapeVariable.account + ShapeVariable.passkey
        + [.accountSignal, .code, .codeExpiry]
    case .resendVerification:
      (request, required) = ([.verificationToken], [.verificationToken])
      (response, requiredResponse) = (ShapeVariable.verification, [.verificationToken])
    case .beginVerification: (response, requiredResponse) = (ShapeVariable.verification, [.verificationToken])
    case .changeEmail:
      (request, required) = ([.accountEmail], [.accountEmail])
      (response, requiredResponse) = (ShapeVariable.verification, [.verificationToken])
    case .requestRecovery: (request, required) = ([.accountEmail], [.accountEmail])
    case .cancelRecovery: request = [.code]
    case .exportAccount: (response, requiredResponse) = ([.export], [.export])
    case .eraseAccount: break
    case .users:
      query = [.pageAfter, .pageLimit, .pageSort, .accountState, .accountRole, .accountPrefix]
      response = [.users, .pageNext, .pageTotal]
    case .user: response = ShapeVariable.account + [.sessions]
    case .approveUsers: (request, required, response) = ([.accountIDs], [.accountIDs], [.users])
    case .updateUser:
      request = [.accountState, .accountRoles, .accountIsAdministrator]
      response = ShapeVariable.account
    case .approveUser, .rejectUser, .disableUser, .enableUser: response = ShapeVariable.account
    case .setRoles: (request, required, response) = ([.accountRoles], [.accountRoles], ShapeVariable.account)
    case .revokeUserSessions: response = [.sessionRevokedCount]
    case .userCredentials: response = [.credentials]
    case .deleteUserCredential: query = [.credentialAllowLast]
    case .inviteUser: (request, response) = (Self.names + [.accountRoles, .codeByMail], [.code, .codeExpiry])
    case .recoverUser: response = [.code, .codeExpiry]
    case .changes:
      query = [.pageAfter, .pageLimit, .changeAccount, .changeActor, .changeEvent, .changeSince]
      response = [.changes, .pageNext]
    case .outbox:
      query = [.pageAfter, .pageLimit] + ShapeVariable.noticeSelection
      response = [.notices, .pageNext, .pageTotal]
    case .retryOutbox, .dropOutbox: (request, response) = (ShapeVariable.noticeSelection, [.noticeCount])
    case .health, .readiness, .metrics, .openAPI, .relatedOrigins, .appleAppSiteAssociation, .digitalAssetLinks,
      .passkeyEndpoints, .auditCheckpoint, .auditTile, .forwardAuth, .introspect, .signedToken, .keySet:
      break
    }
  }
}
