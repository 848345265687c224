// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyTestSupport
internal import WebAuthnAttestation
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

extension Suite {
  /// Complete ceremonies, from the JSON bytes of the response to the result.
  static func ceremonies() throws -> [Benchmark] {
    let authentication = Benchmark("authentication.es256.json", goal: .ratio(atMost: 1.05)) {
      try SignIn().fromJSON()
    }
    return try [
      authentication, authentication.onTwoThreads(goal: .scaling(atLeast: 1.85)),
      // A user with many credentials: no additional allocations.
      Benchmark("authentication.es256.thousand.json") { try SignIn(credentials: 1_000).fromJSON() },
      // From a decoded response: the ceremony alone.
      Benchmark("authentication.es256.finish") { try SignIn().fromResponse() },
      // 6 µs where a raw verification takes 42 µs.
      Benchmark("registration.none.json", goal: .ratio(atMost: 0.143)) {
        try SignUp(Fixtures.registrationResponse(isAttested: false)).fromJSON()
      },
      Benchmark("registration.packed-self.json", goal: .ratio(atMost: 1.2)) {
        try SignUp(Fixtures.registrationResponse(isAttested: true)).fromJSON()
      },
    ] + anchoredRegistration()
  }

  /// The standard's own test vector, with its root as the anchor: two signatures, the certificate's and the statement's.
  private static func anchoredRegistration() throws -> [Benchmark] {
    guard SharedVectors.arePresent else { return [] }
    let vectors = try JSON.parse(SharedVectors.bytes("w3c-level3.json")[...], maximumSize: 1 << 20)
    let name = "w3c/packed.ES256/registration"
    guard let vector = try vectors.require("cases").array.first(where: { try $0.require("id").string == name }) else {
      throw MissingVector(name: name)
    }
    var policy = AttestationPolicy()
    policy.trustAnchors = TrustAnchors(
      forEverything: try vector.require("trustAnchors").array.map { try X509Certificate(der: $0.base64URL[...]) })
    policy.acceptableTrust = .anchored
    let signUp = try SignUp(
      Array(vector.require("response").encoded), id: "example.org", policy: CeremonyPolicy(attestation: policy))
    return [Benchmark("registration.packed.json", goal: .ratio(atMost: 3.5)) { try signUp.fromJSON() }]
  }
}

/// A pending registration with the challenge of its response.
private final class SignUp {
  private let relyingParty: RelyingParty
  private let response: [UInt8]
  private let pending: PendingRegistration
  private let time = UnixTime(secondsSince1970: 1_780_000_000)

  init(_ response: [UInt8], id: String = "raxx.app", policy: CeremonyPolicy = CeremonyPolicy()) throws {
    var policy = policy
    policy.userVerification = .preferred
    relyingParty = try RelyingParty(
      id: RelyingPartyID(id), name: "Raxx", origins: [WebOrigin("https://\(id)")], policy: policy)
    self.response = response
    let clientData = try ClientData(parsing: RegistrationResponse(json: response[...]).clientDataJSON)
    let begun = relyingParty.beginRegistration(
      of: UserEntity(id: try UserHandle([UInt8]("user-1".utf8)), name: "ada@example.org", displayName: "Ada"),
      at: time, challenge: try Challenge(clientData.challenge))
    pending = begun.pending
  }

  func fromJSON() throws -> () throws -> Void {
    { [self] in
      let response = try RegistrationResponse(json: response[...])
      keep(
        try relyingParty.finishRegistration(
          response, pending: pending.duplicateForTesting(), existing: .notFound, at: time))
    }
  }
}

/// The sign-in of `Examples/artifacts`. Parses the record's key each time, as after reading it from a store.
private final class SignIn {
  private let relyingParty: RelyingParty
  private let response: [UInt8]
  private let pending: PendingAuthentication
  private let credential: StoredCredential
  private let time = UnixTime(secondsSince1970: 1_780_000_000)

  init(credentials count: Int = 1) throws {
    relyingParty = try RelyingParty(
      id: RelyingPartyID("raxx.app"), name: "Raxx", origins: [WebOrigin("https://raxx.app")])
    let artifacts = "\(projectFolder)/Examples/artifacts"
    response = try File.bytes("\(artifacts)/authentication-response.json")
    let registration = try RegistrationResponse(json: File.bytes("\(artifacts)/registration-response.json")[...])
    let data = try AttestationObject(parsing: registration.attestationObject).authenticatorData
    let user = try UserHandle([UInt8]("user-1".utf8))
    credential = StoredCredential(
      user: user,
      record: CredentialRecord(
        id: registration.id, publicKey: [UInt8](data.attestedCredentialData?.credentialPublicKey ?? []), signCount: 0,
        uvInitialized: true, transports: [], backupEligible: false, backupState: false))
    let clientData = try ClientData(parsing: AuthenticationResponse(json: response[...]).clientDataJSON)
    let begun = relyingParty.beginAuthentication(
      of: .knownBefore(user, credentials: [credential.record.descriptor]), at: time,
      challenge: try Challenge(clientData.challenge))
    pending = begun.pending
  }

  func fromJSON() -> () throws -> Void {
    { [self] in try finish(AuthenticationResponse(json: response[...])) }
  }

  func fromResponse() throws -> () throws -> Void {
    let response = try AuthenticationResponse(json: response[...])
    return { [self] in try finish(response) }
  }

  private func finish(_ response: consuming AuthenticationResponse) throws {
    keep(
      try relyingParty.finishAuthentication(
        response, pending: pending.duplicateForTesting(), credential: credential, at: time))
  }
}
