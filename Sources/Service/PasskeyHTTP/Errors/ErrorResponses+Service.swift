// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

extension ErrorResponses {
  /// Returns the status and the title for a service error code. Clients receive only
  /// ``PasskeyService/ServiceError/publicCode``: internal codes have the same status and title as their public code.
  static func entry(_ code: ServiceError.Code) -> (status: EndpointStatus, title: String) {
    switch code {
    case .storageUnavailable: (.serviceUnavailable, "The database cannot be used at present")
    case .storageFull: (.serviceUnavailable, "The database has no space left")
    case .auditLogUnavailable: (.serviceUnavailable, "The audit log cannot be written at present")
    case .storageContended: (.serviceUnavailable, "Concurrent modification")
    case .storageOutcomeUnknown: (.serviceUnavailable, "The outcome of the database write is unknown")
    case .randomnessUnavailable: (.serviceUnavailable, "The system's random generator failed")
    case .configurationInvalid, .storePartyDiffers, .storeSecretDiffers, .storageFailed, .auditRecordMalformed,
      .auditDetailMismatch, .auditHeadMismatch, .auditFilingMismatch, .auditDetailOrphaned, .auditDetailRepeated,
      .auditKeyMismatch, .auditLogMismatch,
      .auditRecordUnplaced, .auditRolledBack, .auditCheckpointUnreadable, .auditRecordUnknown, .auditRecordUnproven,
      .auditQuorumMissing:
      (.internalServerError, "Internal error")

    case .originMismatch: (.forbidden, "The page's origin is not one of the relying party's")
    case .signUpRefused, .signUpCeremonyFailed, .signUpEmailTaken, .signUpAccountRefused, .signUpCredentialKnown:
      (.forbidden, "The registration was refused")
    case .signUpUsernameTaken: (.conflict, "The user name is taken")
    case .signUpCeremonyUnknown: (.gone, "Unknown registration")
    case .signUpInvitationRequired: (.forbidden, "An invitation is required")
    case .signUpCodeRefused: (.forbidden, "The code was refused")
    case .signUpCodeTooEarly: (.forbidden, "The waiting period of the recovery is not over")

    case .signInRefused, .signInCeremonyFailed, .signInCredentialUnknown, .signInCredentialDisabled,
      .signInCloneSuspected, .signInBackupEligibilityChanged, .signInAttestationRefused:
      (.unauthorized, "The sign-in was refused")
    case .signInCeremonyUnknown: (.gone, "Unknown sign-in")
    case .signInAccountPending: (.forbidden, "An administrator must approve the account first")
    case .signInAccountDisabled: (.forbidden, "The account is disabled")
    case .signInAccountRejected: (.forbidden, "The account was rejected")
    case .signInEmailUnverified: (.forbidden, "The address must be verified first")
    case .signInContended: (.serviceUnavailable, "The passkey was used concurrently")

    case .sessionUnknown: (.unauthorized, "Not signed in")
    case .sessionExpired: (.unauthorized, "The session has expired")
    case .sessionIdle: (.unauthorized, "The session was idle for too long")
    case .sessionAccountRefused: (.unauthorized, "The account cannot be used at present")
    case .sessionAccountPending: (.forbidden, "An administrator must approve the account first")
    case .sessionVerificationRequired: (.unauthorized, "The user must be verified again")
    case .sessionVerificationUnknown: (.gone, "Unknown verification")
    case .sessionVerificationRefused, .sessionVerificationFailed: (.forbidden, "The verification was refused")
    case .sessionVerificationImpossible: (.forbidden, "The account has no passkey to verify the user with")
    case .sessionRenewalRefused, .sessionRefreshTokenReused: (.unauthorized, "The session was not renewed")

    case .stepUpRequired: (.unauthorized, "The action requires confirmation")
    case .stepUpGrantRefused: (.unauthorized, "The confirmation is spent, or for another action or session")
    case .stepUpActionInvalid: (.unprocessableContent, "Malformed action")
    case .stepUpRefused, .stepUpCeremonyFailed, .stepUpCredentialRefused, .stepUpCloneSuspected,
      .stepUpBackupEligibilityChanged:
      (.forbidden, "The confirmation was refused")
    case .stepUpCeremonyUnknown: (.gone, "Unknown step-up")
    case .stepUpContended: (.serviceUnavailable, "The passkey was used concurrently")
    case .stepUpImpossible: (.forbidden, "The account has no passkey to confirm with")

    case .credentialUnknown: (.notFound, "Unknown passkey")
    case .credentialLast: (.conflict, "This is the account's last passkey")
    case .credentialTooMany: (.conflict, "Too many passkeys")
    case .creationOfferRefused: (.forbidden, "The offer to create a passkey is not valid")
    case .credentialNameInvalid: (.unprocessableContent, "Invalid passkey name")

    case .deviceUnknown: (.notFound, "Unknown device")
    case .deviceTooMany: (.conflict, "Too many devices")
    case .deviceInvalid: (.unprocessableContent, "Invalid device token, platform or time zone")

    case .accountUnknown: (.notFound, "Unknown account")
    case .accountStateConflict: (.conflict, "The account's state does not allow this change")
    case .accountLastAdministrator: (.conflict, "No administrator would be left")
    case .accountEmailTaken: (.conflict, "An account with this address exists")
    case .accountUsernameTaken: (.conflict, "An account with this user name exists")
    case .nameRefused: (.unprocessableContent, "The account needs other names")
    case .usernameInvalid: (.unprocessableContent, "Invalid user name")
    case .preferencesInvalid: (.unprocessableContent, "Invalid notification preferences")
    case .emailInvalid: (.unprocessableContent, "Invalid email address")
    case .roleInvalid: (.unprocessableContent, "Invalid roles")
    case .emailVerificationUnknown: (.gone, "Unknown verification of an address")
    case .emailCodeRefused: (.forbidden, "The code was refused")
    case .emailAlreadyVerified: (.conflict, "The address is verified already")
    case .emailUnavailable: (.notFound, "The service sends no mail")
    case .recoveryUnknown: (.notFound, "No recovery is pending")
    case .recoveryPending: (.conflict, "A recovery of the account is pending already")
    case .recoveryUnavailable: (.notFound, "Only an administrator can recover accounts")
    case .notPermitted: (.forbidden, "Missing required role")
    }
  }

