// SPDX-License-Identifier: Apache-2.0

import COSE
import SystemCrypto
import Testing
import WebAuthnAttestation
import WebAuthnRelyingParty
import WebAuthnTypes
import WireFormats

/// Ceremonies that are finished by another than they were begun for, too late, or more softly than they were begun.
@Suite struct PendingAttackTests {
  private let world: CeremonyWorld

  init() throws {
    world = try CeremonyWorld()
  }

  private func begin(
    _ relyingParty: RelyingParty
  ) throws -> (registration: PendingRegistration, authentication: PendingAuthentication) {
    (
      try relyingParty.beginRegistration(
        of: UserEntity(id: world.user, name: "a", displayName: "b"), at: CeremonyWorld.now
      ).pending,
      try relyingParty.beginAuthentication(of: .fromResponse, at: CeremonyWorld.now).pending
    )
  }

  @Test func `bytes of the one kind are not read as the other`() throws {
    let (registration, authentication) = try begin(world.relyingParty())
    expectFailure(.pendingMalformed, step: nil) { try PendingAuthentication(bytes: registration.bytes[...]) }
    expectFailure(.pendingMalformed, step: nil) { try PendingRegistration(bytes: authentication.bytes[...]) }
    for bytes in [[], [0xa0], registration.bytes + [0], Array(registration.bytes.dropLast())] as [[UInt8]] {
      expectFailure(.pendingMalformed, step: nil) { try PendingRegistration(bytes: bytes[...]) }
    }
  }

  @Test func `a member that nobody knows is not passed over`() throws {
    let (registration, _) = try begin(world.relyingParty())
    let value = try CBORValue(parsing: registration.bytes[...], rules: .canonical)
    guard case .map(var members) = CBORTree(value), case .map(var terms)? = members[2] else {
      Issue.record("not a map")
      return
    }
    members[99] = true
    expectFailure(.pendingMalformed, step: nil) {
      try PendingRegistration(bytes: CBORWriter.bytes(of: .map(members))[...])
    }
    members[99] = nil
    terms[99] = true
    members[2] = .map(terms)
    expectFailure(.pendingMalformed, step: nil) {
      try PendingRegistration(bytes: CBORWriter.bytes(of: .map(members))[...])
    }
  }

  @Test func `a step-up is of somebody, in bytes too`() throws {
    let action = StepUpAction(session: [1], action: [2])
    let (_, pending) = try world.relyingParty().beginAuthentication(
      of: .knownBefore(world.user, credentials: []), purpose: .stepUp(action), at: CeremonyWorld.now)
    guard case .map(var members) = CBORTree(try CBORValue(parsing: pending.bytes[...], rules: .canonical)) else {
      Issue.record("not a map")
      return
    }
    members[3] = nil
    members[6] = nil
    expectFailure(.pendingMalformed, step: nil) {
      try PendingAuthentication(bytes: CBORWriter.bytes(of: .map(members))[...])
    }
  }

  @Test func `another relying party finishes neither ceremony`() throws {
    let (registration, authentication) = try begin(world.relyingParty())
    for id in ["api.raxx.app", "app", "raxx.example"] {
      let other = try RelyingParty(
        id: RelyingPartyID(id), name: "Other", origins: [Origin("https://raxx.app")])
      expectFailure(.pendingOfAnotherRelyingParty, step: nil) {
        try other.finishRegistration(
          TestDevice(challenge: registration.challenge).registration(), pending: registration, existing: nil,
          at: CeremonyWorld.now)
      }
      expectFailure(.pendingOfAnotherRelyingParty, step: nil) {
        var device = try TestDevice(challenge: authentication.challenge)
        device.type = .get
        return try other.finishAuthentication(
          device.authentication(), pending: authentication, credential: world.credential(), at: CeremonyWorld.now)
      }
    }
  }

