// SPDX-License-Identifier: Apache-2.0

/// An elliptic curve, from the IANA registry "COSE Elliptic Curves". The set is open.
package struct COSECurve: RawRepresentable, Hashable, Sendable {
  /// The registered number.
  package let rawValue: Int64

  /// Creates a curve, known or unknown.
  package init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// NIST P-256.
  package static let p256 = Self(rawValue: 1)
  /// NIST P-384.
  package static let p384 = Self(rawValue: 2)
  /// NIST P-521.
  package static let p521 = Self(rawValue: 3)
  /// Ed25519, for EdDSA.
  package static let ed25519 = Self(rawValue: 6)
  /// Ed448, for EdDSA.
  package static let ed448 = Self(rawValue: 7)
  /// SECG secp256k1 (RFC 8812).
  package static let secp256k1 = Self(rawValue: 8)

  /// The length in bytes of a coordinate or, on Edwards curves, of the public key; `nil` for unknown curves.
  package var byteCount: Int? { definition?.byteCount }

  /// The key type of the curve; `nil` for unknown curves.
  package var keyType: COSEKeyType? { definition?.keyType }

  private var definition: (name: String, byteCount: Int, keyType: COSEKeyType)? {
    switch self {
    case .p256: ("P-256", 32, .ec2)
    case .p384: ("P-384", 48, .ec2)
    case .p521: ("P-521", 66, .ec2)
    case .secp256k1: ("secp256k1", 32, .ec2)
    case .ed25519: ("Ed25519", 32, .okp)
    case .ed448: ("Ed448", 57, .okp)
    default: nil
    }
  }
}

extension COSECurve: CustomStringConvertible {
  /// The registered name, or the number of an unknown curve.
  package var description: String { definition?.name ?? "\(rawValue)" }
}
