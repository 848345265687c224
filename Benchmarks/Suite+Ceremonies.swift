// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import SystemCrypto
internal import TestSupport
internal import WebAuthnRelyingParty
internal import WebAuthnTypes
internal import WireFormats

extension Suite {
  /// Whole ceremonies, from the JSON bytes of the response to the verdict, as a server has them.
  static func ceremonies() throws -> [Benchmark] {
    let authentication = Benchmark("authentication.es256.json", against: "raw.es256.verify") {
      try CeremonyFixture().authentication()
    }
    return [
      authentication, authentication.onTwoThreads,
      Benchmark("registration.packed.json", against: "raw.es256.verify") { try CeremonyFixture().registration() },
    ]
  }
}

/// The ceremonies of `Examples/artifacts`, begun with the challenges that they answer.
private struct CeremonyFixture {
  private let relyingParty: RelyingParty
  private let user: UserHandle
  private let registrationResponse: [UInt8]
  private let authenticationResponse: [UInt8]
  private let time = Timestamp(secondsSince1970: 1_780_000_000)

  init() throws {
    relyingParty = try RelyingParty(
      id: RelyingPartyID("raxx.app"), name: "Raxx", origins: [Origin("https://raxx.app")])
    user = try UserHandle([UInt8]("user-1".utf8))
    registrationResponse = try File.bytes("\(projectFolder)/Examples/artifacts/registration-response.json")
    authenticationResponse = try File.bytes("\(projectFolder)/Examples/artifacts/authentication-response.json")
  }

  func registration() throws -> () throws -> Void {
    let response = try RegistrationResponse(json: registrationResponse[...])
    let pending = relyingParty.beginRegistration(
      of: UserEntity(id: user, name: "ada@example.org", displayName: "Ada"), at: time,
      challenge: try challenge(in: response.clientDataJSON)
    ).pending
    return {
      let response = try RegistrationResponse(json: registrationResponse[...])
      keep(try relyingParty.finishRegistration(response, pending: pending, existing: nil, at: time))
    }
  }

  /// The record's key is read anew each time, as it comes out of a store.
  func authentication() throws -> () throws -> Void {
    let registration = try RegistrationResponse(json: registrationResponse[...])
    let data = try AttestationObject(parsing: registration.attestationObject).authenticatorData
    let credential = StoredCredential(
      user: user,
      record: CredentialRecord(
        id: registration.id, publicKey: data.attestedCredentialData?.credentialPublicKey ?? [], signCount: 0,
        uvInitialized: true, transports: [], backupEligible: false, backupState: false))
    let response = try AuthenticationResponse(json: authenticationResponse[...])
    let pending = relyingParty.beginAuthentication(
      of: .knownBefore(user, credentials: [credential.record.descriptor]), at: time,
      challenge: try challenge(in: response.clientDataJSON)
    ).pending
    return {
      let response = try AuthenticationResponse(json: authenticationResponse[...])
      keep(try relyingParty.finishAuthentication(response, pending: pending, credential: credential, at: time))
    }
  }

  private func challenge(in clientData: Bytes) throws -> Challenge {
    try Challenge(ClientData(parsing: clientData).challenge)
  }
}
