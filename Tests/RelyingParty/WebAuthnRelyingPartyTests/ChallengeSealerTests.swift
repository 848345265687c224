// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import Testing
import WebAuthnAttestation
import WebAuthnRelyingParty
import WebAuthnTypes

@Suite struct ChallengeSealerTests {
  private let world: CeremonyWorld
  private let sealer: ChallengeSealer
  private let binding = CeremonyBinding("a cookie")

  private static let now = CeremonyWorld.now

  init() throws {
    world = try CeremonyWorld()
    sealer = try ChallengeSealer(keys: [Self.key(1)], context: [UInt8]("store".utf8))
  }

  private static func key(_ byte: UInt8) -> SecretBytes { SecretBytes([UInt8](repeating: byte, count: 32)) }

  private static func credentials(_ count: Int) throws -> [CredentialDescriptor] {
    try (0..<count).map { (number) in
      CredentialDescriptor(id: try CredentialID([UInt8](repeating: UInt8(number + 10), count: 64)))
    }
  }

  /// The credential of the test device among others.
  private func listed(_ count: Int) throws -> [CredentialDescriptor] {
    [try world.credential().record.descriptor] + (try Self.credentials(count - 1))
  }

  private func beginSignIn(
    of user: UserIdentification = .fromResponse, with sealer: ChallengeSealer? = nil, for label: String = "",
    extensions: [AuthenticationExtension] = [], in world: CeremonyWorld? = nil
  ) throws -> RequestOptions {
    let begun = try (world ?? self.world).relyingParty().beginAuthentication(
      of: user, extensions: extensions, binding: binding, at: Self.now)
    return try (sealer ?? self.sealer).seal(begun, for: label)
  }

  private func response(to challenge: Challenge) throws -> AuthenticationResponse {
    var device = try TestDevice(challenge: challenge)
    device.type = .get
    return try device.authentication()
  }

  private func finishSignIn(
    _ challenge: Challenge, credential: StoredCredential? = nil, at time: UnixTime = now
  ) throws -> VerifiedAuthentication {
    let (relyingParty, received) = (try world.relyingParty(), ReceivedAuthentication(try response(to: challenge)))
    let opened = try sealer.openAuthentication(
      received.clientData.get().challenge, of: relyingParty, binding: binding)
    return try relyingParty.finishAuthentication(
      received, pending: opened.pending, binding: binding, credential: credential ?? world.credential(), at: time)
  }

  // MARK: Ceremonies

  @Test func `a sign-in is finished from its challenge`() throws {
    for user in [UserIdentification.fromResponse, .knownBefore(world.user, credentials: try listed(20))] {
      let options = try beginSignIn(of: user)
      #expect(options.challenge.bytes.count >= 32)
      #expect(try finishSignIn(options.challenge).user == world.user)
      expectFailure(.expired, step: nil) { try finishSignIn(options.challenge, at: Self.now + .seconds(301)) }
    }
  }

  @Test func `a challenge keeps whether user verification was required`() throws {
    for (requirement, isRequired) in [(UserVerificationRequirement.required, true), (.discouraged, false)] {
      var other = world
      other.policy.userVerification = requirement
      let relyingParty = try other.relyingParty()
      let begun = try relyingParty.beginAuthentication(of: .fromResponse, binding: binding, at: Self.now)
      let challenge = try sealer.seal(begun).challenge
      var device = try TestDevice(challenge: challenge)
      device.type = .get
      device.flags = [.userPresent]
      let received = ReceivedAuthentication(try device.authentication())
      let opened = try sealer.openAuthentication(
        received.clientData.get().challenge, of: relyingParty, binding: binding)
      let result = Result {
        try relyingParty.finishAuthentication(
          received, pending: opened.pending.duplicateForTesting(), binding: binding, credential: world.credential(),
          at: Self.now
        ).user
      }
      if isRequired {
        expectFailure(.authenticationUserNotVerified, step: 17) { try result.get() }
      } else {
        #expect(try result.get() == world.user)
      }
    }
  }

