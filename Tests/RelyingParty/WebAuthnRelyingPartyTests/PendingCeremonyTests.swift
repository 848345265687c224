// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

@Suite struct PendingCeremonyTests {
  var world: CeremonyWorld

  init() throws {
    world = try CeremonyWorld()
  }

  @Test func `pending ceremonies survive a round trip`() throws {
    var world = world
    world.policy.embedding = .allowed(topOrigins: [try WebOrigin("https://embedder.example")])
    world.policy.signCount = .refuse
    let relyingParty = try world.relyingParty()
    let registration = try relyingParty.beginRegistration(
      of: UserEntity(id: world.user, name: "a", displayName: "b"), mediation: .conditional,
      extensions: [.credProps, .credentialProtection(.userVerificationRequired, enforce: true)], at: CeremonyWorld.now)
    #expect(try PendingRegistration(taken: registration.pending.bytes).bytes == registration.pending.bytes)
    let action = StepUpAction(session: [1, 2], action: [3, 4])
    let stepUp = try relyingParty.beginAuthentication(
      of: .knownBefore(world.user, credentials: [world.credential().record.descriptor]), purpose: .stepUp(action),
      at: CeremonyWorld.now)
    #expect(try PendingAuthentication(taken: stepUp.pending.bytes).bytes == stepUp.pending.bytes)
    let signIn = try relyingParty.beginAuthentication(of: .fromResponse, at: CeremonyWorld.now)
    #expect(try PendingAuthentication(taken: signIn.pending.bytes).bytes == signIn.pending.bytes)
    for access in [LargeBlobAccess.read, .write([1])] {
      let blob = try relyingParty.beginAuthentication(
        of: .knownBefore(world.user, credentials: [world.credential().record.descriptor]),
        extensions: [.largeBlob(access)], at: CeremonyWorld.now)
      #expect(try PendingAuthentication(taken: blob.pending.bytes).bytes == blob.pending.bytes)
      #expect(try PendingAuthentication(taken: blob.pending.bytes).bytes != signIn.pending.bytes)
    }
    for payment in try [ShownPayment.transaction(), ShownPayment.leastTransaction()] {
      let begun = try relyingParty.beginAuthentication(
        of: .knownBefore(world.user, credentials: [world.credential().record.descriptor]), purpose: .payment(payment),
        at: CeremonyWorld.now)
      #expect(try PendingAuthentication(taken: begun.pending.bytes).bytes == begun.pending.bytes)
    }
  }

  @Test func `transports are not stored, so equal ceremonies have equal bytes`() throws {
    var descriptor = try world.credential().record.descriptor
    descriptor.transports = [.usb]
    let begun = try world.relyingParty().beginAuthentication(
      of: .knownBefore(world.user, credentials: [descriptor]), at: CeremonyWorld.now)
    #expect(begun.options.allowCredentials == [descriptor])
    #expect(try PendingAuthentication(taken: begun.pending.bytes).bytes == begun.pending.bytes)
  }

