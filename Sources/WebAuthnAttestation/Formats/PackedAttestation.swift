// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import WebAuthnTypes
internal import WireFormats

/// The format of most security keys (WebAuthn Level 3 §8.2).
struct PackedAttestation {
  private let algorithm: COSEAlgorithm
  private let signature: Bytes
  private let certificates: AttestationCertificates?

  // 1. The statement has the members that it must have.
  init(parsing statement: CBORValue) throws(AttestationError) {
    let statement = try AttestationStatement(statement)
    algorithm = try statement.algorithm()
    signature = try statement.bytes("sig")
    // Level 1 had a third kind, ECDAA, that was never built. It must not pass for an attestation by the key itself.
    guard !statement.has("ecdaaKeyId") else { throw AttestationError(.unsupportedAlgorithm, "ECDAA") }
    certificates = statement.has("x5c") ? try statement.certificates() : nil
  }

  func verify(
    of ceremony: AttestedCeremony, _ tolerances: ModelTolerances
  ) throws(AttestationError) -> VerifiedStatement {
    // RS1 is for TPMs: no security key needs it.
    guard algorithm != .rs1 else { throw AttestationError(.legacyHash, "RS1") }
    guard let certificates else { return try verifySelf(ceremony) }

    // 2. With a certificate: its key signed the authenticator data and the hash of the client data …
    try certificates.verify(signature, over: ceremony.signedBytes, algorithm)
    // … where it names a model, it is the one in the authenticator data, on which depends what is tolerated …
    try certificates.leaf.requireAAGUID(ceremony.credential.aaguid)
    // … and it is what §8.2.1 wants it to be.
    try certificates.leaf.requirePackedAttestationForm(of: ceremony.credential.aaguid, tolerances)
    // Whether it is Basic or AttCA only metadata know.
    return VerifiedStatement(type: .basic, claims: .byAuthenticator, certificates: certificates.all)
  }

  private func verifySelf(_ ceremony: AttestedCeremony) throws(AttestationError) -> VerifiedStatement {
    // 3. Without one: the algorithm is the credential key's …
    guard algorithm == ceremony.credentialPublicKey.algorithm else {
      throw AttestationError(
        .algorithmMismatch, expected: ceremony.credentialPublicKey.algorithm, received: algorithm)
    }
    // … and that key signed.
    try ceremony.credentialPublicKey.verifyAttestation(signature, over: ceremony.signedBytes)
    return VerifiedStatement(type: .self, claims: .bySelf)
  }
}
