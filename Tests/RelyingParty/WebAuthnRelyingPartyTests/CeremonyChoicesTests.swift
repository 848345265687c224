// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

/// The choices of one ceremony, compared with the relying party's policy.
@Suite struct CeremonyChoicesTests {
  private let world: CeremonyWorld
  private let user: UserEntity

  init() throws {
    world = try CeremonyWorld()
    user = UserEntity(id: world.user, name: "ada@example.org", displayName: "Ada")
  }

  @Test func `a registration's choices override the policy in its options`() throws {
    let relyingParty = try world.relyingParty()
    let byPolicy = try relyingParty.beginRegistration(of: user, at: CeremonyWorld.now).options
    #expect(byPolicy.authenticatorSelection.userVerification == .required)
    #expect(byPolicy.authenticatorSelection.authenticatorAttachment == nil)
    #expect(byPolicy.attestation == .none)
    let chosen = try relyingParty.beginRegistration(
      of: user, userVerification: .discouraged, attachment: .crossPlatform, attestation: .direct,
      algorithms: [.ed25519, .es256], at: CeremonyWorld.now
    ).options
    #expect(chosen.authenticatorSelection.userVerification == .discouraged)
    #expect(chosen.authenticatorSelection.authenticatorAttachment == .crossPlatform)
    #expect(chosen.attestation == .direct)
    #expect(chosen.credentialParameters.map(\.algorithm) == [.ed25519, .es256])
  }

  @Test func `a registration is verified by its own choices`() throws {
    #expect(try !world.register(userVerification: .preferred, clearUV).credential.record.uvInitialized)
    expectFailure(.registrationUserNotVerified, step: 16) { try world.register(clearUV) }
    var lenient = world
    lenient.policy.userVerification = .discouraged
    _ = try lenient.register(clearUV)
    expectFailure(.registrationUserNotVerified, step: 16) { try lenient.register(userVerification: .required, clearUV) }
    expectFailure(.registrationAlgorithmNotAllowed, step: 20) { try world.register(algorithms: [.rs256]) }
    let key = try SigningKey.generate(.es512, random: .seeded([4], label: "chosen"))
    _ = try world.register(algorithms: [.es512]) { $0.key = key }
    expectFailure(.registrationAlgorithmNotAllowed, step: 20) { try world.register { $0.key = key } }
  }

  @Test func `a sign-in is verified by its own choices`() throws {
    _ = try world.authenticate(userVerification: .preferred, clearUV)
    expectFailure(.authenticationUserNotVerified, step: 17) { try world.authenticate(clearUV) }
    var lenient = world
    lenient.policy.userVerification = .preferred
    _ = try lenient.authenticate(clearUV)
    expectFailure(.authenticationUserNotVerified, step: 17) {
      try lenient.authenticate(userVerification: .required, clearUV)
    }
    let options = try world.relyingParty().beginAuthentication(
      of: .fromResponse, userVerification: .discouraged, at: CeremonyWorld.now
    ).options
    #expect(options.userVerification == .discouraged)
  }