  @Test func `a purpose's description does not reveal the session`() throws {
    let token = [UInt8]("session-token".utf8)
    let action = StepUpAction(session: token, action: [1])
    let other = StepUpAction(session: [9], action: [1])
    let begun = try world.relyingParty().beginAuthentication(
      of: .knownBefore(world.user, credentials: []), purpose: .stepUp(action), at: CeremonyWorld.now)
    var device = try TestDevice(challenge: begun.pending.challenge)
    device.type = .get
    var texts = ["\(action)", "\(AuthenticationPurpose.stepUp(action))", begun.pending.description]
    let finished = try world.relyingParty().finishAuthentication(
      device.authentication(), pending: begun.pending.duplicateForTesting(), credential: world.credential(),
      purpose: .stepUp(action), at: CeremonyWorld.now)
    texts.append("\(finished)")
    do {
      _ = try world.relyingParty().finishAuthentication(
        device.authentication(), pending: begun.pending.duplicateForTesting(), credential: world.credential(),
        purpose: .stepUp(other), at: CeremonyWorld.now)
      Issue.record("another session's step-up was taken")
    } catch let error as CeremonyError {
      #expect(error.code == .purposeMismatch)
      #expect(error.comparison?.received == "the same action in another session")
      texts.append("\(error)")
    }
    for text in texts {
      #expect(
        !text.contains("session-token") && !text.contains(token.map(String.init).joined(separator: ", ")), "\(text)")
    }
  }

  @Test func `another kind and another version are refused`() throws {
    let begun = try world.relyingParty().beginAuthentication(of: .fromResponse, at: CeremonyWorld.now)
    expectFailure(.pendingMalformed, step: nil) { try PendingRegistration(taken: begun.pending.bytes) }
    var later = begun.pending.bytes
    later[2] = 5
    expectFailure(.pendingVersionUnknown, step: nil) { try PendingAuthentication(taken: later) }
    var earlier = begun.pending.bytes
    earlier[2] = 3
    expectFailure(.pendingVersionUnknown, step: nil) { try PendingAuthentication(taken: earlier) }
  }

  @Test func `an unknown member is refused`() throws {
    let begun = try world.relyingParty().beginAuthentication(of: .fromResponse, at: CeremonyWorld.now)
    guard case .map(var members) = CBORTree(try CBORValue(parsing: begun.pending.bytes[...], rules: .canonical)) else {
      throw CeremonyWorld.Unexpected()
    }
    #expect(try PendingAuthentication(taken: CBORWriter.bytes(of: .map(members))).bytes == begun.pending.bytes)
    members[.unsigned(99)] = .bool(true)
    expectFailure(.pendingMalformed, step: nil) {
      try PendingAuthentication(taken: CBORWriter.bytes(of: .map(members)))
    }
  }

  @Test func `a payment's bytes are read strictly`() throws {
    let begun = try world.relyingParty().beginAuthentication(
      of: .knownBefore(world.user, credentials: [world.credential().record.descriptor]),
      purpose: .payment(ShownPayment.transaction()), at: CeremonyWorld.now)
    guard case .map(let members) = CBORTree(try CBORValue(parsing: begun.pending.bytes[...], rules: .canonical)),
      case .map(let payment)? = members[.unsigned(10)]
    else { throw CeremonyWorld.Unexpected() }
    for key in payment.keys where ![.unsigned(42), .unsigned(43), .unsigned(47)].contains(key) {
      var corrupted = payment
      corrupted[key] = nil
      var all = members
      all[.unsigned(10)] = .map(corrupted)
      expectFailure(.pendingMalformed, step: nil) {
        try PendingAuthentication(taken: CBORWriter.bytes(of: .map(all)))
      }
    }
    var toNobody = payment
    toNobody[.unsigned(42)] = nil
    toNobody[.unsigned(43)] = nil
    var all = members
    all[.unsigned(10)] = .map(toNobody)
    expectFailure(.pendingMalformed, step: nil) {
      try PendingAuthentication(taken: CBORWriter.bytes(of: .map(all)))
    }
    all = members
    all[.unsigned(8)] = .bytes([1])
    all[.unsigned(7)] = .bytes([1])
    expectFailure(.pendingMalformed, step: nil) {
      try PendingAuthentication(taken: CBORWriter.bytes(of: .map(all)))
    }
  }

  @Test func `corrupt bytes are refused and never trap`() throws {
    let bytes = try world.relyingParty().beginAuthentication(
      of: .knownBefore(world.user, credentials: [world.credential().record.descriptor]),
      purpose: .payment(ShownPayment.transaction()), extensions: [], at: CeremonyWorld.now
    ).pending.bytes
    try PropertyRuns.check(default: 2000) { generator in
      let corrupted = Mutation.mutated(bytes, using: &generator)
      _ = try? PendingAuthentication(taken: corrupted)
      _ = try? PendingRegistration(taken: corrupted)
    }
  }

  @Test func `an expired ceremony and one of another relying party are refused`() throws {
    let relyingParty = try world.relyingParty()
    let begun = try relyingParty.beginAuthentication(of: .fromResponse, at: CeremonyWorld.now)
    var device = try TestDevice(challenge: begun.pending.challenge)
    device.type = .get
    let response = try device.authentication()
    let credential = try world.credential()
    _ = try relyingParty.finishAuthentication(
      response, pending: begun.pending.duplicateForTesting(), credential: credential,
      at: CeremonyWorld.now + .seconds(300))
    expectFailure(.expired, step: nil) {
      try relyingParty.finishAuthentication(
        response, pending: begun.pending.duplicateForTesting(), credential: credential,
        at: CeremonyWorld.now + .seconds(301))
    }
    let other = try RelyingParty(
      id: RelyingPartyID("other.example"), name: "Other", origins: [WebOrigin("https://raxx.app")])
    expectFailure(.pendingOfAnotherRelyingParty, step: nil) {
      try other.finishAuthentication(
        response, pending: begun.pending.duplicateForTesting(), credential: credential, at: CeremonyWorld.now)
    }
  }

  @Test func `a sign-in confirms no action, and a confirmation is for one action and session`() throws {
    let relyingParty = try world.relyingParty()
    let credential = try world.credential()
    let order = AuthenticationPurpose.stepUp(StepUpAction(session: [1], action: [UInt8]("order 1".utf8)))
    let purposes: [AuthenticationPurpose] = [
      .signIn, order, .stepUp(StepUpAction(session: [2], action: [UInt8]("order 1".utf8))),
      .stepUp(StepUpAction(session: [1], action: [UInt8]("order 2".utf8))),
      .payment(try ShownPayment.transaction()), .payment(try ShownPayment.transaction(value: "12.51")),
      .payment(try ShownPayment.transaction(instrument: "Another card")),
    ]
    for purpose in purposes {
      let begun = try relyingParty.beginAuthentication(
        of: .knownBefore(world.user, credentials: [credential.record.descriptor]), purpose: purpose,
        at: CeremonyWorld.now)
      var device = try TestDevice(challenge: begun.pending.challenge)
      device.type = .get
      if case .payment(let transaction) = purpose {
        device.type = .payment
        device.origin = transaction.caller.text
        device.payment = ShownPayment(transaction)
      }
      let response = try device.authentication()
      for used in purposes where used != purpose {
        expectFailure(.purposeMismatch, step: nil) {
          try relyingParty.finishAuthentication(
            response, pending: begun.pending.duplicateForTesting(), credential: credential, purpose: used,
            at: CeremonyWorld.now)
        }
      }
      let result = try relyingParty.finishAuthentication(
        response, pending: begun.pending.duplicateForTesting(), credential: credential, purpose: purpose,
        at: CeremonyWorld.now)
      switch purpose {
      case .signIn: #expect(result.stepUp == nil && result.payment == nil)
      case .stepUp: #expect(result.stepUp != nil && result.payment == nil)
      case .payment(let transaction):
        #expect(result.stepUp == nil)
        #expect(result.payment?.transaction == transaction)
      }
    }
  }

  @Test func `a step-up requires a known user and user verification under every policy`() throws {
    var lenient = world
    lenient.policy.userVerification = .discouraged
    let action = AuthenticationPurpose.stepUp(StepUpAction(session: [1], action: [2]))
    expectFailure(.configurationInvalid, step: nil) {
      try lenient.relyingParty().beginAuthentication(of: .fromResponse, purpose: action, at: CeremonyWorld.now)
    }
    expectFailure(.authenticationUserNotVerified, step: 17) {
      try lenient.authenticate(purpose: action) { $0.flags.remove(.userVerified) }
    }
    let proof = try lenient.authenticate(purpose: action).stepUp
    #expect(proof?.user == world.user)
    #expect(proof?.actionDigest == Digest.sha256([2]))
    #expect(proof?.time == CeremonyWorld.now)
  }

  @Test func `an impossible configuration is refused at once`() throws {
    let id = try RelyingPartyID("raxx.app")
    expectFailure(.configurationInvalid, step: nil) { try RelyingParty(id: id, name: "Raxx", origins: []) }
    var policy = CeremonyPolicy()
    policy.algorithms = []
    expectFailure(.configurationInvalid, step: nil) {
      try RelyingParty(id: id, name: "Raxx", origins: [WebOrigin("https://raxx.app")], policy: policy)
    }
    policy.algorithms = [.rs1]
    expectFailure(.configurationInvalid, step: nil) {
      try RelyingParty(id: id, name: "Raxx", origins: [WebOrigin("https://raxx.app")], policy: policy)
    }
  }

  @Test func `the default algorithms are those that the standard recommends`() throws {
    let begun = try world.relyingParty().beginRegistration(
      of: UserEntity(id: world.user, name: "a", displayName: "b"), at: CeremonyWorld.now)
    #expect(begun.options.credentialParameters.map(\.algorithm) == [.es256, .eddsa, .es384, .ps256, .rs256])
  }

  @Test(arguments: [COSEAlgorithm.esp256, .ed25519])
  func `an algorithm that is not offered by default can be verified`(algorithm: COSEAlgorithm) throws {
    let key = try SigningKey.generate(algorithm, random: .seeded([3], label: "fully specified"))
    let stored = try world.credential { $0.record.publicKey = key.publicKey.encoded }
    _ = try world.authenticate(stored: stored) { $0.key = key }
    expectFailure(.registrationAlgorithmNotAllowed, step: 20) { try world.register { $0.key = key } }
    var willing = world
    willing.policy.algorithms = [algorithm]
    _ = try willing.register { $0.key = key }
  }

  @Test func `options contain the requirements, and challenges differ`() throws {
    let relyingParty = try world.relyingParty()
    let user = UserEntity(id: world.user, name: "a", displayName: "b")
    let first = try relyingParty.beginRegistration(of: user, at: CeremonyWorld.now).options
    let second = try relyingParty.beginRegistration(of: user, at: CeremonyWorld.now).options
    #expect(first.challenge.bytes.count == 32)
    #expect(first.challenge != second.challenge)
    #expect(first.authenticatorSelection.userVerification == .required)
    #expect(first.authenticatorSelection.residentKey == .required)
    #expect(first.relyingParty.id?.text == "raxx.app")
    #expect(first.timeout == 300_000)
  }
}
