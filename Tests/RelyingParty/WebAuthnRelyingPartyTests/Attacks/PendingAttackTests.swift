// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import Testing
import WebAuthnAttestation
import WebAuthnRelyingParty
import WebAuthnTypes

/// Ceremonies that are finished for another purpose or session, too late, or under a weaker policy than they began
/// with.
@Suite struct PendingAttackTests {
  private let world: CeremonyWorld

  init() throws {
    world = try CeremonyWorld()
  }

  private struct Begun: ~Copyable {
    let registration: PendingRegistration
    let authentication: PendingAuthentication
  }

  private func begin(_ relyingParty: RelyingParty, binding: CeremonyBinding? = nil) throws -> Begun {
    let registration = try relyingParty.beginRegistration(
      of: UserEntity(id: world.user, name: "a", displayName: "b"), binding: binding, at: CeremonyWorld.now)
    let authentication = try relyingParty.beginAuthentication(
      of: .fromResponse, binding: binding, at: CeremonyWorld.now)
    return Begun(registration: registration.pending, authentication: authentication.pending)
  }

  @Test func `a registration's bytes are not read as an authentication, and vice versa`() throws {
    let begun = try begin(world.relyingParty())
    expectFailure(.pendingMalformed, step: nil) { try PendingAuthentication(taken: begun.registration.bytes) }
    expectFailure(.pendingMalformed, step: nil) { try PendingRegistration(taken: begun.authentication.bytes) }
    for bytes in [[], [0xa0], begun.registration.bytes + [0], Array(begun.registration.bytes.dropLast())] as [[UInt8]] {
      expectFailure(.pendingMalformed, step: nil) { try PendingRegistration(taken: bytes) }
    }
  }

  @Test func `an unknown member of pending bytes is refused`() throws {
    let begun = try begin(world.relyingParty())
    let value = try CBORValue(parsing: begun.registration.bytes[...], rules: .canonical)
    guard case .map(var members) = CBORTree(value), case .map(var terms)? = members[2] else {
      Issue.record("not a map")
      return
    }
    members[99] = true
    expectFailure(.pendingMalformed, step: nil) {
      try PendingRegistration(taken: CBORWriter.bytes(of: .map(members)))
    }
    members[99] = nil
    terms[99] = true
    members[2] = .map(terms)
    expectFailure(.pendingMalformed, step: nil) {
      try PendingRegistration(taken: CBORWriter.bytes(of: .map(members)))
    }
  }

  @Test func `a step-up without a user is refused, also in stored bytes`() throws {
    let action = StepUpAction(session: [1], action: [2])
    let begun = try world.relyingParty().beginAuthentication(
      of: .knownBefore(world.user, credentials: []), purpose: .stepUp(action), at: CeremonyWorld.now)
    guard case .map(var members) = CBORTree(try CBORValue(parsing: begun.pending.bytes[...], rules: .canonical)) else {
      Issue.record("not a map")
      return
    }
    members[3] = nil
    members[6] = nil
    expectFailure(.pendingMalformed, step: nil) {
      try PendingAuthentication(taken: CBORWriter.bytes(of: .map(members)))
    }
  }

  @Test func `another relying party cannot finish a ceremony`() throws {
    let begun = try begin(world.relyingParty())
    for id in ["api.raxx.app", "app", "raxx.example"] {
      let other = try RelyingParty(
        id: RelyingPartyID(id), name: "Other", origins: [WebOrigin("https://raxx.app")])
      expectFailure(.pendingOfAnotherRelyingParty, step: nil) {
        try other.finishRegistration(
          TestDevice(challenge: begun.registration.challenge).registration(),
          pending: begun.registration.duplicateForTesting(), existing: .notFound,
          at: CeremonyWorld.now)
      }
      expectFailure(.pendingOfAnotherRelyingParty, step: nil) {
        var device = try TestDevice(challenge: begun.authentication.challenge)
        device.type = .get
        return try other.finishAuthentication(
          device.authentication(), pending: begun.authentication.duplicateForTesting(),
          credential: world.credential(), at: CeremonyWorld.now)
      }
    }
  }

