// SPDX-License-Identifier: Apache-2.0

import PasskeyProfiles
import PasskeyService
import Testing

@testable import PasskeyHTTP

struct ServiceResponsesTests {
  @Test func `Every code has a status and a title`() {
    for code in ServiceError.Code.allCases {
      let (status, title) = ErrorResponses.entry(code)
      #expect(400..<600 ~= status.rawValue, "\(code)")
      #expect(!title.isEmpty, "\(code)")
    }
  }

  @Test(arguments: [
    [ServiceError.Code.signUpRefused, .signUpCeremonyFailed, .signUpEmailTaken, .signUpAccountRefused],
    [.signUpRefused, .signUpCredentialKnown], [.stepUpRefused, .stepUpCeremonyFailed],
    [
      .signInRefused, .signInCeremonyFailed, .signInCredentialUnknown, .signInCredentialDisabled, .signInCloneSuspected,
    ],
    [.signInRefused, .signInBackupEligibilityChanged], [.sessionRenewalRefused, .sessionRefreshTokenReused],
  ])
  func `errors that outsiders cannot tell apart have one row`(codes: [ServiceError.Code]) {
    let rows = codes.map { ErrorResponses.entry($0) }
    #expect(Set(rows.map(\.status)).count == 1)
    #expect(Set(rows.map(\.title)).count == 1)
  }

  @Test func `only internal errors are 500`() {
    let broken = ServiceError.Code.allCases.filter { ErrorResponses.entry($0).status == .internalServerError }
    #expect(
      Set(broken) == [
        .configurationInvalid, .storePartyDiffers, .storeSecretDiffers, .storageFailed, .auditRecordMalformed,
        .auditDetailMismatch, .auditHeadMismatch, .auditFilingMismatch, .auditDetailOrphaned, .auditDetailRepeated,
        .auditKeyMismatch, .auditLogMismatch,
        .auditRecordUnknown, .auditRecordUnplaced, .auditRecordUnproven, .auditRolledBack, .auditQuorumMissing,
        .auditCheckpointUnreadable,
      ])
  }
}
