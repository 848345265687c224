// SPDX-License-Identifier: Apache-2.0

/// The type of a variable: how its values look in JSON.
package enum ShapeType: Hashable, Sendable {
  /// A string of at most this many bytes in requests.
  case text(atMost: Int)
  /// Bytes, as a base64url string.
  case bytes
  /// An integer.
  case integer
  /// A Boolean.
  case boolean
  /// A time, as an RFC 3339 string without fractions; a reader also takes seconds since 1970.
  case time
  /// An array of strings.
  case texts
  /// An object with a Boolean for each name.
  case flags
  /// Any JSON object.
  case object
  /// A list, for `$each`; its elements have these variables.
  case list([ShapeVariable])
}

extension ShapeVariable {
  // 1,024 bytes  [names, codes and tokens; longer texts have their own limit below]
  private static let text = ShapeType.text(atMost: 1_024)

  /// The type of the variable.
  package var type: ShapeType {
    switch self {
    case .accountID, .accountUsername, .accountEmail, .accountName, .accountDisplayName, .accountPrefix, .accountRole,
      .accountState,
      .sessionID, .sessionBrowser, .sessionSystem,
      .sessionTokenType, .sessionConditionalCreate, .credentialName, .credentialAAGUID, .credentialProvider,
      .credentialAttestation, .optionsUIMode, .mediation, .code, .grantHeader, .grantToken, .deviceID, .devicePlatform,
      .deviceTimeZone, .mailLanguage, .mailTimeZone, .noticeID, .noticeEvent, .noticeAccount, .noticeDestination,
      .noticeState, .noticeReason,
      .changeID, .changeActor, .changeActorName, .changeAccount, .changeAccountName,
      .changeEvent, .changeSummary, .changeDetails, .changeCategory,
      .errorCode, .errorType,
      .errorTitle, .errorMember,
      .verificationToken, .errorVerificationToken, .errorOrigin, .errorRequestID, .pageAfter, .pageNext,
      .pageSort:
      Self.text
    // 8,192 bytes  [other servers use JSON Web Tokens]
    case .sessionToken, .sessionRefreshToken, .sessionClientToken: .text(atMost: 8_192)
    case .actionMethod: .text(atMost: 32)
    case .actionPath: .text(atMost: 4_096)
    case .deviceToken: .text(atMost: 8_192)
    case .deviceService: .text(atMost: 64)
    case .sessionCredentialID, .credentialID, .actionBodyDigest: .bytes
    case .sessionLifetime, .sessionRevokedCount, .pageLimit, .pageTotal, .noticeNumber, .noticeFailures, .noticeCount,
      .errorStatus,
      .errorAttemptsLeft:
      .integer
    case .accountIsAdministrator, .codeByMail, .sessionIsCurrent, .sessionOthers, .credentialBackupEligible,
      .credentialBackedUp, .credentialDisabled, .credentialAllowLast, .noticeDeadOnly:
      .boolean
    case .accountCreated, .accountEmailVerified, .verificationExpiry, .errorVerificationExpiry, .errorNotBefore,
      .sessionExpiry, .sessionRefreshExpiry, .sessionCreated, .sessionLastSeen, .sessionVerified,
      .sessionReplacementEnd,
      .credentialCreated, .credentialLastUsed, .credentialCloneSuspected, .credentialBackupEligibilityChanged,
      .optionsExpiry, .codeExpiry, .grantExpiry, .deviceCreated, .changeTime, .changeSince,
      .noticeTime, .noticeDue, .noticeDied:
      .time
    case .accountIDs, .accountRoles, .credentialTransports: .texts
    case .preferences: .flags
    case .credential, .options, .signal, .accountSignal, .export, .receipt, .errorStepUp, .errorSignal: .object
    case .credentials: .list(Self.passkey)
    case .sessions: .list(Self.listedSession)
    case .users: .list(Self.account)
    case .devices: .list(Self.device)
    case .changes: .list(Self.change)
    case .notices: .list(Self.notice)
    }
  }

  /// The variables of an account.
  static let account: [ShapeVariable] = [
    .accountID, .accountUsername, .accountEmail, .accountName, .accountDisplayName, .accountState, .accountRoles,
    .accountIsAdministrator, .accountCreated, .accountEmailVerified,
  ]

  /// The variables of a verification that has begun.
  static let verification: [ShapeVariable] = [.verificationToken, .verificationExpiry]

  /// The variables of a stored passkey.
  static let passkey: [ShapeVariable] = [
    .credentialID, .credentialName, .credentialAAGUID, .credentialProvider, .credentialAttestation,
    .credentialTransports,
    .credentialBackupEligible, .credentialBackedUp, .credentialDisabled, .credentialCreated, .credentialLastUsed,
    .credentialCloneSuspected, .credentialBackupEligibilityChanged,
  ]

  /// The variables of a session in a list.
  static let listedSession: [ShapeVariable] = [
    .sessionID, .sessionCredentialID, .sessionCreated, .sessionLastSeen, .sessionVerified, .sessionExpiry,
    .sessionBrowser, .sessionSystem, .sessionIsCurrent,
  ]

  /// The variables of a new session.
  static let openedSession: [ShapeVariable] = [
    .sessionToken, .sessionTokenType, .sessionRefreshToken, .sessionClientToken, .sessionExpiry, .sessionLifetime,
    .sessionRefreshExpiry, .sessionConditionalCreate,
  ]

  static let change: [ShapeVariable] = [
    .changeID, .changeTime, .changeActor, .changeActorName, .changeAccount, .changeAccountName,
    .changeEvent, .changeSummary, .changeDetails, .changeCategory,
  ]

  /// The variables of a notice in the outbox.
  static let notice: [ShapeVariable] = [
    .noticeNumber, .noticeID, .noticeEvent, .noticeAccount, .noticeDestination, .noticeState, .noticeFailures,
    .noticeTime, .noticeDue, .noticeDied, .noticeReason,
  ]

  /// The variables that choose notices of the outbox.
  static let noticeSelection: [ShapeVariable] = [.noticeID, .noticeDestination, .noticeDeadOnly]

  static let device: [ShapeVariable] = [
    .deviceID, .deviceService, .devicePlatform, .deviceTimeZone, .deviceCreated,
  ]

  /// The choices of an owner about the notices of the account.
  static let preferenceChoices: [ShapeVariable] = [.preferences, .mailLanguage, .mailTimeZone]

  /// The variables of an error.
  static let error: [ShapeVariable] = [
    .errorCode, .errorType, .errorTitle, .errorStatus, .errorMember, .errorStepUp, .errorOrigin, .errorSignal,
    .errorVerificationToken, .errorVerificationExpiry, .errorAttemptsLeft, .errorNotBefore, .errorRequestID,
  ]
}
