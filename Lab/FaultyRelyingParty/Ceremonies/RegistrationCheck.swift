// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyHTTP
import WebAuthnTypes

/// The checks of a new credential (WebAuthn §7.1).
struct RegistrationCheck {
  let faults: Faults
  let origin: String
  let settings: FaultyServer.Settings

  /// The algorithms that the options offer.
  static let algorithms: [COSEAlgorithm] = [.es256, .eddsa, .rs256]

  /// Returns the passkey that a response registers.
  func verify(
    _ response: RegistrationResponse, _ clientData: ClientData, of ceremony: Ceremony, owner: [UInt8],
    isTaken: ([UInt8]) -> Bool, at time: UnixTime
  ) throws -> Passkey {
    let clientDataCheck = ClientDataCheck(faults: faults, origin: origin, group: "registration")
    try clientDataCheck.ignoreTokenBinding(in: response.clientDataJSON)
    try clientDataCheck.verify(clientData, is: .create)
    if settings.asksForPolicies {
      try require(response.authenticatorAttachment != .crossPlatform, "attachment")
      try require(!Self.isNotDiscoverable(response), "resident-key")
    }
    let object = try AttestationObject(parsing: response.attestationObject)
    let data = object.authenticatorData
    let digest = Array(data.relyingPartyIDHash)
    let isEmpty = digest.allSatisfy { $0 == 0 }
    try require(digest == Digest.sha256(FaultyParty.id.utf8), isEmpty ? "rp-id-empty" : "rp-id-other")
    try require(data.flags.contains(.userPresent), "user-presence")
    let purpose = ceremony.purpose == .addition ? "addition-" : ""
    try require(data.flags.contains(.userVerified), "\(purpose)user-verification")
    try require(data.flags.contains(.backupEligible) || !data.flags.contains(.backedUp), "backup-state")
    guard let attested = data.attestedCredentialData else {
      throw Refusal(.badRequest, "registration.credential-missing")
    }
    try clientDataCheck.ignoreExtensions(of: data)
    let key = try COSEKey(parsing: attested.credentialPublicKey)
    try require(Self.algorithms.contains(key.algorithm), "algorithm")
    // The point is on the curve.
    try require((try? key.requirePointOnCurve()) != nil, "key-off-curve")
    try check(object, key, response, at: time)
    try require(response.id.bytes[...] == attested.credentialID, "id-not-attested")
    try require(!isTaken([UInt8](attested.credentialID)), "credential-id-taken")
    return Passkey(
      // With the fault, not the attested one.
      id: [UInt8](response.id.bytes), owner: owner, key: key, aaguid: attested.aaguid,
      transports: response.transports.map(\.rawValue), isBackupEligible: data.flags.contains(.backupEligible),
      created: time, isBackedUp: data.flags.contains(.backedUp), counter: data.signCount, name: "Passkey")
  }

  /// Whether the client says that the passkey is not discoverable.
  private static func isNotDiscoverable(_ response: RegistrationResponse) -> Bool {
    guard case .object(let properties)? = response.clientExtensionResults["credProps"] else { return false }
    return properties["rk"] == .bool(false)
  }

  /// Verifies the attestation statement: none, or the credential's own signature; others if the options ask for
  /// attestation.
  private func check(
    _ object: AttestationObject, _ key: COSEKey, _ response: RegistrationResponse, at time: UnixTime
  ) throws {
    guard !settings.asksForAttestation else {
      let failure = try AttestationCheck().failure(of: object, key, response.clientDataJSON, at: time)
      if let failure { try require(false, failure) }
      return
    }
    let statement = try object.statement.map
    switch object.format.rawValue {
    case "none":
      try require(statement.count == 0, "none-statement")
    case "packed":
      guard let algorithm = try statement["alg"]?.integer, let signature = try statement["sig"]?.bytes else {
        throw Refusal(.badRequest, "registration.statement-malformed")
      }
      guard statement["x5c"] == nil else { throw Refusal(.badRequest, "registration.certificates") }
      try require(algorithm == key.algorithm.rawValue, "self-algorithm")
      let digest = Bytes(Digest.sha256(response.clientDataJSON))
      let verified: Void? = try? key.verify(signature, over: object.authenticatorData.encoded, followedBy: digest)
      try require(verified != nil, "self-signature")
    default: try require(false, "format-unknown")
    }
  }

  private func require(_ holds: Bool, _ name: String) throws {
    try ClientDataCheck(faults: faults, origin: origin, group: "registration").require(holds, name)
  }
}