  @Test func `what a relying party was begun with holds, however it is configured by then`() throws {
    var strict = world
    strict.policy.signCount = .refuse
    strict.policy.backupEligibilityChange = .refuse
    strict.policy.unrequestedExtensions = .refused
    strict.policy.algorithms = [.es256]
    strict.policy.attestation.acceptableTrust = .selfAttestation
    var soft = world
    soft.policy.userVerification = .discouraged
    soft.policy.embedding = .allowed(topOrigins: [try Origin("https://evil.example")])
    let (registration, authentication) = try begin(strict.relyingParty())
    let later = try RelyingParty(
      id: RelyingPartyID("raxx.app"), name: "Raxx",
      origins: [Origin("https://raxx.app"), Origin("https://evil.example")],
      policy: soft.policy)

    func register(_ spoil: (inout TestDevice) throws -> Void) throws -> VerifiedRegistration {
      var device = try TestDevice(challenge: registration.challenge)
      try spoil(&device)
      return try later.finishRegistration(
        device.registration(), pending: PendingRegistration(bytes: registration.bytes[...]), existing: nil,
        at: CeremonyWorld.now)
    }
    expectFailure(.registrationOriginMismatch, step: 9) { try register { $0.origin = "https://evil.example" } }
    expectFailure(.registrationCrossOriginRefused, step: 10) { try register { $0.crossOrigin = true } }
    expectFailure(.registrationUserNotVerified, step: 16) { try register { $0.flags.remove(.userVerified) } }
    expectFailure(.registrationAlgorithmNotAllowed, step: 20) {
      try register { $0.publicKey = try SigningKey.generate(.eddsa, random: .seeded([5])).publicKey.encoded }
    }
    expectFailure(.registrationAttestationNotAcceptable, step: 24) { try register { _ in } }

    func authenticate(_ spoil: (inout TestDevice) -> Void) throws -> VerifiedAuthentication {
      var device = try TestDevice(challenge: authentication.challenge)
      device.type = .get
      spoil(&device)
      return try later.finishAuthentication(
        device.authentication(), pending: PendingAuthentication(bytes: authentication.bytes[...]),
        credential: world.credential { $0.record.signCount = 3 }, at: CeremonyWorld.now)
    }
    expectFailure(.authenticationOriginMismatch, step: 12) { try authenticate { $0.origin = "https://evil.example" } }
    expectFailure(.authenticationCrossOriginRefused, step: 14) {
      try authenticate { $0.topOrigin = "https://evil.example" }
    }
    expectFailure(.authenticationUserNotVerified, step: 17) { try authenticate { $0.flags.remove(.userVerified) } }
    expectFailure(.authenticationBackupEligibilityChanged, step: 19) {
      try authenticate { $0.flags.insert(.backupEligible) }
    }
    expectFailure(.authenticationSignCountNotGreater, step: 22) { try authenticate { $0.signCount = 3 } }
    expectFailure(.authenticationExtensionNotRequested, step: 23) {
      try authenticate {
        $0.signCount = 4
        $0.clientExtensions = ["uvm": []]
      }
    }
  }

  @Test func `the last second counts, and no lifetime is too long to add`() throws {
    for (lifetime, last) in [
      (Duration.seconds(0), 0), (.seconds(1), 1), (.milliseconds(1999), 2), (.milliseconds(1), 1), (.seconds(300), 300),
      (.seconds(Int64.max), Int64.max - CeremonyWorld.now.secondsSince1970),
    ] {
      var world = world
      world.policy.lifetime = lifetime
      let relyingParty = try world.relyingParty()
      let (registration, _) = try begin(relyingParty)
      let stored = try PendingRegistration(bytes: registration.bytes[...])
      let response = try TestDevice(challenge: stored.challenge).registration()
      let end = Timestamp(secondsSince1970: CeremonyWorld.now.secondsSince1970 + last)
      #expect(stored.expiry == end)
      _ = try relyingParty.finishRegistration(response, pending: stored, existing: nil, at: end)
      guard end.secondsSince1970 < .max else { continue }
      expectFailure(.expired, step: nil) {
        try relyingParty.finishRegistration(response, pending: stored, existing: nil, at: end + .seconds(1))
      }
    }
  }

  @Test func `a ceremony whose lifetime is less than nothing is over before it began`() throws {
    var world = world
    world.policy.lifetime = .seconds(-1)
    let (registration, _) = try begin(world.relyingParty())
    expectFailure(.expired, step: nil) {
      try world.relyingParty().finishRegistration(
        TestDevice(challenge: registration.challenge).registration(), pending: registration, existing: nil,
        at: CeremonyWorld.now)
    }
  }
}
