// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnAttestation
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// Verifies a response for one pending registration, for which the seeds were generated.
func checkRegistrationCeremony(_ input: Bytes) throws(Violation) {
  let stage = try CeremonyStage.kept
  guard let response = try? RegistrationResponse(json: input) else { return }
  let result: VerifiedRegistration
  do throws(CeremonyError) {
    result = try stage.relyingParty.finishRegistration(
      response, pending: PendingRegistration(taken: [UInt8](stage.registration)), existing: .notFound, at: stage.now)
  } catch {
    return try require((1...29).contains(error.step ?? 0), "rejected without a step: \(error)")
  }
  try require(result.flags.isSuperset(of: [.userPresent, .userVerified, .attestedCredentialData]), "flags")
  try require(result.credential.record.id == response.id, "another credential")
  try require(result.credential.user == stage.user, "another user")
  if case .anchored = result.attestation.trust { throw Violation(description: "anchored without any anchors") }
  try checkFrame(response.clientDataJSON, .create, stage.registrationChallenge)
  // The relying party rejects a credential ID that already has an owner.
  let again = try? stage.relyingParty.finishRegistration(
    response, pending: PendingRegistration(taken: [UInt8](stage.registration)), existing: .found(result.credential),
    at: stage.now)
  try require(again == nil, "a credential was registered twice")
}

/// Verifies a response for one pending sign-in: unchanged, and then signed with the credential's key, so that the steps
/// after the signature are reached too.
func checkAuthenticationCeremony(_ input: Bytes) throws(Violation) {
  let stage = try CeremonyStage.kept
  guard var response = try? AuthenticationResponse(json: input) else { return }
  let isVerified = try checkAuthentication(response, on: stage)
  let message = response.authenticatorData + Digest.sha256(response.clientDataJSON)
  guard let signature = try? stage.key.sign(message, .deterministic) else { return }
  response.signature = signature[...]
  let isVerifiedWhenSigned = try checkAuthentication(response, on: stage)
  try require(isVerifiedWhenSigned || !isVerified, "accepted with the original signature, rejected with a valid one")
}

private func checkAuthentication(_ response: AuthenticationResponse, on stage: CeremonyStage) throws(Violation) -> Bool
{
  let result: VerifiedAuthentication
  do throws(CeremonyError) {
    result = try stage.relyingParty.finishAuthentication(
      ReceivedAuthentication(response), pending: PendingAuthentication(taken: [UInt8](stage.authentication)),
      credential: stage.credential, at: stage.now)
  } catch {
    try require((1...25).contains(error.step ?? 0), "rejected without a step: \(error)")
    return false
  }
  try require(result.flags.isSuperset(of: [.userPresent, .userVerified]), "flags")
  try require(result.user == stage.user && (response.userHandle ?? stage.user) == stage.user, "another user")
  try require(response.id == stage.credential.record.id, "another credential")
  try require(result.stepUp == nil, "a step-up proof without a request")
  try checkFrame(response.clientDataJSON, .get, stage.authenticationChallenge)
  return true
}

/// Checks that accepted client data has the expected values in the full parser as well.
private func checkFrame(_ text: Bytes, _ type: ClientDataType, _ challenge: Challenge) throws(Violation) {
  // Only the full parser accepts leading white space.
  let spaced = [UInt8(ascii: " ")] + JSON.withoutByteOrderMark(text)
  guard spaced.count <= JSON.maximumMessageSize else { return }
  guard let clientData = try? ClientData(parsing: spaced[...]) else {
    throw Violation(description: "accepted data that is not client data")
  }
  try require(clientData.type == type, "another type")
  try require(clientData.challenge == challenge.bytes[...], "another challenge")
  let origins = ["https://raxx.app", "https://raxx.app:443"]
  try require(origins.contains(clientData.origin), "another origin")
  try require(clientData.crossOrigin != true && clientData.topOriginUTF8 == nil, "accepted a cross-origin response")
}

/// The pending ceremonies and their expected values; the same in every run.
struct CeremonyStage: Sendable {
  let relyingParty: RelyingParty
  let user: UserHandle
  let key: SigningKey
  let credential: StoredCredential
  /// The serialized pending ceremonies. Each verification parses its own copy.
  let registration: Bytes
  let authentication: Bytes
  let registrationChallenge: Challenge
  let authenticationChallenge: Challenge
  let now = UnixTime(secondsSince1970: 1_893_456_000)

  static var kept: Self {
    get throws(Violation) {
      guard let made else { throw Violation(description: "the ceremony cannot be created") }
      return made
    }
  }

  private static let made = try? CeremonyStage()

  private init() throws {
    relyingParty = try RelyingParty(
      id: RelyingPartyID("raxx.app"), name: "Raxx", origins: [WebOrigin("https://raxx.app")])
    user = try UserHandle([UInt8]("user-1".utf8)[...])
    key = try .generate(.eddsa, random: .seeded([1], label: "ceremony stage"))
    credential = StoredCredential(
      user: user,
      record: CredentialRecord(
        id: try CredentialID([UInt8](repeating: 7, count: 16)[...]), publicKey: key.publicKey.encoded,
        signCount: 4, uvInitialized: true, transports: [], backupEligible: true, backupState: false))
    let random = RandomSource.seeded([2], label: "ceremony stage")
    let creation = try relyingParty.beginRegistration(
      of: UserEntity(id: user, name: "ada@example.org", displayName: "Ada"), at: now, random: random)
    (registration, registrationChallenge) = (creation.pending.bytes[...], creation.options.challenge)
    let request = try relyingParty.beginAuthentication(
      of: .knownBefore(user, credentials: [credential.record.descriptor]), at: now, random: random)
    (authentication, authenticationChallenge) = (request.pending.bytes[...], request.options.challenge)
  }
}
