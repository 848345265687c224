// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

/// WebAuthn §4, `uvInitialized`: until it is true, the UV flag is not a factor.
@Suite struct UserVerificationTests {
  private let world: CeremonyWorld
  private let uninitialized: StoredCredential

  init() throws {
    world = try CeremonyWorld()
    uninitialized = try world.register(userVerification: .preferred) { $0.flags.remove(.userVerified) }.credential
  }

  @Test func `a credential registered without UV is refused if a sign-in requires user verification`() throws {
    #expect(!uninitialized.record.uvInitialized)
    let trace = SpecTrace()
    expectFailure(.authenticationUserVerificationNotInitialized, step: 17) {
      try world.authenticate(stored: uninitialized, trace: trace)
    }
    #expect(
      trace.entries.suffix(2).map(\.description) == [
        "17. pass  the user was verified: UV set",
        "17. FAIL  user verification is a factor: expected uvInitialized true, received uvInitialized false "
          + "(authentication.user-verification-not-initialized)",
      ])
  }

  @Test func `by policy a sign-in succeeds and reports that verification is not a factor`() throws {
    var lenient = world
    lenient.policy.uninitializedUserVerification = .report
    let trace = SpecTrace()
    let result = try lenient.authenticate(stored: uninitialized, trace: trace)
    #expect(result.userVerification == .notInitialized)
    #expect(!result.credential.record.uvInitialized)
    let lines = trace.entries.map(\.description)
    #expect(lines.contains("17.       user verification is not a factor: uvInitialized is false"))
    #expect(lines.contains("24.       uvInitialized stays false: setting it requires another factor"))
    // A missing UV flag is still refused.
    expectFailure(.authenticationUserNotVerified, step: 17) {
      try lenient.authenticate(stored: uninitialized) { $0.flags.remove(.userVerified) }
    }
  }

  @Test func `without a requirement the signal reports whether the flag counts`() throws {
    var lenient = world
    lenient.policy.userVerification = .preferred
    #expect(try lenient.authenticate(stored: uninitialized).userVerification == .notInitialized)
    #expect(try lenient.authenticate().userVerification == .factor)
    let clear = { (device: inout TestDevice) in _ = device.flags.remove(.userVerified) }
    #expect(try lenient.authenticate(stored: uninitialized, clear).userVerification == .notPerformed)
    #expect(try lenient.authenticate(clear).userVerification == .notPerformed)
  }

  @Test(arguments: [CeremonyPolicy.SignalResponse.refuse, .report])
  func `step-up and payment proofs never rest on an uninitialized flag`(
    response: CeremonyPolicy.SignalResponse
  ) throws {
    var world = world
    world.policy.uninitializedUserVerification = response
    for purpose in [
      AuthenticationPurpose.stepUp(StepUpAction(session: [1], action: [2])), .payment(try ShownPayment.transaction()),
    ] {
      expectFailure(.authenticationUserVerificationNotInitialized, step: 17) {
        try world.authenticate(purpose: purpose, stored: uninitialized)
      }
    }
  }

  @Test func `another factor initializes it for later ceremonies`() throws {
    let first = try world.authenticate(userVerification: .preferred, stored: uninitialized) { $0.signCount = 7 }
    #expect(first.userVerification == .notInitialized)
    let stored = try first.credentialInitializingUserVerificationAfterAnotherFactor()
    #expect(stored.record.uvInitialized)
    #expect(stored.record.signCount == 7)
    // The ceremony that sets it does not yet count as the factor.
    #expect(!first.credential.record.uvInitialized)
    let next = try world.authenticate(stored: stored) { $0.signCount = 8 }
    #expect(next.userVerification == .factor)
    let action = AuthenticationPurpose.stepUp(StepUpAction(session: [1], action: [2]))
    #expect(try world.authenticate(purpose: action, stored: next.credential) { $0.signCount = 9 }.stepUp != nil)
    // Once true it stays true, also after a sign-in without verification.
    let without = try world.authenticate(userVerification: .preferred, stored: next.credential) {
      $0.signCount = 9
      $0.flags.remove(.userVerified)
    }
    #expect(without.credential.record.uvInitialized)
  }

  @Test func `a ceremony without UV initializes nothing`() throws {
    let result = try world.authenticate(userVerification: .preferred, stored: uninitialized) {
      $0.flags.remove(.userVerified)
    }
    expectFailure(.authenticationUserNotVerified, step: 24) {
      try result.credentialInitializingUserVerificationAfterAnotherFactor()
    }
  }
}
