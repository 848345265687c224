// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyFormats
internal import WebAuthnTypes

/// The format of most security keys (WebAuthn Level 3 §8.2).
struct PackedAttestation {
  private let algorithm: COSEAlgorithm
  private let signature: Bytes
  private let certificates: AttestationCertificates?

  // 1. Parses the statement.
  init(parsing statement: CBORValue) throws(AttestationError) {
    let statement = try AttestationStatement(statement)
    algorithm = try statement.algorithm()
    signature = try statement.bytes("sig")
    // Level 1 defined a third kind, ECDAA, that was never implemented. It must not be treated as self attestation.
    guard statement.lookUp("ecdaaKeyId") == nil else { throw AttestationError(.unsupportedAlgorithm, "ECDAA") }
    certificates = statement.lookUp("x5c") == nil ? nil : try statement.certificates()
  }

  func verify(
    of ceremony: AttestedCeremony, _ tolerances: ModelTolerances
  ) throws(AttestationError) -> VerifiedStatement {
    // RS1 is accepted for TPMs only: no security key requires it.
    guard algorithm != .rs1 else { throw AttestationError(.legacyHash, "RS1") }
    guard let certificates else { return try verifySelf(ceremony) }

    // 2. With a certificate: its key signed the authenticator data and the hash of the client data.
    try certificates.verify(signature, over: ceremony.signedBytes, algorithm)
    // The AAGUID in the certificate, if present, equals the claimed one. Tolerances depend on it, so this check is
    // first.
    try certificates.leaf.requireAAGUID(ceremony.credential.aaguid)
    // The certificate meets the requirements of §8.2.1.
    try certificates.leaf.requirePackedAttestationForm(of: ceremony.credential.aaguid, tolerances)
    // Only metadata can distinguish Basic from AttCA.
    return VerifiedStatement(type: .basic, claims: .byAuthenticator, certificates: certificates.all)
  }

  private func verifySelf(_ ceremony: AttestedCeremony) throws(AttestationError) -> VerifiedStatement {
    // 3. Without a certificate: the algorithm is the credential key's.
    guard algorithm == ceremony.credentialPublicKey.algorithm else {
      throw AttestationError(
        .algorithmMismatch, expected: ceremony.credentialPublicKey.algorithm, received: algorithm)
    }
    // The credential key made the signature.
    try ceremony.credentialPublicKey.verifyAttestation(signature, over: ceremony.signedBytes)
    return VerifiedStatement(type: .self, claims: .bySelf)
  }
}
