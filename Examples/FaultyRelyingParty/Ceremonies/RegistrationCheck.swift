// SPDX-License-Identifier: Apache-2.0

import COSE
import PasskeyHTTP
import SystemCrypto
import WebAuthnTypes
import WireFormats

/// The checks of a new credential (WebAuthn §7.1).
struct RegistrationCheck {
  let faults: Faults
  let origin: String

  /// The algorithms that the options offer.
  static let algorithms: [COSEAlgorithm] = [.es256, .eddsa, .rs256]

  /// Returns the passkey that a response registers.
  func verify(
    _ response: RegistrationResponse, _ clientData: ClientData, of ceremony: Ceremony, owner: [UInt8],
    isTaken: ([UInt8]) -> Bool, at time: Timestamp
  ) throws -> Passkey {
    try require(clientData.type == .create, "registration.type")
    try require(Array(clientData.challenge) == ceremony.challenge, "registration.challenge")
    try require(clientData.origin.utf8.elementsEqual(origin.utf8), "registration.origin")
    try require(clientData.crossOrigin != true && clientData.topOrigin == nil, "registration.cross-origin")
    let object = try AttestationObject(parsing: response.attestationObject)
    let data = object.authenticatorData
    try require(Array(data.relyingPartyIDHash) == Digest.sha256(FaultyParty.id.utf8), "registration.rp-id")
    try require(data.flags.contains(.userPresent), "registration.user-presence")
    try require(data.flags.contains(.userVerified), "registration.user-verification")
    try require(data.flags.contains(.backupEligible) || !data.flags.contains(.backedUp), "registration.backup-state")
    guard let attested = data.attestedCredentialData else { throw Refusal(.badRequest, "registration.no-credential") }
    let key = try COSEKey(parsing: attested.credentialPublicKey)
    try require(Self.algorithms.contains(key.algorithm), "registration.algorithm")
    // The point is on the curve, and the modulus is long enough.
    _ = try VerifyingKey(key)
    try key.requirePointOnCurve()
    try require(data.extensions == nil, "registration.extension")
    try check(object, key, response)
    try require(attested.credentialID.count <= CredentialID.maximumByteCount, "registration.id-too-long")
    try require(response.id.bytes == attested.credentialID, "registration.id-other")
    try require(!isTaken([UInt8](attested.credentialID)), "registration.id-taken")
    return Passkey(
      id: [UInt8](attested.credentialID), owner: owner, key: key, aaguid: attested.aaguid,
      transports: response.transports.map(\.rawValue), isBackupEligible: data.flags.contains(.backupEligible),
      created: time, isBackedUp: data.flags.contains(.backedUp), counter: data.signCount, name: "Passkey")
  }

  /// Verifies the attestation statement: none, or the credential's own signature.
  private func check(
    _ object: AttestationObject, _ key: COSEKey, _ response: RegistrationResponse
  ) throws {
    let statement = try object.statement.map
    switch object.format.rawValue {
    case "none":
      try require(statement.count == 0, "registration.statement-not-empty")
    case "packed":
      guard let algorithm = try statement["alg"]?.integer, let signature = try statement["sig"]?.bytes else {
        throw Refusal(.badRequest, "registration.statement-malformed")
      }
      try require(statement["x5c"] == nil, "registration.statement-certificates")
      try require(algorithm == key.algorithm.rawValue, "registration.statement-algorithm")
      try key.verify(
        signature, over: object.authenticatorData.encoded, followedBy: Bytes(Digest.sha256(response.clientDataJSON)))
    default: throw Refusal(.badRequest, "registration.format")
    }
  }

  private func require(_ holds: Bool, _ code: String) throws {
    guard holds else { throw Refusal(.badRequest, code) }
  }
}
