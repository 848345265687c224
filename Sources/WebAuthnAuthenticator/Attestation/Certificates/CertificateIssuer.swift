// SPDX-License-Identifier: Apache-2.0

public import COSE
public import SystemCrypto
public import WireFormats

/// Somebody who issues certificates: an authority's name and key.
public struct CertificateIssuer: Sendable {
  /// The authority's name, as it stands in its own certificate.
  public let name: CertificateName

  /// The key that signs.
  public let key: SigningKey

  /// The certificates that lead from this authority to a root, its own first; without the root's, which nobody needs.
  public let path: [[UInt8]]

  /// Names an authority.
  public init(name: CertificateName, key: SigningKey, path: [[UInt8]] = []) {
    self.name = name
    self.key = key
    self.path = path
  }

  /// A certificate for whoever signs attestations, with what RFC 5280 §4.2.1 has certificates say. What an attestation
  /// format wants besides comes behind it.
  public func leaf(
    _ subject: CertificateName, publicKey: COSEKey, serialNumber: [UInt8], validity: ClosedRange<Timestamp>
  ) throws(CryptoError) -> CertificateMaker {
    CertificateMaker(
      serialNumber: serialNumber, issuer: name, validity: validity, subject: subject, publicKey: publicKey,
      extensions: [
        .basicConstraints(isAuthority: false), .keyUsage(.digitalSignature), try .subjectKeyIdentifier(publicKey),
        try .authorityKeyIdentifier(key.publicKey),
      ])
  }

  /// The authority's own certificate, as a root has it.
  public func root(serialNumber: [UInt8], validity: ClosedRange<Timestamp>) throws(CryptoError) -> CertificateMaker {
    CertificateMaker(
      serialNumber: serialNumber, issuer: name, validity: validity, subject: name, publicKey: key.publicKey,
      extensions: [
        .basicConstraints(isAuthority: true), .keyUsage([.certificateSigning, .revocationListSigning]),
        try .subjectKeyIdentifier(key.publicKey),
      ])
  }

  /// A certificate for an authority below this one.
  public func authority(
    _ subject: CertificateName, publicKey: COSEKey, serialNumber: [UInt8], validity: ClosedRange<Timestamp>
  ) throws(CryptoError) -> CertificateMaker {
    CertificateMaker(
      serialNumber: serialNumber, issuer: name, validity: validity, subject: subject, publicKey: publicKey,
      extensions: [
        .basicConstraints(isAuthority: true), .keyUsage([.certificateSigning, .revocationListSigning]),
        try .subjectKeyIdentifier(publicKey), try .authorityKeyIdentifier(key.publicKey),
      ])
  }
}
