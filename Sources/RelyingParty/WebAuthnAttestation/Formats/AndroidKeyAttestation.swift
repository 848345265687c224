// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats

/// Attestation by Android's key store (WebAuthn Level 3 §8.4).
struct AndroidKeyAttestation {
  private let algorithm: COSEAlgorithm
  private let signature: Bytes
  private let certificates: AttestationCertificates

  // Parses the statement; all members are required.
  init(parsing statement: CBORValue) throws(AttestationError) {
    let statement = try AttestationStatement(statement)
    algorithm = try statement.algorithm()
    signature = try statement.bytes("sig")
    certificates = try statement.certificates()
  }

  func verify(
    of ceremony: AttestedCeremony, _ authorizations: AttestationPolicy.AndroidKeyAuthorizations
  ) throws(AttestationError) -> VerifiedStatement {
    guard algorithm != .rs1 else { throw AttestationError(.legacyHash, "RS1") }
    // The first certificate's key made the signature.
    try certificates.verify(signature, over: ceremony.signedBytes, algorithm)
    // The first certificate's key is the credential key.
    try ceremony.requireCredentialKey(in: certificates.leaf)
    try certificates.leaf.requireNotForAnotherFormat(
      except: .androidKeyDescription, purpose: .attestationKeyCertificate)
    // The key was attested for this ceremony.
    let description = try keyDescription(of: ceremony)
    guard description.attestationChallenge == ceremony.clientDataHash else {
      throw AttestationError(.androidChallengeMismatch)
    }
    // A passkey belongs to one relying party and must not be usable by every app.
    guard !description.softwareEnforced.allApplications, !description.hardwareEnforced.allApplications else {
      throw AttestationError(.androidAllApplications)
    }
    let lists: [KeyDescription.AuthorizationList]
    switch authorizations {
    case .trustedEnvironmentOnly:
      // In a software attestation, software also writes the hardware-enforced list.
      try description.requireSecurityLevel(.trustedEnvironment)
      lists = [description.hardwareEnforced]
    case .softwareOrTrustedEnvironment: lists = [description.softwareEnforced, description.hardwareEnforced]
    }
    // The key was generated in the key store, and may only sign.
    let origins = Set(lists.compactMap(\.origin))
    guard origins == [.generated] else {
      throw AttestationError(.androidKeyOrigin, expected: [0], received: origins.map(\.rawValue).sorted())
    }
    let purposes = Set(lists.flatMap(\.purposes))
    guard purposes == [.sign] else {
      throw AttestationError(.androidKeyPurpose, expected: [2], received: purposes.map(\.rawValue).sorted())
    }
    return VerifiedStatement(
      type: .basic, claims: .byKeyStore, certificates: certificates.all, androidKey: description)
  }

  /// Returns the key description of the certificate that is nearest to the root (Android documentation, "Verify
  /// hardware-backed key pairs"). A key that may sign certificates could sign a forged description below its own. So a
  /// description above the leaf must equal the leaf's, and its certificate must contain the credential key.
  private func keyDescription(of ceremony: AttestedCeremony) throws(AttestationError) -> KeyDescription {
    let description = try certificates.leaf.requireExtension(.androidKeyDescription)
    for issuer in certificates.all.dropFirst() {
      guard let other = issuer.extension(.androidKeyDescription) else { continue }
      guard other.value == description.value else {
        throw AttestationError(.androidIssuerDescription, "\(issuer.subject)")
      }
      try ceremony.requireCredentialKey(in: issuer)
    }
    return try mapError(KeyDescription(der: description.value)) { (error: WireError) in
      AttestationError(.malformedExtension, error, "\(DERObjectIdentifier.androidKeyDescription)")
    }
  }
}
