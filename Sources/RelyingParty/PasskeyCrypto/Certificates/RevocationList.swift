// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

// Limits
//   list: 16 MiB [the largest lists of public authorities; lists of attestation authorities have kilobytes]

/// A parsed certificate revocation list (RFC 5280 §5). Its signature is not verified until a path validation uses it.
///
/// Only complete lists of an issuer's own certificates are supported. Others are rejected by their extensions.
package struct RevocationList: Sendable {
  /// The DER encoding.
  package let der: Bytes

  /// The name of the issuer.
  package let issuer: DistinguishedName

  /// The issue time.
  package let thisUpdate: UnixTime

  /// The time by which the next list is issued; `nil` if the list does not state it.
  package let nextUpdate: UnixTime?

  /// The CRL number, big-endian, if present. Later lists have higher numbers.
  package let number: Bytes?

  /// The number of revoked certificates.
  package var count: Int { revoked.count }

  let signature: CertificateSignature

  /// The revocations by serial number.
  private let revoked: [Bytes: Revocation]

  /// The maximum size in bytes.
  package static let maximumByteCount = 1 << 24

  /// The time and reason of a revocation.
  @usableFromInline package struct Revocation: Hashable, Sendable {
    /// The time from which the certificate is invalid.
    package let date: UnixTime

    /// The reason code (RFC 5280 §5.3.1), if present.
    package let reason: Int64?
  }

  /// Parses `der`, which must be exactly one revocation list.
  ///
  /// - Throws: `certificate.revocation-list-malformed` or `certificate.revocation-list-unsupported`.
  package init(der: some ByteSource) throws(PasskeyCryptoError) {
    let der = der.slice
    guard der.count <= Self.maximumByteCount else {
      throw PasskeyCryptoError(
        .certificateRevocationListMalformed, "\(der.count) bytes exceed the limit of \(Self.maximumByteCount)")
    }
    let content: TBSCertList
    do throws(WireError) {
      let signed: DERElement
      (signed, signature) = try CertificateSignature.parse(der)
      content = try signed.readContent { (reader) throws(WireError) in try TBSCertList(reading: &reader) }
    } catch {
      throw PasskeyCryptoError(.certificateRevocationListMalformed, error)
    }
    guard content.signatureAlgorithm == signature.algorithm else {
      throw PasskeyCryptoError(.certificateRevocationListMalformed, "inner and outer signature algorithms differ")
    }
    if let identifier = content.unsupportedExtension {
      throw PasskeyCryptoError(.certificateRevocationListUnsupported, "extension \(identifier)")
    }
    self.der = der
    issuer = content.issuer
    thisUpdate = content.thisUpdate
    nextUpdate = content.nextUpdate
    number = content.number
    revoked = content.revoked
  }

  /// Returns the revocation of the issuer's certificate with this serial number, or `nil` if it is not on the list.
  package func revocation(of serialNumber: some ByteSource) -> Revocation? {
    revoked[serialNumber.slice]
  }

  /// Returns the revocation of a certificate by issuer and serial number. Does not check who signed the list.
  func revocation(naming certificate: X509Certificate) -> Revocation? {
    issuer == certificate.issuer ? revoked[certificate.serialNumber] : nil
  }
}
