// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

// Limits
//   certificate: 64 KiB [the largest attestation certificates, ML-DSA-87 signed by ML-DSA-87, have 8 KiB]
//   extensions: 32      [real certificates have up to 12; the duplicate check is quadratic]
//
// Why a parser of our own: libcrypto decodes the public key while it parses, which costs as much as two P-256
// verifications, and it reports path failures without a usable reason. Here libcrypto verifies only the signatures.
// The parser accepts these errors of real attestation certificates:
//   - encoded DEFAULT values, such as CA:FALSE and version 1 (X.690 §11.5 forbids them)
//   - policies with any content: they are not evaluated, and TPM certificates have qualifiers that are not DER
//   - key identifiers that do not match: they are hints for finding an issuer; names and signatures decide
//   - a non-zero count of unused bits in the signature, which the signature does not cover
//   - a BOOLEAN true other than FF: an attestation certificate of AuthenTrend's ATKey has 01
//   - UTCTime and GeneralizedTime outside their RFC 5280 year ranges

/// A parsed X.509 certificate (RFC 5280). It is not validated: use `TrustStore` to validate it.
///
/// Immutable, so threads may share it. It is a class because certificates are passed more often than created.
public final class X509Certificate: Sendable {
  /// The DER encoding.
  package let der: Bytes

  let content: TBSCertificate
  let signature: CertificateSignature

  /// The maximum size in bytes.
  package static let maximumByteCount = 65536

  /// Parses `der`, which must be exactly one certificate.
  ///
  /// - Throws: `certificate.malformed` or `certificate.duplicate-extension`.
  package init(der: Bytes) throws(PasskeyCryptoError) {
    guard der.count <= Self.maximumByteCount else {
      throw PasskeyCryptoError(.certificateMalformed, "\(der.count) bytes exceed the limit of \(Self.maximumByteCount)")
    }
    do throws(WireError) {
      let signed: DERElement
      (signed, signature) = try CertificateSignature.parse(der)
      content = try signed.readContent { (reader) throws(WireError) in try TBSCertificate(reading: &reader) }
    } catch {
      throw PasskeyCryptoError(.certificateMalformed, error)
    }
    self.der = der
    try content.checkConsistency(with: signature)
  }

  /// Parses `der`, which must be exactly one certificate.
  ///
  /// - Throws: `certificate.malformed` or `certificate.duplicate-extension`.
  public convenience init(der: [UInt8]) throws(PasskeyCryptoError) {
    try self.init(der: der[...])
  }

  /// Parses the certificates of a PEM text, in their order. Text between them is a comment.
  ///
  /// - Returns: The certificates; none if the text has no PEM block.
  /// - Throws: `certificate.malformed` or `certificate.duplicate-extension`.
  public static func readAll(pem text: String) throws(PasskeyCryptoError) -> [X509Certificate] {
    let blocks: [PEM.Block]
    do throws(WireError) { blocks = try PEM.blocks(in: text) } catch {
      throw PasskeyCryptoError(.certificateMalformed, error)
    }
    return try blocks.map { (block) throws(PasskeyCryptoError) in try X509Certificate(der: block.bytes) }
  }

  /// Parses one or more concatenated certificates. An entry of the FIDO metadata has two roots in one value.
  ///
  /// - Throws: `certificate.malformed` or `certificate.duplicate-extension`.
  package static func readAll(der: some ByteSource) throws(PasskeyCryptoError) -> [X509Certificate] {
    let der = der.slice
    var reader = DERReader(der)
    var certificates: [X509Certificate] = []
    repeat {
      let next = try mapError(reader.read(.sequence).encoded) { (error: WireError) in
        PasskeyCryptoError(.certificateMalformed, error)
      }
      certificates.append(try X509Certificate(der: next))
    } while !reader.isAtEnd
    return certificates
  }
}

extension X509Certificate {
  /// The version: 1, 2 or 3.
  package var version: Int { content.version }

  /// The serial number in two's complement octets.
  package var serialNumber: Bytes { content.serialNumber }

  /// The name of the issuer.
  package var issuer: DistinguishedName { content.issuer }

  /// The name of the subject.
  package var subject: DistinguishedName { content.subject }

  /// The start of the validity period, inclusive.
  package var notBefore: UnixTime { content.notBefore }

  /// The end of the validity period, inclusive.
  package var notAfter: UnixTime { content.notAfter }

  /// The subject's public key.
  package var subjectPublicKeyInfo: SubjectPublicKeyInfo { content.subjectPublicKeyInfo }

  /// The algorithm of the issuer's signature.
  package var signatureAlgorithm: DERObjectIdentifier { signature.algorithm.algorithm }

  /// Whether subject and issuer have the same name, as in root certificates.
  package var isSelfIssued: Bool { issuer == subject }

  /// The SHA-256 hash of the DER encoding.
  package var sha256Fingerprint: [UInt8] { Digest.sha256(der) }
}

extension X509Certificate: Hashable {
  /// Whether two certificates have the same encoding.
  public static func == (left: X509Certificate, right: X509Certificate) -> Bool {
    left === right || left.der == right.der
  }

  /// Hashes fields that identify the certificate among those of its issuer.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(serialNumber)
    hasher.combine(signature.value)
  }
}

extension X509Certificate: CustomStringConvertible {
  /// The subject and the issuer, for a log line.
  public var description: String { "\(subject) (issued by \(issuer))" }
}
