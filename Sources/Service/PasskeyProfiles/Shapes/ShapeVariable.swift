// SPDX-License-Identifier: Apache-2.0

/// The variables of shapes. A shape writes `$account.id` for ``accountID``.
@nonexhaustive
package enum ShapeVariable: String, Hashable, Sendable, CaseIterable {
  // Accounts
  /// The identifier of an account.
  case accountID = "account.id"
  /// The identifiers of several accounts.
  case accountIDs = "account.ids"
  /// The user name.
  case accountUsername = "account.username"
  /// The email address.
  case accountEmail = "account.email"
  /// The user name, or the email address of an account without one; in a request, either of the two.
  case accountName = "account.name"
  /// The display name. The service does not store display names and uses ``accountName``.
  case accountDisplayName = "account.displayName"
  /// The beginning of a user name or of an address, in any case, by which accounts are searched.
  case accountPrefix = "account.prefix"
  /// The state: `pending`, `active`, `disabled` or `rejected`.
  case accountState = "account.state"
  /// A role, by which accounts are searched.
  case accountRole = "account.role"
  /// The roles.
  case accountRoles = "account.roles"
  /// Whether the account has the administrator role.
  case accountIsAdministrator = "account.isAdministrator"
  /// The creation time.
  case accountCreated = "account.createdAt"
  /// The time when the email address was verified.
  case accountEmailVerified = "account.emailVerifiedAt"
  /// The current names, for `signalCurrentUserDetails`.
  case accountSignal = "account.signal"

  // Sessions
  /// The identifier of a session.
  case sessionID = "session.id"
  /// The access token; without a value in responses that set a cookie.
  case sessionToken = "session.token"
  /// The type of the access token, `Bearer`; without a value in responses that set a cookie.
  case sessionTokenType = "session.tokenType"
  /// The refresh token.
  case sessionRefreshToken = "session.refreshToken"
  /// The client mark.
  case sessionClientToken = "session.clientToken"
  /// The time when the session expires.
  case sessionExpiry = "session.expiresAt"
  /// The seconds until the session expires.
  case sessionLifetime = "session.expiresIn"
  /// The time until which the session can be renewed.
  case sessionRefreshExpiry = "session.refreshExpiresAt"
  /// The passkey that opened the session.
  case sessionCredentialID = "session.credentialId"
  /// The time when the session was opened.
  case sessionCreated = "session.createdAt"
  /// The time of the last use.
  case sessionLastSeen = "session.lastSeenAt"
  /// The time when the user was last verified.
  case sessionVerified = "session.verifiedAt"
  /// The time until which the session may replace the last passkey, which it has removed, without a confirmation; without a
  /// value for all other sessions.
  case sessionReplacementEnd = "session.replacementEnd"
  /// The browser with which the session was opened, such as `Firefox`; without a value if it is not known.
  case sessionBrowser = "session.browser"
  /// The system on which the session was opened, such as `Linux`; without a value if it is not known.
  case sessionSystem = "session.system"
  /// Whether the session is the caller's own.
  case sessionIsCurrent = "session.current"
  /// Whether to keep the current session when others end.
  case sessionOthers = "session.others"
  /// The offer to create a passkey without a dialog: in the answer to a sign-in, and in the request that accepts it.
  case sessionConditionalCreate = "session.conditionalCreate"
  /// The number of sessions that were ended.
  case sessionRevokedCount = "session.revoked"

  // Passkeys
  /// The response of an authenticator, as in `RegistrationResponseJSON` and `AuthenticationResponseJSON`.
  case credential
  /// The identifier of a passkey.
  case credentialID = "credential.id"
  /// The name that the user gave to a passkey.
  case credentialName = "credential.name"
  /// The model of the authenticator.
  case credentialAAGUID = "credential.aaguid"
  /// The name of the passkey's provider, or of the authenticator's model.
  case credentialProvider = "credential.provider"
  /// The result of the attestation.
  case credentialAttestation = "credential.attestation"
  /// The transports.
  case credentialTransports = "credential.transports"
  /// Whether the passkey can be synchronized between devices.
  case credentialBackupEligible = "credential.backupEligible"
  /// Whether the passkey is synchronized between devices.
  case credentialBackedUp = "credential.backedUp"
  /// Whether the passkey is disabled.
  case credentialDisabled = "credential.disabled"
  /// The creation time.
  case credentialCreated = "credential.createdAt"
  /// The time of the last use.
  case credentialLastUsed = "credential.lastUsedAt"
  /// The time when a clone of the authenticator was suspected.
  case credentialCloneSuspected = "credential.cloneSuspectedAt"
  /// The time when the backup eligibility changed.
  case credentialBackupEligibilityChanged = "credential.backupEligibilityChangedAt"
  /// Whether the last passkey of an account may be deleted.
  case credentialAllowLast = "credential.allowLast"

  // Ceremonies
  /// The options of a ceremony, as in `PublicKeyCredentialCreationOptionsJSON` and `PublicKeyCredentialRequestOptionsJSON`.
  case options
  /// The time when the ceremony of the options expires.
  case optionsExpiry = "options.expiresAt"
  /// The `uiMode` with which a page calls `navigator.credentials.get()`.
  case optionsUIMode = "options.uiMode"
  /// The `mediation` with which a page calls `navigator.credentials.get()`: `modal` or `conditional`.
  case mediation
  /// The accepted credentials, for `signalAllAcceptedCredentials`.
  case signal
  /// A one-time code: an invitation, a recovery code, or the code of a mail.
  case code
  /// The time when a one-time code expires.
  case codeExpiry = "code.expiresAt"
  /// Whether to mail an invitation to its address. The response then has no code.
  case codeByMail = "code.byMail"

  // Verification of email addresses
  /// The secret of the client that began a verification, which finishes it together with the code of the mail.
  case verificationToken = "verification.token"
  /// The time when a verification expires.
  case verificationExpiry = "verification.expiresAt"

  // Step-up
  /// The method of the action to confirm.
  case actionMethod = "action.method"
  /// The path of the action to confirm, with the query.
  case actionPath = "action.path"
  /// The SHA-256 digest of the body of the action to confirm.
  case actionBodyDigest = "action.bodySha256"
  /// The header field that presents a step-up grant.
  case grantHeader = "grant.header"
  /// The step-up grant.
  case grantToken = "grant.token"
  /// The time when the step-up grant expires.
  case grantExpiry = "grant.expiresAt"
  /// The receipt of the confirmed action, if the request names the action and the log has its record.
  case receipt

  // Devices and notifications
  /// The identifier of a device.
  case deviceID = "device.id"
  /// The token of a device at its push service.
  case deviceToken = "device.token"
  /// The push service: `apns` or `fcm`.
  case deviceService = "device.service"
  /// The platform of a device, such as `ios`.
  case devicePlatform = "device.platform"
  /// The time zone of a device, such as `Europe/Berlin`.
  case deviceTimeZone = "device.timeZone"
  /// The time when the device was registered.
  case deviceCreated = "device.createdAt"
  /// The notification preferences: `$preferences.NAME` is the one with this name.
  case preferences
  /// The language of the mails about an account, such as `de`.
  case mailLanguage = "mail.language"
  /// The time zone of the mails about an account, such as `Europe/Berlin`.
  case mailTimeZone = "mail.timeZone"

  // Lists
  /// The passkeys of an account.
  case credentials
  /// The sessions of an account.
  case sessions
  /// Accounts.
  case users
  /// The devices of an account.
  case devices
  /// Recent changes to accounts.
  case changes
  /// Notices of the outbox.
  case notices

  // Pages of lists
  /// The identifier after which a page begins.
  case pageAfter = "page.after"
  /// The maximum number of entries of a page.
  case pageLimit = "page.limit"
  /// The identifier after which the next page begins.
  case pageNext = "page.next"
  /// The order of the list.
  case pageSort = "page.sort"
  /// The number of entries of all pages.
  case pageTotal = "page.total"

  // Changes
  /// The identifier of a change, a UUID.
  case changeID = "change.id"
  /// The time of a change.
  case changeTime = "change.time"
  /// The ID of the account that made a change, or `server`.
  case changeActor = "change.actor"
  /// The ID of the account that was changed.
  case changeAccount = "change.account"
  /// The name of the account that made a change, if it exists.
  case changeActorName = "change.actorName"
  /// The name of the account that was changed, if it exists.
  case changeAccountName = "change.accountName"
  /// The event of a change, such as `account.created`.
  case changeEvent = "change.event"
  /// The time from which changes are listed.
  case changeSince = "change.since"
  /// A change in one sentence.
  case changeSummary = "change.summary"
  /// The account that was changed, and the outcome.
  case changeDetails = "change.details"
  /// The category of a change: `user`, or the area of an event of the server that embeds the service, such as `order`.
  case changeCategory = "change.category"

  // Notices of the outbox
  /// The number of a notice in the outbox, which orders the list.
  case noticeNumber = "notice.number"
  /// The identifier of a notice.
  case noticeID = "notice.id"
  /// The event of a notice, such as `account.created`.
  case noticeEvent = "notice.event"
  /// The identifier of the account that a notice concerns.
  case noticeAccount = "notice.account"
  /// The destination of a notice, such as `mail`.
  case noticeDestination = "notice.destination"
  /// The state of a notice: `waiting`, `queued`, `claimed` or `dead`.
  case noticeState = "notice.state"
  /// The number of failed attempts to deliver a notice.
  case noticeFailures = "notice.failures"
  /// The time of the event.
  case noticeTime = "notice.time"
  /// The time of the next attempt.
  case noticeDue = "notice.dueAt"
  /// The time when a notice became a dead letter.
  case noticeDied = "notice.diedAt"
  /// The reason of the latest failure.
  case noticeReason = "notice.reason"
  /// Whether a request is about dead letters only.
  case noticeDeadOnly = "notice.deadOnly"
  /// The number of notices that a request changed.
  case noticeCount = "notice.count"

  // Other responses
  /// The export of an account's data.
  case export

  // Errors
  /// The stable code of an error.
  case errorCode = "error.code"
  /// The type of an error, a URN made from its code.
  case errorType = "error.type"
  /// The error in words.
  case errorTitle = "error.title"
  /// The HTTP status.
  case errorStatus = "error.status"
  /// The path of the invalid member of the request body.
  case errorMember = "error.member"
  /// The step-up to request.
  case errorStepUp = "error.stepUp"
  /// The origin of a refused response, if it is not an origin of the relying party.
  case errorOrigin = "error.origin"
  /// The unknown credential of a refused response, for `signalUnknownCredential`.
  case errorSignal = "error.signal"
  /// The secret of the verification that a refused sign-in began.
  case errorVerificationToken = "error.verificationToken"
  /// The time when that verification expires.
  case errorVerificationExpiry = "error.verificationExpiresAt"
  /// How many more codes can be tried.
  case errorAttemptsLeft = "error.attemptsLeft"
  /// The time from which a refused code is valid.
  case errorNotBefore = "error.notBefore"
  /// The request ID in the server's log.
  case errorRequestID = "error.requestId"
}
