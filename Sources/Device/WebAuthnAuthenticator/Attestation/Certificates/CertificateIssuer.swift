// SPDX-License-Identifier: Apache-2.0

package import PasskeyCOSE
package import PasskeyCrypto
package import PasskeyFormats

/// A certificate authority: a name and a private key.
package struct CertificateIssuer: Sendable {
  /// The authority's name, as in its own certificate.
  package let name: CertificateName

  /// The private key that signs certificates.
  package let key: SigningKey

  /// The certificates from this authority to a root, its own first, without the root.
  package let path: [[UInt8]]

  /// Creates an authority.
  package init(name: CertificateName, key: SigningKey, path: [[UInt8]] = []) {
    self.name = name
    self.key = key
    self.path = path
  }

  /// Returns an unsigned leaf certificate for an attestation key, with the extensions of RFC 5280 §4.2.1. The caller
  /// appends those of the attestation format.
  ///
  /// - Throws: `crypto.unsupported-algorithm` for a key that has no SubjectPublicKeyInfo.
  package func leaf(
    _ subject: CertificateName, publicKey: COSEKey, serialNumber: [UInt8], validity: ClosedRange<UnixTime>
  ) throws(PasskeyCryptoError) -> CertificateMaker {
    CertificateMaker(
      serialNumber: serialNumber, issuer: name, validity: validity, subject: subject, publicKey: publicKey,
      extensions: [
        .basicConstraints(isAuthority: false), .keyUsage(.digitalSignature), try .subjectKeyIdentifier(publicKey),
        try .authorityKeyIdentifier(key.publicKey),
      ])
  }

  /// Returns an unsigned root certificate of this authority.
  ///
  /// - Throws: `crypto.unsupported-algorithm` for a key that has no SubjectPublicKeyInfo.
  package func root(
    serialNumber: [UInt8], validity: ClosedRange<UnixTime>
  ) throws(PasskeyCryptoError) -> CertificateMaker {
    CertificateMaker(
      serialNumber: serialNumber, issuer: name, validity: validity, subject: name, publicKey: key.publicKey,
      extensions: [
        .basicConstraints(isAuthority: true), .keyUsage([.certificateSigning, .revocationListSigning]),
        try .subjectKeyIdentifier(key.publicKey),
      ])
  }

  /// Returns an unsigned certificate for an intermediate authority below this one.
  ///
  /// - Throws: `crypto.unsupported-algorithm` for a key that has no SubjectPublicKeyInfo.
  package func authority(
    _ subject: CertificateName, publicKey: COSEKey, serialNumber: [UInt8], validity: ClosedRange<UnixTime>
  ) throws(PasskeyCryptoError) -> CertificateMaker {
    CertificateMaker(
      serialNumber: serialNumber, issuer: name, validity: validity, subject: subject, publicKey: publicKey,
      extensions: [
        .basicConstraints(isAuthority: true), .keyUsage([.certificateSigning, .revocationListSigning]),
        try .subjectKeyIdentifier(publicKey), try .authorityKeyIdentifier(key.publicKey),
      ])
  }
}
