// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import SystemCrypto
internal import WireFormats

/// Attestation by Android's key store (WebAuthn Level 3 §8.4).
struct AndroidKeyAttestation {
  private let algorithm: COSEAlgorithm
  private let signature: Bytes
  private let certificates: AttestationCertificates

  /// KM_ORIGIN_GENERATED: the key was made in there.
  private static let originGenerated: Int64 = 0
  /// KM_PURPOSE_SIGN
  private static let purposeSign: Int64 = 2

  // The statement has the members that it must have.
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
    // The key of the first certificate signed.
    try certificates.verify(signature, over: ceremony.signedBytes, algorithm)
    // It is the credential key.
    try ceremony.requireCredentialKey(in: certificates.leaf)
    // The key store was asked for this ceremony.
    let description = try AndroidKeyDescription(of: certificates.leaf)
    guard description.attestationChallenge == ceremony.clientDataHash else {
      throw AttestationError(.androidChallengeMismatch)
    }
    // A passkey belongs to one relying party, never to every application.
    guard !description.softwareEnforced.allApplications, !description.trustedEnvironmentEnforced.allApplications else {
      throw AttestationError(.androidAllApplications)
    }
    let lists =
      switch authorizations {
      case .trustedEnvironmentOnly: [description.trustedEnvironmentEnforced]
      case .softwareOrTrustedEnvironment: [description.softwareEnforced, description.trustedEnvironmentEnforced]
      }
    // The key was made inside, and it is there to sign and for nothing else.
    let origins = Set(lists.compactMap(\.origin))
    guard origins == [Self.originGenerated] else {
      throw AttestationError(.androidKeyOrigin, expected: [Self.originGenerated], received: origins.sorted())
    }
    let purposes = Set(lists.flatMap(\.purposes))
    guard purposes == [Self.purposeSign] else {
      throw AttestationError(.androidKeyPurpose, expected: [Self.purposeSign], received: purposes.sorted())
    }
    return VerifiedStatement(type: .basic, certificates: certificates.all)
  }
}
