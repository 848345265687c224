// SPDX-License-Identifier: Apache-2.0

public import WireFormats

// Limits
//   list 16 MiB [the largest lists of public authorities; the lists of attestation authorities have kilobytes]

/// A certificate revocation list (RFC 5280 §5), read and not judged: its signature is checked where it is used, by the
/// key of the issuer on the path.
///
/// Only complete lists, in which an issuer speaks of its own certificates, are understood; any other kind says so with a
/// critical extension, and is refused.
public struct RevocationList: Sendable {
  /// The bytes that it was read from.
  public let der: Bytes

  /// Who signed it.
  public let issuer: DistinguishedName

  /// When it was made.
  public let thisUpdate: Timestamp

  /// When the next one will have been made; where it is nil, nobody knows.
  public let nextUpdate: Timestamp?

  /// Its number, big-endian, where it has one: a later list has a higher one.
  public let number: Bytes?

  /// How many certificates are on it.
  public var count: Int { revoked.count }

  let signature: CertificateSignature

  /// By serial number.
  private let revoked: [Bytes: Revocation]

  /// The longest list that is read.
  public static let maximumByteCount = 1 << 24

  /// When and why a certificate was revoked.
  public struct Revocation: Hashable, Sendable {
    /// From when on it is not to be believed.
    public let date: Timestamp

    /// The reason's number (RFC 5280 §5.3.1), where one is given.
    public let reason: Int64?
  }

  /// Reads a list and nothing behind it.
  public init(der: Bytes) throws(CryptoError) {
    guard der.count <= Self.maximumByteCount else {
      throw CryptoError(.certificateRevocationListMalformed, "\(der.count) bytes are too many")
    }
    let content: TBSCertList
    do throws(WireError) {
      let signed: DERElement
      (signed, signature) = try CertificateSignature.parse(der)
      content = try signed.readContent { (reader) throws(WireError) in try TBSCertList(reading: &reader) }
    } catch {
      throw CryptoError(.certificateRevocationListMalformed, error)
    }
    guard content.signatureAlgorithm == signature.algorithm else {
      throw CryptoError(.certificateRevocationListMalformed, "two different signature algorithms")
    }
    if let identifier = content.unhandledCriticalExtension {
      throw CryptoError(.certificateRevocationListUnsupported, "critical extension \(identifier)")
    }
    self.der = der
    issuer = content.issuer
    thisUpdate = content.thisUpdate
    nextUpdate = content.nextUpdate
    number = content.number
    revoked = content.revoked
  }

  /// What the list says about the certificate of its issuer with this serial number; nil where that is not on it.
  public func revocation(of serialNumber: Bytes) -> Revocation? {
    revoked[serialNumber]
  }

  /// Finds a certificate by issuer and serial number; whether its issuer signed the list is not checked.
  func revocation(naming certificate: Certificate) -> Revocation? {
    issuer == certificate.issuer ? revoked[certificate.serialNumber] : nil
  }
}