  @Test func `a policy relaxed later does not relax a running ceremony`() throws {
    let begun = try world.relyingParty().beginAuthentication(
      of: .fromResponse, userVerification: .required, at: CeremonyWorld.now)
    let registration = try world.relyingParty().beginRegistration(
      of: user, userVerification: .required, algorithms: [.es512], at: CeremonyWorld.now)
    var lenient = world
    lenient.policy.userVerification = .discouraged
    lenient.policy.uninitializedUserVerification = .report
    let later = try lenient.relyingParty()
    var device = try TestDevice(challenge: begun.options.challenge)
    device.type = .get
    let uninitialized = try world.credential { $0.record.uvInitialized = false }
    expectFailure(.authenticationUserVerificationNotInitialized, step: 17) {
      try later.finishAuthentication(
        device.authentication(), pending: begun.pending.duplicateForTesting(), credential: uninitialized,
        at: CeremonyWorld.now)
    }
    device.flags.remove(.userVerified)
    expectFailure(.authenticationUserNotVerified, step: 17) {
      try later.finishAuthentication(
        device.authentication(), pending: begun.pending.duplicateForTesting(),
        credential: world.credential(), at: CeremonyWorld.now)
    }
    var newDevice = try TestDevice(challenge: registration.options.challenge)
    expectFailure(.registrationAlgorithmNotAllowed, step: 20) {
      try later.finishRegistration(
        newDevice.registration(), pending: registration.pending.duplicateForTesting(), existing: .notFound,
        at: CeremonyWorld.now)
    }
    newDevice.flags.remove(.userVerified)
    expectFailure(.registrationUserNotVerified, step: 16) {
      try later.finishRegistration(
        newDevice.registration(), pending: registration.pending.duplicateForTesting(), existing: .notFound,
        at: CeremonyWorld.now)
    }
  }

  @Test func `a conditional registration prefers verification, and requires neither UP nor UV`() throws {
    let options = try world.relyingParty().beginRegistration(of: user, mediation: .conditional, at: CeremonyWorld.now)
      .options
    #expect(options.authenticatorSelection.userVerification == .preferred)
    let result = try world.register(mediation: .conditional) { $0.flags.subtract([.userPresent, .userVerified]) }
    #expect(!result.credential.record.uvInitialized)
    // Without conditional mediation, both are required.
    expectFailure(.registrationUserNotPresent, step: 15) { try world.register { $0.flags.remove(.userPresent) } }
    expectFailure(.registrationUserNotVerified, step: 16) { try world.register(clearUV) }
    var indifferent = world
    indifferent.policy.userVerification = .discouraged
    let discouraged = try indifferent.relyingParty().beginRegistration(
      of: user, mediation: .conditional, at: CeremonyWorld.now)
    #expect(discouraged.options.authenticatorSelection.userVerification == .discouraged)
  }

  @Test func `a conditional registration may require verification explicitly`() throws {
    expectFailure(.registrationUserNotVerified, step: 16) {
      try world.register(mediation: .conditional, userVerification: .required) {
        $0.flags.subtract([.userPresent, .userVerified])
      }
    }
    #expect(
      try world.register(mediation: .conditional, userVerification: .required) { $0.flags.remove(.userPresent) }
        .credential.record.uvInitialized)
  }

  @Test func `impossible choices are refused at once`() throws {
    let relyingParty = try world.relyingParty()
    for algorithms in [[], [COSEAlgorithm.rs1], [.es256, COSEAlgorithm(rawValue: -4242)]] {
      expectFailure(.configurationInvalid, step: nil) {
        try relyingParty.beginRegistration(of: user, algorithms: algorithms, at: CeremonyWorld.now)
      }
    }
    // A payment credential requires a platform authenticator and user verification.
    for (attachment, userVerification) in [
      (AuthenticatorAttachment.crossPlatform, UserVerificationRequirement.required), (.platform, .preferred),
    ] {
      expectFailure(.configurationInvalid, step: nil) {
        try relyingParty.beginRegistration(
          of: user, userVerification: userVerification, attachment: attachment, extensions: [.payment()],
          at: CeremonyWorld.now)
      }
    }
    let stepUp = AuthenticationPurpose.stepUp(StepUpAction(session: [1], action: [2]))
    for (purpose, requirement) in [
      (stepUp, UserVerificationRequirement.preferred), (stepUp, .discouraged),
      (.payment(try ShownPayment.transaction()), .preferred),
    ] {
      expectFailure(.configurationInvalid, step: nil) {
        try world.authenticate(purpose: purpose, userVerification: requirement)
      }
    }
    #expect(try world.authenticate(purpose: stepUp, userVerification: .required).stepUp != nil)
  }

  private func clearUV(_ device: inout TestDevice) {
    device.flags.remove(.userVerified)
  }
}
