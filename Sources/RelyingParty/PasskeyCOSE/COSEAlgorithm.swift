// SPDX-License-Identifier: Apache-2.0

/// A COSE algorithm identifier, from the IANA registry "COSE Algorithms".
///
/// The set is open: unknown numbers are valid values, so that a list of a device's algorithms survives a round trip.
/// `definition` is `nil` for unknown algorithms.
public struct COSEAlgorithm: RawRepresentable, Hashable, Sendable {
  /// The registered number.
  public let rawValue: Int64

  /// Creates an algorithm identifier, known or unknown.
  public init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  // ECDSA. RFC 9053 registers these without a curve; WebAuthn §5.8.5 binds each to one curve.
  /// ECDSA on P-256 with SHA-256.
  public static let es256 = Self(rawValue: -7)
  /// ECDSA on P-384 with SHA-384.
  public static let es384 = Self(rawValue: -35)
  /// ECDSA on P-521 with SHA-512.
  public static let es512 = Self(rawValue: -36)
  /// ECDSA on secp256k1 with SHA-256 (RFC 8812).
  package static let es256k = Self(rawValue: -47)

  // The fully-specified algorithms of RFC 9864.
  /// ECDSA on P-256 with SHA-256, fully specified.
  package static let esp256 = Self(rawValue: -9)
  /// ECDSA on P-384 with SHA-384, fully specified.
  package static let esp384 = Self(rawValue: -51)
  /// ECDSA on P-521 with SHA-512, fully specified.
  package static let esp512 = Self(rawValue: -52)
  /// EdDSA on Ed25519, fully specified.
  public static let ed25519 = Self(rawValue: -19)
  /// EdDSA on Ed448, fully specified.
  package static let ed448 = Self(rawValue: -53)

  /// EdDSA. WebAuthn §5.8.5 binds it to Ed25519.
  public static let eddsa = Self(rawValue: -8)

  // RSA (RFC 8812 and RFC 8230).
  /// RSASSA-PKCS1-v1_5 with SHA-256.
  public static let rs256 = Self(rawValue: -257)
  /// RSASSA-PKCS1-v1_5 with SHA-384.
  package static let rs384 = Self(rawValue: -258)
  /// RSASSA-PKCS1-v1_5 with SHA-512.
  package static let rs512 = Self(rawValue: -259)
  /// RSASSA-PSS with SHA-256, salt as long as the hash.
  public static let ps256 = Self(rawValue: -37)
  /// RSASSA-PSS with SHA-384, salt as long as the hash.
  package static let ps384 = Self(rawValue: -38)
  /// RSASSA-PSS with SHA-512, salt as long as the hash.
  package static let ps512 = Self(rawValue: -39)
  /// RSASSA-PKCS1-v1_5 with SHA-1. Only for TPM attestation, never for credentials.
  package static let rs1 = Self(rawValue: -65535)

  // ML-DSA (RFC 9964).
  /// ML-DSA with the parameter set 44.
  public static let mlDSA44 = Self(rawValue: -48)
  /// ML-DSA with the parameter set 65.
  public static let mlDSA65 = Self(rawValue: -49)
  /// ML-DSA with the parameter set 87.
  public static let mlDSA87 = Self(rawValue: -50)

  /// ECDH-ES with HKDF-256: the identifier of key agreement keys in CTAP's PIN protocols. Not a signature algorithm.
  package static let ecdhESHKDF256 = Self(rawValue: -25)
}

extension COSEAlgorithm: CustomStringConvertible {
  /// The registered name, or the number of an unknown algorithm.
  public var description: String { definition?.name ?? "\(rawValue)" }
}

extension COSEAlgorithm {
  /// The properties of a known algorithm: one key type, one curve, one hash.
  package struct Definition: Hashable, Sendable {
    /// The registered name.
    package let name: String
    /// The signature scheme.
    package let scheme: SignatureScheme
    /// The required key type.
    package let keyType: COSEKeyType
    /// The required curve; `nil` for key types without curves.
    package let curve: COSECurve?
  }

