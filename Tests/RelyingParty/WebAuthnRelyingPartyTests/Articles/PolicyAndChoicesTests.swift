// SPDX-License-Identifier: Apache-2.0

import Testing

// [shown]
import WebAuthnRelyingParty
// [until here]

@Suite struct PolicyAndChoicesTests {
  private enum SignInError: Error {
    case passwordNeeded
  }

  private let world: CeremonyWorld
  private let user: UserEntity
  private let now = CeremonyWorld.now
  private let browser = CeremonyBinding("a random value")

  init() throws {
    world = try CeremonyWorld()
    user = UserEntity(id: world.user, name: "ada@example.org", displayName: "Ada")
  }

  @Test func `the strict policy refuses, and each property refuses one thing`() throws {
    // [shown]
    let strict = try RelyingParty(
      id: RelyingPartyID("raxx.app"), name: "Raxx", origins: [WebOrigin("https://raxx.app")], policy: .strict)
    // [until here]
    #expect(strict.policy.backupEligibilityChange == .refuse)
    #expect(strict.policy.unrequestedExtensions == .refused)
    // [shown]
    var policy = CeremonyPolicy()
    policy.signCount = .refuse
    // [until here]
    #expect(policy.backupEligibilityChange == .report)
  }

  @Test func `a registration overrides the policy's choices`() throws {
    let relyingParty = try world.relyingParty()
    // [shown]
    let begun = try relyingParty.beginRegistration(
      of: user, attachment: .crossPlatform, attestation: .direct, algorithms: [.es256], binding: browser, at: now)
    // [until here]
    #expect(begun.options.authenticatorSelection.authenticatorAttachment == .crossPlatform)
    #expect(begun.options.attestation == .direct)
    let device = try TestDevice(challenge: begun.pending.challenge)
    _ = try relyingParty.finishRegistration(
      device.registration(), pending: begun.pending, binding: browser, existing: .notFound, at: now)
  }

  @Test func `a conditional registration needs no user verification`() throws {
    let relyingParty = try world.relyingParty()
    // [shown]
    let begun = try relyingParty.beginRegistration(of: user, mediation: .conditional, binding: browser, at: now)
    // [until here]
    #expect(begun.options.authenticatorSelection.userVerification == .preferred)
    var device = try TestDevice(challenge: begun.pending.challenge)
    device.flags = []
    _ = try relyingParty.finishRegistration(
      device.registration(), pending: begun.pending, binding: browser, existing: .notFound, at: now)
  }

  @Test func `another factor makes user verification count`() throws {
    let relyingParty = try world.relyingParty()
    var stored = try world.credential { $0.record.uvInitialized = false }
    // [shown]
    let begun = try relyingParty.beginAuthentication(
      of: .fromResponse, userVerification: .preferred, binding: browser, at: now)
    // [until here]
    #expect(begun.options.userVerification == .preferred)
    var device = try TestDevice(challenge: begun.pending.challenge)
    device.type = .get
    let response = try device.authentication()
    let passwordIsRight = stored.user == world.user
    // [shown]
    let result = try relyingParty.finishAuthentication(
      response, pending: begun.pending, binding: browser, credential: stored, at: now)
    switch result.userVerification {
    case .factor: stored = result.credential
    case .notPerformed: throw SignInError.passwordNeeded
    case .notInitialized:
      guard passwordIsRight else { throw SignInError.passwordNeeded }
      stored = try result.credentialInitializingUserVerificationAfterAnotherFactor()
    }
    // [until here]
    #expect(result.userVerification == .notInitialized)
    #expect(try world.authenticate(stored: stored).userVerification == .factor)
  }
}
