// SPDX-License-Identifier: Apache-2.0

extension COSEAlgorithm {
  /// What an algorithm identifier stands for: one key type, one curve, one hash.
  public struct Definition: Hashable, Sendable {
    /// The registered name.
    public let name: String
    /// How signatures are made.
    public let scheme: SignatureScheme
    /// The only type of key that it goes with.
    public let keyType: COSEKeyType
    /// The only curve that it goes with, where its keys have one.
    public let curve: COSECurve?
  }

  /// How signatures are made and which hash is taken first.
  public enum SignatureScheme: Hashable, Sendable {
    /// ECDSA over a hash, the signature as a DER sequence of two integers (WebAuthn §6.5.5).
    case ecdsa(COSEHash)
    /// EdDSA over the message itself.
    case eddsa
    /// RSASSA-PKCS1-v1_5 over a hash.
    case rsaPKCS1(COSEHash)
    /// RSASSA-PSS over a hash, with MGF1 of the same hash and a salt of its length.
    case rsaPSS(COSEHash)
    /// ML-DSA over the message itself, with an empty context.
    case mlDSA
    /// Not a signature: a key for ECDH.
    case keyAgreement
  }

  /// The definition of an algorithm that this project knows.
  public var definition: Definition? {
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

  /// Every signature algorithm that this project knows, in the order in which it would rather have them.
  public static let knownSignatureAlgorithms: [COSEAlgorithm] = [
    .es256, .eddsa, .ed25519, .esp256, .es384, .esp384, .es512, .esp512, .ed448, .es256k,
    .mlDSA44, .mlDSA65, .mlDSA87, .ps256, .ps384, .ps512, .rs256, .rs384, .rs512, .rs1,
  ]
}

/// A hash function, as an algorithm identifier binds it.
public enum COSEHash: String, CaseIterable, Sendable {
  /// SHA-1: a legacy that TPM attestation still signs with.
  case sha1
  /// SHA-256.
  case sha256
  /// SHA-384.
  case sha384
  /// SHA-512.
  case sha512

  /// The length of a digest in bytes.
  public var byteCount: Int {
    switch self {
    case .sha1: 20
    case .sha256: 32
    case .sha384: 48
    case .sha512: 64
    }
  }
}
