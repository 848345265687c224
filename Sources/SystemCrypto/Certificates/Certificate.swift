// SPDX-License-Identifier: Apache-2.0

public import WireFormats

// Limits
//   certificate 64 KiB [the largest in attestation, ML-DSA-87 signed by ML-DSA-87, have 8]
//   extensions 32      [real ones have up to 12; duplicates are searched for pairwise]
//
// Why our own parser: libcrypto decodes the public key while it parses, which costs twice a P-256 verification, and its
// verdict about a path comes without the reason in our words. Here a certificate is data; libcrypto sees its signature.
// What real attestation certificates get wrong and is accepted on purpose:
//   - DEFAULT values that are written out, such as CA:FALSE and version 1 (X.690 §11.5 forbids it)
//   - policies, whatever they hold: nobody asks for one, and TPM certificates carry qualifiers that are no DER
//   - key identifiers that do not fit: they are hints for finding an issuer, and the names and signatures decide
//   - a count of unused bits in the signature that is not 0: it is not part of what is signed
//   - a BOOLEAN that is true and not FF: an attestation certificate of AuthenTrend's ATKey writes 01
//   - dates in the form that RFC 5280 has for other years

/// An X.509 certificate (RFC 5280), read and not judged: whether to believe it, a ``TrustStore`` says.
///
/// It never changes once it is made, and is a class because it is passed on more often than it is made.
public final class Certificate: Sendable {
  /// The bytes that it was read from.
  public let der: Bytes

  let content: TBSCertificate
  let signature: CertificateSignature

  /// The longest certificate that is read.
  public static let maximumByteCount = 65536

  /// Reads a certificate and nothing behind it.
  public init(der: Bytes) throws(CryptoError) {
    guard der.count <= Self.maximumByteCount else {
      throw CryptoError(.certificateMalformed, "\(der.count) bytes are too many")
    }
    do throws(WireError) {
      let signed: DERElement
      (signed, signature) = try CertificateSignature.parse(der)
      content = try signed.readContent { (reader) throws(WireError) in try TBSCertificate(reading: &reader) }
    } catch {
      throw CryptoError(.certificateMalformed, error)
    }
    self.der = der
    try content.checkConsistency(with: signature)
  }

  /// Reads one certificate or several, one directly behind the other: an authenticator's maker in the FIDO metadata
  /// writes two roots as one.
  public static func readAll(der: Bytes) throws(CryptoError) -> [Certificate] {
    var reader = DERReader(der)
    var certificates: [Certificate] = []
    repeat {
      let next: Bytes
      do throws(WireError) {
        next = try reader.read(.sequence).encoded
      } catch {
        throw CryptoError(.certificateMalformed, error)
      }
      certificates.append(try Certificate(der: next))
    } while !reader.isAtEnd
    return certificates
  }
}

extension Certificate {
  /// The version: 1, 2 or 3.
  public var version: Int { content.version }

  /// The serial number's octets in two's complement.
  public var serialNumber: Bytes { content.serialNumber }

  /// Who signed it.
  public var issuer: DistinguishedName { content.issuer }

  /// Whom it is about.
  public var subject: DistinguishedName { content.subject }

  /// The first moment at which it is valid.
  public var notBefore: Timestamp { content.notBefore }

  /// The last moment at which it is valid.
  public var notAfter: Timestamp { content.notAfter }

  /// The subject's public key, as data.
  public var subjectPublicKeyInfo: SubjectPublicKeyInfo { content.subjectPublicKeyInfo }

  /// The algorithm of the issuer's signature.
  public var signatureAlgorithm: ObjectIdentifier { signature.algorithm.algorithm }

  /// Whether subject and issuer have the same name, as in a root.
  public var isSelfIssued: Bool { issuer == subject }

  /// The SHA-256 of the whole certificate.
  public var sha256Fingerprint: [UInt8] { Digest.sha256(der) }
}

extension Certificate: Hashable {
  /// Whether two certificates are the same bytes.
  public static func == (left: Certificate, right: Certificate) -> Bool {
    left === right || left.der == right.der
  }

  /// Feeds what no two certificates of an issuer share to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(serialNumber)
    hasher.combine(signature.value)
  }
}

extension Certificate: CustomStringConvertible {
  /// The subject and the issuer, for a log line.
  public var description: String { "\(subject) (issued by \(issuer))" }
}
