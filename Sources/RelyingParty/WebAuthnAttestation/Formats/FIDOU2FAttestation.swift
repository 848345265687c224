// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyFormats
internal import WebAuthnTypes

/// The format of U2F security keys (WebAuthn Level 3 §8.6).
///
/// The signature covers neither the AAGUID nor the flags nor the counter: see `ProvenClaims`.
struct FIDOU2FAttestation {
  private let signature: Bytes
  private let certificates: AttestationCertificates

  // 1. Parses the statement; all members are required.
  init(parsing statement: CBORValue) throws(AttestationError) {
    let statement = try AttestationStatement(statement)
    signature = try statement.bytes("sig")
    certificates = try statement.certificates()
  }

  func verify(
    of ceremony: AttestedCeremony, _ tolerances: ModelTolerances
  ) throws(AttestationError) -> VerifiedStatement {
    // CTAP 2.3 §10: a platform that translates a U2F registration writes a zero AAGUID. Any other value has a different
    // source, and the statement cannot show whether it is genuine.
    let aaguid = ceremony.credential.aaguid
    guard aaguid == .zero || tolerances.namedInFIDOU2F.contains(aaguid) else {
      throw AttestationError(.aaguidNotZero, "\(aaguid)")
    }
    // 2. There is exactly one certificate. The algorithm in step 6 ensures that its key is on P-256.
    guard certificates.all.count == 1 else {
      throw AttestationError(.certificateCount, expected: 1, received: certificates.all.count)
    }
    try certificates.leaf.requireNotForAnotherFormat()
    // 3. The parts are taken from the authenticator data.
    let credentialID = ceremony.credential.credentialID
    // 4. The credential key in U2F form: an uncompressed P-256 point. COSE has checked the lengths of x and y.
    guard case .ec2(.p256, let x, let y) = ceremony.credentialPublicKey.material,
      ceremony.credentialPublicKey.algorithm == .es256
    else {
      throw AttestationError(
        .algorithmMismatch, expected: COSEAlgorithm.es256, received: ceremony.credentialPublicKey.algorithm)
    }
    // 5. The signed data of a U2F registration.
    var message = ByteWriter(capacity: 1 + 32 + 32 + credentialID.count + 65)
    message.write(0x00 as UInt8)
    message.write(ceremony.authenticatorData.relyingPartyIDHash)
    message.write(ceremony.clientDataHash)
    message.write(credentialID)
    message.write(0x04 as UInt8)
    message.write(x)
    message.write(y)
    // 6. The certificate's key signed them with ECDSA and SHA-256.
    try certificates.verify(signature, over: message.bytes, .es256)
    // 7. and 8. Only metadata can distinguish Basic from AttCA.
    return VerifiedStatement(type: .basic, claims: .byU2F, certificates: certificates.all)
  }
}
