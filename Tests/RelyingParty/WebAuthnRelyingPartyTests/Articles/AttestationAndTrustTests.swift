// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

// [shown]
import WebAuthnRelyingParty
// [until here]

@Suite struct AttestationAndTrustTests {
  /// Verifies a recorded registration with a packed attestation.
  private func registration(
    at relyingParty: RelyingParty
  ) throws -> (response: RegistrationResponse, pending: [UInt8]) {
    let options = try CreationOptions(json: File.bytes("\(Self.artifacts)/creation-options.json")[...])
    let response = try RegistrationResponse(json: File.bytes("\(Self.artifacts)/registration-response.json")[...])
    let begun = relyingParty.beginRegistration(
      of: options.user, at: CeremonyWorld.now, challenge: options.challenge)
    return (response, begun.pending.bytes)
  }

  private func relyingParty(believing pem: String) throws -> RelyingParty {
    // [shown]
    let makers = try X509Certificate.readAll(pem: pem)
    var attestation = AttestationPolicy()
    attestation.trustAnchors = TrustAnchors(byFormat: [.packed: makers])
    attestation.acceptableTrust = .anchored

    var policy = CeremonyPolicy(attestation: attestation)
    policy.attestationConveyance = .direct
    let relyingParty = try RelyingParty(
      id: RelyingPartyID("raxx.app"), name: "Raxx", origins: [WebOrigin("https://raxx.app")], policy: policy)
    // [until here]
    return relyingParty
  }

  // [shown]
  /// Describes a passkey for the account page.
  func remark(on outcome: AttestationOutcome) -> String {
    switch outcome.trust {
    case .none: "a passkey"
    case .self: "a passkey with self attestation"
    case .anchored(let root, _): "a passkey attested by \(root)"
    case .unanchored(let reason): "a passkey without a trusted attestation (\(reason))"
    }
  }
  // [until here]

  @Test func `a configured anchor proves a model`() throws {
    let pem = String(decoding: try File.bytes("\(Self.artifacts)/certificate.pem"), as: UTF8.self)
    let relyingParty = try relyingParty(believing: pem)
    let (response, pending) = try registration(at: relyingParty)
    let result = try relyingParty.finishRegistration(
      response, pending: PendingRegistration(taken: pending), existing: .notFound, at: CeremonyWorld.now)
    #expect(remark(on: result.attestation).hasPrefix("a passkey attested by CN=Passkey Examples Batch 1"))
  }

  @Test func `without an anchor nothing is proven`() throws {
    let strict = try relyingParty(believing: "")
    let (response, pending) = try registration(at: strict)
    let error = #expect(throws: CeremonyError.self) {
      try strict.finishRegistration(
        response, pending: PendingRegistration(taken: pending), existing: .notFound, at: CeremonyWorld.now)
    }
    #expect(error?.code == .registrationAttestationNotAcceptable)
    #expect(error?.step == 24)

    let lenient = try CeremonyWorld().relyingParty()
    let again = try registration(at: lenient)
    let result = try lenient.finishRegistration(
      again.response, pending: PendingRegistration(taken: again.pending), existing: .notFound,
      at: CeremonyWorld.now)
    #expect(
      remark(on: result.attestation)
        == "a passkey without a trusted attestation (no anchors configured)")
    #expect(try remark(on: CeremonyWorld().register().attestation) == "a passkey")
  }

  // [shown]
  /// Verifies today's metadata, which FIDO publishes at https://mds3.fidoalliance.org.
  func anchors(from token: [UInt8], lastNumber: UInt64, at now: UnixTime) throws -> TrustAnchors {
    let metadata = try MetadataBlob(verifying: token, at: now, lastNumber: lastNumber)
    return TrustAnchors(metadata: metadata)
  }
  // [until here]

  @Test func `metadata are verified before they are used`() {
    #expect {
      try anchors(from: [UInt8]("not.a.token".utf8), lastNumber: 0, at: CeremonyWorld.now)
    } throws: {
      ($0 as? AttestationError)?.code == .metadataMalformedToken
    }
  }

  // [shown]
  /// FIDO Level 2 or better, and not this model.
  func requirements(denying model: AAGUID) -> AttestationPolicy.ModelRequirements {
    var models = AttestationPolicy.ModelRequirements()
    models.certificationLevel = .level2
    models.denied = [model]
    return models
  }
  // [until here]

  @Test func `a denied model is refused`() throws {
    var world = try CeremonyWorld()
    world.policy.attestation.models = requirements(denying: .zero)
    let error = #expect(throws: CeremonyError.self) { try world.register() }
    #expect(error?.code == .registrationAttestationNotAcceptable)
    #expect(error?.step == 24)
  }

  // [shown]
  /// The anchors of the metadata, if any, and the published roots for the platforms' formats.
  func anchors(_ metadata: MetadataBlob?) -> TrustAnchors {
    TrustAnchors(metadata: metadata, byFormat: PublishedRoot.anchors(of: [.apple, .google, .microsoft]))
  }
  // [until here]

  @Test func `published roots do not anchor other formats`() throws {
    var policy = CeremonyPolicy()
    policy.attestation.trustAnchors = anchors(nil)
    let relyingParty = try RelyingParty(
      id: RelyingPartyID("raxx.app"), name: "Raxx", origins: [WebOrigin("https://raxx.app")], policy: policy)
    let (response, pending) = try registration(at: relyingParty)
    let result = try relyingParty.finishRegistration(
      response, pending: PendingRegistration(taken: pending), existing: .notFound, at: CeremonyWorld.now)
    guard case .unanchored(.noAnchorsConfigured) = result.attestation.trust else {
      Issue.record("\(result.attestation.trust)")
      return
    }
    #expect(refused([result.credential], by: relyingParty, at: CeremonyWorld.now).isEmpty)
  }

  // [shown]
  func revoke(_ policy: inout AttestationPolicy, crl: [UInt8], google: [UInt8], rogue: [UInt8]) throws {
    try policy.addRevocationList(der: crl)
    // https://android.googleapis.com/attestation/status, for the format android-key
    try policy.addStatusList(json: google)
    // Downloaded from a rogueListURL of the metadata
    try policy.addRogueList(json: rogue)
  }
  // [until here]

  @Test func `lists are parsed before a policy contains them`() {
    var policy = AttestationPolicy()
    #expect(throws: PasskeyCryptoError.self) { try revoke(&policy, crl: [], google: [], rogue: []) }
    #expect(policy.statusLists.isEmpty)
  }

  // [shown]
  /// Returns the passkeys that today's policy would refuse to register.
  func refused(_ credentials: [StoredCredential], by relyingParty: RelyingParty, at now: UnixTime) -> [CredentialID] {
    credentials.compactMap { credential in
      (try? relyingParty.reassess(credential, at: now)) == nil ? credential.record.id : nil
    }
  }
  // [until here]

  private static let artifacts = "\(projectFolder)/Examples/artifacts"
}