  @Test func `a ceremony keeps the configuration it began with`() throws {
    var strict = world
    strict.policy.signCount = .refuse
    strict.policy.backupEligibilityChange = .refuse
    strict.policy.unrequestedExtensions = .refused
    strict.policy.algorithms = [.es256]
    strict.policy.attestation.acceptableTrust = .selfAttestation
    var soft = world
    soft.policy.userVerification = .discouraged
    soft.policy.embedding = .allowed(topOrigins: [try WebOrigin("https://evil.example")])
    let begun = try begin(strict.relyingParty())
    let later = try RelyingParty(
      id: RelyingPartyID("raxx.app"), name: "Raxx",
      origins: [WebOrigin("https://raxx.app"), WebOrigin("https://evil.example")],
      policy: soft.policy)

    func register(_ corrupt: (inout TestDevice) throws -> Void) throws -> VerifiedRegistration {
      var device = try TestDevice(challenge: begun.registration.challenge)
      try corrupt(&device)
      return try later.finishRegistration(
        device.registration(), pending: PendingRegistration(taken: begun.registration.bytes), existing: .notFound,
        at: CeremonyWorld.now)
    }
    expectFailure(.registrationOriginMismatch, step: 9) { try register { $0.origin = "https://evil.example" } }
    expectFailure(.registrationCrossOriginRefused, step: 10) { try register { $0.crossOrigin = true } }
    expectFailure(.registrationUserNotVerified, step: 16) { try register { $0.flags.remove(.userVerified) } }
    expectFailure(.registrationAlgorithmNotAllowed, step: 20) {
      try register { $0.publicKey = try SigningKey.generate(.eddsa, random: .seeded([5])).publicKey.encoded }
    }
    expectFailure(.registrationAttestationNotAcceptable, step: 24) { try register { _ in } }

    func authenticate(_ corrupt: (inout TestDevice) -> Void) throws -> VerifiedAuthentication {
      var device = try TestDevice(challenge: begun.authentication.challenge)
      device.type = .get
      corrupt(&device)
      return try later.finishAuthentication(
        device.authentication(), pending: PendingAuthentication(taken: begun.authentication.bytes),
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

  @Test func `the last second counts, and long lifetimes do not overflow`() throws {
    for (lifetime, last) in [
      (Duration.seconds(0), 0), (.seconds(1), 1), (.milliseconds(1999), 2), (.milliseconds(1), 1), (.seconds(300), 300),
      (.seconds(Int64.max), Int64.max - CeremonyWorld.now.secondsSince1970),
    ] {
      var world = world
      world.policy.lifetime = lifetime
      let relyingParty = try world.relyingParty()
      let begun = try begin(relyingParty)
      let stored = try PendingRegistration(taken: begun.registration.bytes)
      let response = try TestDevice(challenge: stored.challenge).registration()
      let end = UnixTime(secondsSince1970: CeremonyWorld.now.secondsSince1970 + last)
      #expect(stored.expiry == end)
      _ = try relyingParty.finishRegistration(
        response, pending: stored.duplicateForTesting(), existing: .notFound, at: end)
      guard end.secondsSince1970 < .max else { continue }
      expectFailure(.expired, step: nil) {
        try relyingParty.finishRegistration(
          response, pending: stored.duplicateForTesting(), existing: .notFound, at: end + .seconds(1))
      }
    }
  }

  @Test func `a negative lifetime expires at once`() throws {
    var world = world
    world.policy.lifetime = .seconds(-1)
    let begun = try begin(world.relyingParty())
    expectFailure(.expired, step: nil) {
      try world.relyingParty().finishRegistration(
        TestDevice(challenge: begun.registration.challenge).registration(),
        pending: begun.registration.duplicateForTesting(), existing: .notFound,
        at: CeremonyWorld.now)
    }
  }

  @Test func `a ceremony must finish in the session that began it`() throws {
    let relyingParty = try world.relyingParty()
    let (mine, other) = (CeremonyBinding([1, 2, 3]), CeremonyBinding([1, 2, 4]))
    for begunIn in [mine, nil] {
      let begun = try begin(relyingParty, binding: begunIn)
      let (registration, authentication) = (begun.registration.bytes, begun.authentication.bytes)
      let register = { (binding: CeremonyBinding?) in
        try relyingParty.finishRegistration(
          TestDevice(challenge: PendingRegistration(taken: registration).challenge).registration(),
          pending: PendingRegistration(taken: registration), binding: binding, existing: .notFound,
          at: CeremonyWorld.now)
      }
      let authenticate = { (binding: CeremonyBinding?) in
        let pending = try PendingAuthentication(taken: authentication)
        var device = try TestDevice(challenge: pending.challenge)
        device.type = .get
        return try relyingParty.finishAuthentication(
          device.authentication(), pending: pending, binding: binding, credential: world.credential(),
          at: CeremonyWorld.now)
      }
      for presented in [mine, other, nil] where presented != begunIn {
        expectFailure(.bindingMismatch, step: nil) { try register(presented) }
        expectFailure(.bindingMismatch, step: nil) { try authenticate(presented) }
      }
      #expect(try register(begunIn).credential.user == world.user)
      #expect(try authenticate(begunIn).user == world.user)
    }
  }

  @Test func `stored bytes contain the hash of the session value, and only it matches`() throws {
    let secret = [UInt8]("session-token-of-ada".utf8)
    let begun = try begin(world.relyingParty(), binding: CeremonyBinding(secret))
    for bytes in [begun.registration.bytes, begun.authentication.bytes] {
      #expect(!String(decoding: bytes, as: UTF8.self).contains("session-token"))
      guard case .map(var members) = CBORTree(try CBORValue(parsing: bytes[...], rules: .canonical)) else {
        throw CeremonyWorld.Unexpected()
      }
      members[13] = .bytes([1, 2, 3])
      let corrupted = CBORWriter.bytes(of: .map(members))
      expectFailure(.pendingMalformed, step: nil) {
        _ = try PendingRegistration(taken: corrupted)
      }
      expectFailure(.pendingMalformed, step: nil) {
        _ = try PendingAuthentication(taken: corrupted)
      }
    }
  }
}
