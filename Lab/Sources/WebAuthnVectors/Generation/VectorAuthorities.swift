// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyTesting
internal import WebAuthnAuthenticator

/// The certificate authorities of the vectors: a trusted root, intermediate authorities below it, and an impostor.
enum VectorAuthorities {
  static func root() throws(PasskeyCryptoError) -> CertificateIssuer {
    CertificateIssuer(name: name("Root"), key: try ScenarioValues.key(of: "Root"))
  }

  /// Returns the root with its own certificate in its path, as Android's root has it.
  static func rootWithCertificate() throws(PasskeyCryptoError) -> CertificateIssuer {
    let root = try root()
    return CertificateIssuer(name: root.name, key: root.key, path: [try rootCertificate()])
  }

  static func rootCertificate() throws(PasskeyCryptoError) -> [UInt8] {
    let root = try root()
    return try root.root(serialNumber: [1], validity: ScenarioDefaults.validity)
      .certificate(signedBy: root.key, .deterministic)
  }

  /// Returns an authority below the root.
  static func intermediate(
    _ algorithm: COSEAlgorithm = .es256, _ corrupt: (inout CertificateMaker) -> Void = { _ in }
  ) throws(PasskeyCryptoError) -> CertificateIssuer {
    try authority("Intermediate", 2, algorithm, below: root(), corrupt)
  }

  /// Returns an imported key of an Android key store as an issuer. Its certificate says that the key was imported.
  static func attestKey(for subject: AttestationSubject) throws(PasskeyCryptoError) -> CertificateIssuer {
    var description = AndroidKeyDescription(of: subject)
    description.trustedEnvironmentEnforced.origin = .imported
    return try intermediate { $0.extensions.append(.androidKeyDescription(description)) }
  }

  /// Returns an authority below an intermediate one.
  static func secondIntermediate(below above: CertificateIssuer) throws(PasskeyCryptoError) -> CertificateIssuer {
    try authority("Second intermediate", 4, .es256, below: above) { _ in }
  }

  /// Returns a certificate with the intermediate authority's name and another key.
  static func decoy() throws(PasskeyCryptoError) -> [UInt8] {
    let root = try root()
    let key = try ScenarioValues.key(of: "Decoy")
    return try root.authority(
      name("Intermediate"), publicKey: key.publicKey, serialNumber: [5], validity: ScenarioDefaults.validity
    ).certificate(signedBy: key, .deterministic)
  }

  private static func authority(
    _ name: String, _ serialNumber: UInt8, _ algorithm: COSEAlgorithm, below above: CertificateIssuer,
    _ corrupt: (inout CertificateMaker) -> Void
  ) throws(PasskeyCryptoError) -> CertificateIssuer {
    let key = try ScenarioValues.key(of: name, algorithm)
    var certificate = try above.authority(
      Self.name(name), publicKey: key.publicKey, serialNumber: [serialNumber], validity: ScenarioDefaults.validity)
    corrupt(&certificate)
    let signed = try certificate.certificate(signedBy: above.key, .deterministic)
    return CertificateIssuer(name: certificate.subject, key: key, path: [signed] + above.path)
  }

  /// Returns an authority with the root's name and another key.
  static func impostor() throws(PasskeyCryptoError) -> CertificateIssuer {
    CertificateIssuer(name: name("Root"), key: try ScenarioValues.key(of: "Impostor"))
  }

  /// Makes an authority's revocation list; the root's by default.
  static func revocationList(
    of serialNumbers: [[UInt8]], validity: ClosedRange<UnixTime> = ScenarioDefaults.validity,
    by issuer: CertificateIssuer? = nil, signedBy signer: CertificateIssuer? = nil
  ) throws(PasskeyCryptoError) -> [UInt8] {
    let issuer = if let issuer { issuer } else { try root() }
    return try RevocationListMaker(issuer: issuer.name, validity: validity, serialNumbers: serialNumbers)
      .list(signedBy: (signer ?? issuer).key, .deterministic)
  }

  /// The subject of an attestation certificate, as WebAuthn §8.2.1 requires it.
  static let attestation = CertificateName(
    .init(.countryName, "SE"), .init(.organizationName, "Passkey Vectors"),
    .init(.organizationalUnitName, "Authenticator Attestation"), .init(.commonName, "Passkey Vectors Batch 1"))

  private static func name(_ commonName: String) -> CertificateName {
    CertificateName(
      .init(.countryName, "SE"), .init(.organizationName, "Passkey Vectors"),
      .init(.organizationalUnitName, "Authenticator Attestation CA"), .init(.commonName, commonName))
  }
}