  /// Returns the response to a service error. Only the log and the metrics receive the exact cause.
  func response(to error: ServiceError, requestID: EndpointRequestID) -> EndpointResponse {
    let told = error.publicCode
    let (status, title) = Self.entry(told)
    var problem = Problem(status: status, title: title, code: told.rawValue)
    problem.origin = error.foreignOrigin
    problem.signal = error.signal
    problem.verification = error.verification
    problem.attemptsLeft = error.attemptsLeft
    problem.notBefore = error.notBefore
    var response = problem.response(requestID: requestID, in: self)
    response.problemCode = error.innermostCode
    if response.status == .unauthorized { response.headers.set("www-authenticate", Self.challenge(told)) }
    if Self.isRetryable(told) { response.headers.set("retry-after", "1") }
    return response
  }

  /// Returns the response to a request that requires a step-up.
  func response(to demand: StepUpDemand, requestID: EndpointRequestID) -> EndpointResponse {
    let (status, title) = Self.entry(demand.code)
    var problem = Problem(status: status, title: title, code: demand.code.rawValue)
    problem.stepUp = demand
    var response = problem.response(requestID: requestID, in: self)
    if response.status == .unauthorized { response.headers.set("www-authenticate", StepUpDemand.challenge) }
    return response
  }

  /// Returns the challenge. A token that was valid once gets `error="invalid_token"`; a missing token does not (RFC
  /// 6750 §3.1).
  private static func challenge(_ code: ServiceError.Code) -> String {
    switch code {
    case .sessionExpired, .sessionIdle, .sessionAccountRefused, .sessionRenewalRefused:
      #"Bearer error="invalid_token""#
    default: "Bearer"
    }
  }

  /// Returns whether the error left no change and the same request may succeed a moment later.
  private static func isRetryable(_ code: ServiceError.Code) -> Bool {
    switch code {
    case .storageUnavailable, .storageContended, .signInContended, .stepUpContended: true
    default: false
    }
  }
}
