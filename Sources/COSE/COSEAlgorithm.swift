// SPDX-License-Identifier: Apache-2.0

/// A COSE algorithm identifier, from the IANA registry "COSE Algorithms".
///
/// An open set: any number is a value, so that what a device offers survives being read and written. What this project
/// knows about an algorithm is its ``definition``.
public struct COSEAlgorithm: RawRepresentable, Hashable, Sendable {
  /// The registered number.
  public let rawValue: Int64

  /// The algorithm with this number, known or not.
  public init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  // ECDSA. Registered without a curve (RFC 9053); WebAuthn §5.8.5 binds each to one.
  /// ECDSA on P-256 with SHA-256.
  public static let es256 = Self(rawValue: -7)
  /// ECDSA on P-384 with SHA-384.
  public static let es384 = Self(rawValue: -35)
  /// ECDSA on P-521 with SHA-512.
  public static let es512 = Self(rawValue: -36)
  /// ECDSA on secp256k1 with SHA-256 (RFC 8812).
  public static let es256k = Self(rawValue: -47)

  // The fully specified forms of RFC 9864.
  /// ECDSA on P-256 with SHA-256, fully specified.
  public static let esp256 = Self(rawValue: -9)
  /// ECDSA on P-384 with SHA-384, fully specified.
  public static let esp384 = Self(rawValue: -51)
  /// ECDSA on P-521 with SHA-512, fully specified.
  public static let esp512 = Self(rawValue: -52)
  /// EdDSA on Ed25519, fully specified.
  public static let ed25519 = Self(rawValue: -19)
  /// EdDSA on Ed448, fully specified.
  public static let ed448 = Self(rawValue: -53)

  /// EdDSA. WebAuthn §5.8.5 binds it to Ed25519.
  public static let eddsa = Self(rawValue: -8)

  // RSA (RFC 8812 and RFC 8230).
  /// RSASSA-PKCS1-v1_5 with SHA-256.
  public static let rs256 = Self(rawValue: -257)
  /// RSASSA-PKCS1-v1_5 with SHA-384.
  public static let rs384 = Self(rawValue: -258)
  /// RSASSA-PKCS1-v1_5 with SHA-512.
  public static let rs512 = Self(rawValue: -259)
  /// RSASSA-PSS with SHA-256, salt as long as the hash.
  public static let ps256 = Self(rawValue: -37)
  /// RSASSA-PSS with SHA-384, salt as long as the hash.
  public static let ps384 = Self(rawValue: -38)
  /// RSASSA-PSS with SHA-512, salt as long as the hash.
  public static let ps512 = Self(rawValue: -39)
  /// RSASSA-PKCS1-v1_5 with SHA-1: for attestation by TPMs, and never for a credential.
  public static let rs1 = Self(rawValue: -65535)

  // ML-DSA (RFC 9964).
  /// ML-DSA with the parameter set 44.
  public static let mlDSA44 = Self(rawValue: -48)
  /// ML-DSA with the parameter set 65.
  public static let mlDSA65 = Self(rawValue: -49)
  /// ML-DSA with the parameter set 87.
  public static let mlDSA87 = Self(rawValue: -50)

  /// ECDH-ES with HKDF-256: the name that CTAP's PIN protocols give their key agreement keys. It signs nothing.
  public static let ecdhESHKDF256 = Self(rawValue: -25)
}

extension COSEAlgorithm: CustomStringConvertible {
  /// The registered name, or the number of an algorithm that this project does not know.
  public var description: String { definition?.name ?? "\(rawValue)" }
}