  @Test func `an opened ceremony can be stored, with the credentials that it requests`() throws {
    let challenge = try beginSignIn(of: .knownBefore(world.user, credentials: listed(3))).challenge
    let relyingParty = try world.relyingParty()
    let bytes = try sealer.openAuthentication(challenge.bytes[...], of: relyingParty, binding: binding).pending.bytes
    let received = ReceivedAuthentication(try response(to: challenge))
    let read = try PendingAuthentication(taken: bytes)
    #expect(read.bytes == bytes)
    #expect(
      try relyingParty.finishAuthentication(
        received, pending: read, binding: binding, credential: world.credential(), at: Self.now
      ).user == world.user)
    // 16 bytes of salt and four for each credential.
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: [0x0e, 0x58, 28]) })
    for count in [27, 25, 15] {
      var short = bytes
      short.removeSubrange((place + 3 + count)..<(place + 3 + 28))
      short.replaceSubrange(
        place..<(place + 3), with: count < 24 ? [0x0e, 0x40 + UInt8(count)] : [0x0e, 0x58, UInt8(count)])
      expectFailure(.pendingMalformed, step: nil) { try PendingAuthentication(taken: short) }
    }
  }

  @Test func `a credential that was not listed, and another user's, are refused`() throws {
    let others = try beginSignIn(of: .knownBefore(world.user, credentials: Self.credentials(20))).challenge
    expectFailure(.authenticationCredentialNotAllowed, step: 5) { try finishSignIn(others) }
    let listed = try beginSignIn(of: .knownBefore(UserHandle([9]), credentials: listed(3))).challenge
    expectFailure(.authenticationUserHandleMismatch, step: 6) { try finishSignIn(listed) }
    let any = try beginSignIn(of: .knownBefore(world.user, credentials: [])).challenge
    #expect(try finishSignIn(any).user == world.user)
  }

  @Test func `a step-up is finished for its action, user and session`() throws {
    let relyingParty = try world.relyingParty()
    let action = StepUpAction(session: [1, 2, 3], action: [UInt8]("POST /orders".utf8))
    let begun = try relyingParty.beginAuthentication(
      of: .knownBefore(world.user, credentials: listed(20)), purpose: .stepUp(action), at: Self.now)
    let challenge = try sealer.seal(begun).challenge
    let parties = StepUpParties(world.user, session: [1, 2, 3])
    let opened = try sealer.openAuthentication(challenge.bytes, of: relyingParty, stepUp: parties)
    let result = try relyingParty.finishAuthentication(
      response(to: challenge), pending: opened.pending, credential: world.credential(), purpose: .stepUp(action),
      at: Self.now)
    #expect(result.stepUp?.actionDigest == action.digest)
    let strangers = [
      nil, StepUpParties(world.user, session: [1, 2]), StepUpParties(try UserHandle([9]), session: [1, 2, 3]),
    ]
    for stranger in strangers {
      expectFailure(.sealBroken, step: nil) {
        try sealer.openAuthentication(challenge.bytes, of: relyingParty, stepUp: stranger)
      }
    }
    // A sign-in is no step-up.
    let signIn = try beginSignIn(of: .knownBefore(world.user, credentials: [])).challenge
    expectFailure(.sealBroken, step: nil) {
      try sealer.openAuthentication(signIn.bytes, of: relyingParty, binding: binding, stepUp: parties)
    }
  }

  @Test func `a registration is finished from its challenge, with the caller's bytes`() throws {
    let relyingParty = try world.relyingParty()
    for mediation in [RelyingParty.RegistrationMediation.modal, .conditional] {
      let begun = try relyingParty.beginRegistration(
        of: UserEntity(id: world.user, name: "a", displayName: "b"), mediation: mediation,
        extensions: [.credProps, .credentialProtection(.userVerificationRequired, enforce: true)], binding: binding,
        at: Self.now)
      let stored = begun.pending.bytes
      let challenge = try sealer.seal(begun, attaching: [1, 2, 3]).challenge
      let opened = try sealer.openRegistration(challenge.bytes, of: relyingParty, binding: binding)
      #expect(opened.attachment == [1, 2, 3] && opened.pending.user == world.user)
      #expect(opened.pending.isConditional == (mediation == .conditional))
      #expect(opened.pending.bytes.count == stored.count + challenge.bytes.count - 32)
      var device = try TestDevice(challenge: challenge)
      device.extensions = ["credProtect": 3]
      let result = try relyingParty.finishRegistration(
        device.registration(), pending: opened.pending, binding: binding, existing: .notFound, at: Self.now)
      #expect(result.credential.user == world.user)
      expectFailure(.sealBroken, step: nil) {
        try sealer.openAuthentication(challenge.bytes, of: relyingParty, binding: binding)
      }
    }
  }

  @Test func `what few ceremonies have is sealed too`() throws {
    let user = UserIdentification.knownBefore(world.user, credentials: try listed(1))
    let relyingParty = try world.relyingParty()
    for extensions in [[.largeBlob(.read)], [.largeBlob(.write([1]))], [.appID("https://raxx.app/id")]]
      as [[AuthenticationExtension]]
    {
      let begun = try relyingParty.beginAuthentication(of: user, extensions: extensions, at: Self.now)
      let terms = try #require(Self.terms(begun.pending.bytes))
      let challenge = try sealer.seal(begun).challenge
      let opened = try sealer.openAuthentication(challenge.bytes, of: relyingParty)
      #expect(Self.terms(opened.pending.bytes) == terms)
    }
    for payment in try [ShownPayment.transaction(), ShownPayment.leastTransaction()] {
      let begun = try relyingParty.beginAuthentication(of: user, purpose: .payment(payment), at: Self.now)
      let terms = try #require(Self.terms(begun.pending.bytes))
      let challenge = try sealer.seal(begun).challenge
      let opened = try sealer.openAuthentication(challenge.bytes, of: relyingParty)
      #expect(opened.pending.purpose == .payment(payment))
      #expect(Self.terms(opened.pending.bytes) == terms)
    }
  }

  /// The encoded terms of a pending ceremony, without the challenge.
  private static func terms(_ bytes: [UInt8]) -> CBORTree? {
    guard let value = try? CBORValue(parsing: bytes[...], rules: .canonical), case .map(var members) = CBORTree(value),
      case .map(var terms)? = members[.unsigned(2)]
    else { return nil }
    terms[.unsigned(21)] = nil
    members[.unsigned(2)] = .map(terms)
    // The listed credentials, as IDs and as fingerprints.
    members[.unsigned(6)] = nil
    members[.unsigned(14)] = nil
    return .map(members)
  }

  // MARK: Sizes

  @Test func `a challenge of 20 passkeys has 200 characters`() throws {
    let handle = try UserHandle([UInt8](repeating: 5, count: 32))
    let user = UserIdentification.knownBefore(handle, credentials: try Self.credentials(20))
    #expect(Base64URL.encode(try beginSignIn(of: user).challenge.bytes).count == 200)
    let action = StepUpAction(session: [UInt8](repeating: 1, count: 16), action: [1])
    let begun = try world.relyingParty().beginAuthentication(of: user, purpose: .stepUp(action), at: Self.now)
    #expect(Base64URL.encode(try sealer.seal(begun).challenge.bytes).count <= 200)
  }

  // MARK: Attacks

  @Test func `no bit of a challenge can be changed, and none added or taken away`() throws {
    let relyingParty = try world.relyingParty()
    let challenge = [UInt8](try beginSignIn(of: .knownBefore(world.user, credentials: listed(2))).challenge.bytes)
    var changed: [[UInt8]] = [challenge + [0], [0] + challenge, []]
    for place in challenge.indices {
      for bit in 0..<8 {
        var flipped = challenge
        flipped[place] ^= 1 << UInt8(bit)
        changed.append(flipped)
      }
      changed.append(Array(challenge[..<place]))
      changed.append(Array(challenge[place...].dropFirst()))
    }
    for bytes in changed {
      expectFailure(.sealBroken, step: nil) {
        try sealer.openAuthentication(bytes[...], of: relyingParty, binding: binding)
      }
    }
    #expect(try finishSignIn(Challenge(challenge)).user == world.user)
  }

  @Test func `a challenge opens with its binding, label, store and key only`() throws {
    let relyingParty = try world.relyingParty()
    let challenge = try beginSignIn(for: "sign-in").challenge.bytes
    _ = try sealer.openAuthentication(challenge, of: relyingParty, binding: binding, for: "sign-in")
    let bindings = [nil, CeremonyBinding("another cookie")]
    for other in bindings {
      expectFailure(.sealBroken, step: nil) {
        try sealer.openAuthentication(challenge, of: relyingParty, binding: other, for: "sign-in")
      }
    }
    for label in ["", "sign-in ", "step-up"] {
      expectFailure(.sealBroken, step: nil) {
        try sealer.openAuthentication(challenge, of: relyingParty, binding: binding, for: label)
      }
    }
    let others = [
      try ChallengeSealer(keys: [Self.key(2)], context: [UInt8]("store".utf8)),
      try ChallengeSealer(keys: [Self.key(1)], context: [UInt8]("other".utf8)),
    ]
    for other in others {
      expectFailure(.sealBroken, step: nil) {
        try other.openAuthentication(challenge, of: relyingParty, binding: binding, for: "sign-in")
      }
    }
  }

  @Test func `a changed policy ends sealed ceremonies, and new attestation does not`() throws {
    let challenge = try beginSignIn().challenge.bytes
    let changes: [(inout CeremonyWorld) throws -> Void] = [
      { (world) in world.origin = "https://raxx.app:8443" },
      { (world) in world.policy.embedding = .allowed(topOrigins: [try WebOrigin("https://embedder.example")]) },
      { (world) in world.policy.topOriginNaming = .required },
      { (world) in world.policy.signCount = .refuse },
      { (world) in world.policy.backupEligibilityChange = .refuse },
      { (world) in world.policy.unrequestedExtensions = .refused },
      { (world) in world.policy.uninitializedUserVerification = .report },
    ]
    for change in changes {
      var other = world
      try change(&other)
      expectFailure(.sealBroken, step: nil) {
        try sealer.openAuthentication(challenge, of: other.relyingParty(), binding: binding)
      }
    }
    let newer = try world.relyingParty().replacing(attestation: AttestationPolicy())
    _ = try sealer.openAuthentication(challenge, of: newer, binding: binding)
  }

  @Test func `keys rotate`() throws {
    let relyingParty = try world.relyingParty()
    let context = [UInt8]("store".utf8)[...]
    let rotated = try ChallengeSealer(keys: [Self.key(2), Self.key(1)], context: [UInt8](context))
    let old = try beginSignIn().challenge.bytes
    let new = try beginSignIn(with: rotated).challenge.bytes
    for challenge in [old, new] { _ = try rotated.openAuthentication(challenge, of: relyingParty, binding: binding) }
    expectFailure(.sealBroken, step: nil) { try sealer.openAuthentication(new, of: relyingParty, binding: binding) }
    let later = try ChallengeSealer(keys: [Self.key(3), Self.key(2)], context: [UInt8](context))
    expectFailure(.sealBroken, step: nil) { try later.openAuthentication(old, of: relyingParty, binding: binding) }
    expectFailure(.configurationInvalid, step: nil) { _ = try ChallengeSealer(keys: []) }
    expectFailure(.configurationInvalid, step: nil) { _ = try ChallengeSealer(keys: [SecretBytes([1, 2, 3])]) }
  }

  @Test func `challenges of one ceremony differ, and identifiers sort by their expiry`() throws {
    let challenges = try (0..<50).map { (_) in try beginSignIn().challenge.bytes }
    #expect(Set(challenges).count == 50)
    let relyingParty = try world.relyingParty()
    let opened = try sealer.openAuthentication(challenges[0], of: relyingParty, binding: binding)
    #expect(opened.id.expiry == Self.now + .seconds(300) && opened.pending.expiry == opened.id.expiry)
    #expect(opened.id.bytes == Array(challenges[0].prefix(SealedCeremonyID.byteCount)))
    #expect(!opened.id.bytes.lexicographicallyPrecedes(SealedCeremonyID.bound(of: opened.id.expiry)))
    #expect(opened.id.bytes.lexicographicallyPrecedes(SealedCeremonyID.bound(of: opened.id.expiry + .seconds(1))))
    for seconds in [-5, 0, 1, 255, 256, 4_294_967_295, 4_294_967_296] as [Int64] {
      let bound = SealedCeremonyID.bound(of: UnixTime(secondsSince1970: seconds))
      #expect(bound.reduce(0) { (sum, byte) in sum << 8 | Int64(byte) } == min(max(seconds, 0), 4_294_967_295))
    }
  }
}
