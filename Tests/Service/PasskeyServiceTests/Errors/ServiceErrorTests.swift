// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyServiceTestSupport
import PasskeySQLite
import PasskeyStorage
import Testing
import WebAuthnRelyingParty

@testable import PasskeyService

struct ServiceErrorTests {
  @Test(arguments: [
    (StorageError.Code.unavailable, ServiceError.Code.storageUnavailable), (.timedOut, .storageUnavailable),
    (.readOnly, .storageUnavailable), (.full, .storageFull), (.contended, .storageContended),
    (.conflict, .storageContended), (.outcomeUnknown, .storageOutcomeUnknown), (.corrupt, .storageFailed),
    (.failed, .storageFailed),
  ])
  func `a store failure has its own code`(
    code: StorageError.Code, expected: ServiceError.Code
  ) async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    let made = try await world.signUp("ada@raxx.app", ada)
    let session = try await world.session(made.opened)
    let response = try await ada.get(world.service.beginSignIn(nil, in: world.at()))
    world.faults.fail(with: StorageError(code, "what the database said"))
    let email = try EmailAddress("ada@raxx.app")
    let token = try #require(made.opened).token
    let confirmation = PresentedConfirmation(of: ServiceWorld.action, grant: token)
    await expect(expected) { _ = try await world.service.beginSignIn(email, in: world.at()) }
    await expect(expected) { _ = try await world.service.finishSignIn(response, in: world.at()) }
    await expect(expected) { _ = try await world.service.beginRegistration(email, in: world.at()) }
    await expect(expected) { _ = try await world.service.authenticate(token, in: world.at()) }
    await expect(expected) { _ = try await world.service.spend(confirmation, by: session, in: world.at()) }
    await expect(expected) { _ = try await world.service.sweep(at: ServiceWorld.start) }
    await expect(expected) { try await world.service.verifyAuditTrail() }
    // A ceremony that was not consumed is still stored.
    world.faults.fail(with: nil)
    _ = try await world.service.finishSignIn(response, in: world.at())
  }

  @Test func `an error has its cause in the log, and none for outsiders`() async throws {
    let error = ServiceError(StorageError(.full, "no space left"))
    #expect(error.innermostCode == "storage.full")
    #expect("\(error)" == "service.storage-full: storage.full: no space left")
    #expect(error.publicCode == .storageFull)
    let quiet = ServiceError(.signInCredentialUnknown)
    #expect(quiet.innermostCode == "sign-in.credential-unknown")
    #expect(quiet.publicCode == .signInRefused)
    #expect("\(ServiceError(.emailInvalid, "without an @"))" == "account.email-invalid: without an @")
  }

  @Test func `every public code is its own public code`() {
    for code in ServiceError.Code.allCases {
      let told = ServiceError(code).publicCode
      #expect(ServiceError(told).publicCode == told)
    }
  }

  @Test func `an invalid configuration is refused at the start`() async throws {
    let faults: [@Sendable (inout ServicePolicy) -> Void] = [
      { $0.sessions.lifetime = .zero }, { $0.grantLifetime = .milliseconds(999) },
      { $0.sessions.idleLimit = .seconds(60) }, { $0.sessions.warning = .seconds(-1) },
      { $0.maximumPasskeyCount = 0 }, { $0.maximumDeviceCount = -1 }, { $0.listedSessionCount = 0 },
      { $0.invitationLifetime = .seconds(-5) }, { $0.recoveryLifetime = .zero },
      { $0.personalDetailRetention = .zero }, { $0.sessions.touchInterval = .zero },
      {
        $0.sessions.renewal = ServicePolicy.Sessions.Renewal()
        $0.sessions.renewal?.tokenLifetime = .zero
      },
    ]
    for fault in faults { await expect(.configurationInvalid) { _ = try ServiceWorld(fault) } }
    await expect(.configurationInvalid) {
      _ = try ServiceWorld({ $0.cloneSignal = .disable }, ceremony: { $0.signCount = .refuse })
    }
    await expect(.configurationInvalid) {
      _ = try ServiceWorld({ $0.backupSignal = .disable }, ceremony: { $0.backupEligibilityChange = .refuse })
    }
  }

  @Test func `a failing random source is reported`() async throws {
    let service = try AuthService(
      relyingParty: ServiceWorld.relyingParty(), storage: SQLiteStorage.temporary(), decoys: ServiceWorld.decoys(),
      random: .fixed([]))
    let context = CallContext(time: ServiceWorld.start, requestID: "r")
    await expect(.randomnessUnavailable) {
      _ = try await service.beginRegistration(EmailAddress("ada@raxx.app"), in: context)
    }
    await expect(.randomnessUnavailable) { _ = try await service.invite(nil, by: .console, in: context) }
  }
}
