// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

extension ErrorResponses {
  /// Returns the status and the title for a service error code. Clients receive only
  /// ``PasskeyService/ServiceError/publicCode``: internal codes have the same status and title as their public code.
  static func entry(_ code: ServiceError.Code) -> (status: HTTPStatus, title: String) {
    switch code {
    case .storageUnavailable: (.serviceUnavailable, "The database cannot be used at present")
    case .storageFull: (.serviceUnavailable, "The store has no room left")
    case .auditLogUnavailable: (.serviceUnavailable, "The audit log cannot be written at present")
    case .storageContended: (.serviceUnavailable, "Others were changing the same")
    case .storageOutcomeUnknown: (.serviceUnavailable, "The store's answer was lost")
    case .randomnessUnavailable: (.serviceUnavailable, "There are no random bytes")
    case .configurationInvalid, .storePartyDiffers, .storeSecretDiffers, .storageFailed, .auditRecordMalformed,
      .auditSequenceBroken, .auditLinkBroken,
      .auditDetailMismatch, .auditHeadMismatch, .auditFilingMismatch, .auditBehindEnd, .auditDetailOrphaned,
      .auditDetailRepeated, .auditSealMissing, .auditSealMismatch:
      (.internalServerError, "Something went wrong")

    case .signUpRefused, .signUpCeremonyFailed, .signUpEmailTaken, .signUpAccountRefused, .signUpCredentialKnown:
      (.forbidden, "The registration was refused")
    case .signUpCeremonyUnknown: (.gone, "There is no such registration")
    case .signUpInvitationRequired: (.forbidden, "An account takes an invitation")
    case .signUpCodeRefused: (.forbidden, "The code was refused")

    case .signInRefused, .signInCeremonyFailed, .signInCredentialUnknown, .signInCredentialDisabled,
      .signInCloneSuspected, .signInBackupEligibilityChanged:
      (.unauthorized, "The sign-in was refused")
    case .signInCeremonyUnknown: (.gone, "There is no such sign-in")
    case .signInAccountPending: (.forbidden, "The account has to be approved first")
    case .signInAccountDisabled: (.forbidden, "The account was disabled")
    case .signInContended: (.serviceUnavailable, "The passkey was used elsewhere at the same time")

    case .sessionUnknown: (.unauthorized, "Nobody is signed in")
    case .sessionExpired: (.unauthorized, "The session is over")
    case .sessionIdle: (.unauthorized, "The session was not used for too long")
    case .sessionAccountRefused: (.unauthorized, "The account may not be used now")
    case .sessionRenewalRefused, .sessionRefreshTokenReused: (.unauthorized, "The session was not renewed")

    case .stepUpRequired: (.unauthorized, "The act has to be confirmed")
    case .stepUpGrantRefused: (.unauthorized, "The confirmation is not for this act")
    case .stepUpActionInvalid: (.unprocessableContent, "The act is not described as an act is")
    case .stepUpRefused, .stepUpCeremonyFailed, .stepUpCredentialRefused, .stepUpCloneSuspected,
      .stepUpBackupEligibilityChanged:
      (.forbidden, "The confirmation was refused")
    case .stepUpCeremonyUnknown: (.gone, "There is no such step-up")
    case .stepUpContended: (.serviceUnavailable, "The passkey was used elsewhere at the same time")
    case .stepUpImpossible: (.forbidden, "There is no passkey to confirm with")

    case .credentialUnknown: (.notFound, "There is no such passkey")
    case .credentialLast: (.conflict, "It is the last passkey")
    case .credentialTooMany: (.conflict, "There are as many passkeys as there may be")
    case .credentialNameInvalid: (.unprocessableContent, "The name is no name")

    case .deviceUnknown: (.notFound, "There is no such device")
    case .deviceTooMany: (.conflict, "There are as many devices as there may be")
    case .deviceInvalid: (.unprocessableContent, "The device's token is none")

    case .accountUnknown: (.notFound, "There is no such account")
    case .accountStateConflict: (.conflict, "The account is in another state")
    case .accountLastAdministrator: (.conflict, "Nobody could administer afterwards")
    case .accountEmailTaken: (.conflict, "The address has an account")
    case .emailInvalid: (.unprocessableContent, "That is no e-mail address")
    case .roleInvalid: (.unprocessableContent, "Those are no roles")
    case .notPermitted: (.forbidden, "The account has not the role")
    }
  }

  /// Returns the response to a service error. Only the log and the metrics receive the exact cause.
  static func response(to error: ServiceError, requestID: RequestID) -> HTTPResponse {
    let told = error.publicCode
    let (status, title) = entry(told)
    var response = Problem(status: status, title: title, code: told.rawValue).response(requestID: requestID)
    response.problemCode = error.innermostCode
    if status == .unauthorized { response.headers.set("www-authenticate", challenge(told)) }
    if isWorthAnotherTry(told) { response.headers.set("retry-after", "1") }
    return response
  }

  /// Returns the response to a request that requires a step-up.
  static func response(to demand: StepUpDemand, requestID: RequestID) -> HTTPResponse {
    let (status, title) = entry(demand.code)
    var problem = Problem(status: status, title: title, code: demand.code.rawValue)
    problem.stepUp = demand
    var response = problem.response(requestID: requestID)
    response.headers.set("www-authenticate", StepUpDemand.challenge)
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
  private static func isWorthAnotherTry(_ code: ServiceError.Code) -> Bool {
    switch code {
    case .storageUnavailable, .storageContended, .signInContended, .stepUpContended: true
    default: false
    }
  }
}
