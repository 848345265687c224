// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

// KeyUsage ::= BIT STRING { digitalSignature(0), nonRepudiation(1), keyEncipherment(2),        (RFC 5280 §4.2.1.3)
//   dataEncipherment(3), keyAgreement(4), keyCertSign(5), cRLSign(6), encipherOnly(7), decipherOnly(8) }

/// What a certificate's key is for.
public struct KeyUsage: OptionSet, Hashable, Sendable {
  /// The bits, the first of the BIT STRING lowest.
  public let rawValue: UInt16

  /// Takes bits, the first of the BIT STRING lowest.
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// Signatures other than those on certificates and revocation lists.
  public static let digitalSignature = Self(rawValue: 1 << 0)
  /// Signatures that commit; X.509 calls it contentCommitment now.
  public static let nonRepudiation = Self(rawValue: 1 << 1)
  /// Encrypting keys.
  public static let keyEncipherment = Self(rawValue: 1 << 2)
  /// Encrypting data.
  public static let dataEncipherment = Self(rawValue: 1 << 3)
  /// Agreeing on keys.
  public static let keyAgreement = Self(rawValue: 1 << 4)
  /// Signing certificates.
  public static let certificateSigning = Self(rawValue: 1 << 5)
  /// Signing revocation lists.
  public static let revocationListSigning = Self(rawValue: 1 << 6)
  /// Enciphering only, with an agreed key.
  public static let encipherOnly = Self(rawValue: 1 << 7)
  /// Deciphering only, with an agreed key.
  public static let decipherOnly = Self(rawValue: 1 << 8)

  init(of extension: CertificateExtension) throws(WireError) {
    let bits = try DERReader.parse(`extension`.value) { (reader) throws(WireError) in try reader.readBitString() }
    rawValue = (0..<9).reduce(0) { bits[$1] ? $0 | 1 << $1 : $0 }
  }
}