  /// A signature scheme and its hash.
  package enum SignatureScheme: Hashable, Sendable {
    /// ECDSA over a hash. The signature is a DER sequence of two integers (WebAuthn §6.5.5).
    case ecdsa(COSEHash)
    /// EdDSA over the message.
    case eddsa
    /// RSASSA-PKCS1-v1_5 over a hash.
    case rsaPKCS1(COSEHash)
    /// RSASSA-PSS over a hash, with MGF1 of the same hash and a salt of the hash's length.
    case rsaPSS(COSEHash)
    /// ML-DSA over the message, with an empty context.
    case mlDSA
    /// A key agreement key, which cannot sign.
    case keyAgreement
  }

  /// The properties of a known algorithm; `nil` for others.
  package var definition: Definition? {
    switch self {
    case .es256: Definition(name: "ES256", scheme: .ecdsa(.sha256), keyType: .ec2, curve: .p256)
    case .es384: Definition(name: "ES384", scheme: .ecdsa(.sha384), keyType: .ec2, curve: .p384)
    case .es512: Definition(name: "ES512", scheme: .ecdsa(.sha512), keyType: .ec2, curve: .p521)
    case .es256k: Definition(name: "ES256K", scheme: .ecdsa(.sha256), keyType: .ec2, curve: .secp256k1)
    case .esp256: Definition(name: "ESP256", scheme: .ecdsa(.sha256), keyType: .ec2, curve: .p256)
    case .esp384: Definition(name: "ESP384", scheme: .ecdsa(.sha384), keyType: .ec2, curve: .p384)
    case .esp512: Definition(name: "ESP512", scheme: .ecdsa(.sha512), keyType: .ec2, curve: .p521)
    case .eddsa: Definition(name: "EdDSA", scheme: .eddsa, keyType: .okp, curve: .ed25519)
    case .ed25519: Definition(name: "Ed25519", scheme: .eddsa, keyType: .okp, curve: .ed25519)
    case .ed448: Definition(name: "Ed448", scheme: .eddsa, keyType: .okp, curve: .ed448)
    case .rs256: Definition(name: "RS256", scheme: .rsaPKCS1(.sha256), keyType: .rsa, curve: nil)
    case .rs384: Definition(name: "RS384", scheme: .rsaPKCS1(.sha384), keyType: .rsa, curve: nil)
    case .rs512: Definition(name: "RS512", scheme: .rsaPKCS1(.sha512), keyType: .rsa, curve: nil)
    case .rs1: Definition(name: "RS1", scheme: .rsaPKCS1(.sha1), keyType: .rsa, curve: nil)
    case .ps256: Definition(name: "PS256", scheme: .rsaPSS(.sha256), keyType: .rsa, curve: nil)
    case .ps384: Definition(name: "PS384", scheme: .rsaPSS(.sha384), keyType: .rsa, curve: nil)
    case .ps512: Definition(name: "PS512", scheme: .rsaPSS(.sha512), keyType: .rsa, curve: nil)
    case .mlDSA44: Definition(name: "ML-DSA-44", scheme: .mlDSA, keyType: .akp, curve: nil)
    case .mlDSA65: Definition(name: "ML-DSA-65", scheme: .mlDSA, keyType: .akp, curve: nil)
    case .mlDSA87: Definition(name: "ML-DSA-87", scheme: .mlDSA, keyType: .akp, curve: nil)
    case .ecdhESHKDF256:
      Definition(name: "ECDH-ES+HKDF-256", scheme: .keyAgreement, keyType: .ec2, curve: .p256)
    default: nil
    }
  }

  /// All known signature algorithms, most preferred first.
  package static let knownSignatureAlgorithms: [COSEAlgorithm] = [
    .es256, .eddsa, .ed25519, .esp256, .es384, .esp384, .es512, .esp512, .ed448, .es256k,
    .mlDSA44, .mlDSA65, .mlDSA87, .ps256, .ps384, .ps512, .rs256, .rs384, .rs512, .rs1,
  ]
}

/// The hash function of an algorithm.
package enum COSEHash: String, CaseIterable, Sendable {
  /// SHA-1. Only for TPM attestation.
  case sha1
  /// SHA-256.
  case sha256
  /// SHA-384.
  case sha384
  /// SHA-512.
  case sha512

  /// The length of a digest in bytes.
  package var byteCount: Int {
    switch self {
    case .sha1: 20
    case .sha256: 32
    case .sha384: 48
    case .sha512: 64
    }
  }
}
