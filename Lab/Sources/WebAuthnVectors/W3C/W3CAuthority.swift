// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnAuthenticator

/// The certificate authority of the standard's vectors.
enum W3CAuthority {
  /// Returns the issuer. Statements of the vectors do not contain its certificate.
  static func issuer() throws(PasskeyCryptoError) -> CertificateIssuer {
    try identity().issuer
  }

  /// Returns the authority's certificate, which is the trust anchor.
  static func certificate() throws(PasskeyCryptoError) -> [UInt8] {
    let (issuer, serialNumber) = try identity()
    return try issuer.root(serialNumber: serialNumber, validity: validity)
      .certificate(signedBy: issuer.key, .deterministic)
  }

  /// The subject of attestation certificates.
  static let attestation = name("Authenticator Attestation")

  /// The validity of certificates: 2024-01-01 to 3024-01-01.
  static let validity = UnixTime(secondsSince1970: 1_704_067_200)...UnixTime(secondsSince1970: 33_260_976_000)

  private static func identity() throws(PasskeyCryptoError) -> (issuer: CertificateIssuer, serialNumber: [UInt8]) {
    let random = RandomSource.seeded([UInt8](W3CVector.seed.utf8)[...], label: "Attestation CA")
    let key = try SigningKey(.es256, privateKey: random.secret(32))
    return (
      CertificateIssuer(name: name("Authenticator Attestation CA"), key: key),
      try random.bytes(W3CValues.serialNumberByteCount)
    )
  }

  private static func name(_ unit: String) -> CertificateName {
    CertificateName(
      .init(.commonName, "WebAuthn test vectors"), .init(.organizationName, "W3C"),
      .init(.organizationalUnitName, unit), .init(.countryName, "AA"))
  }
}
