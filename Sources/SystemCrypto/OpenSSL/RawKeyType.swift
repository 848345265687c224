// SPDX-License-Identifier: Apache-2.0

internal import COSE

/// A type of key that is one string of bytes each way: the Edwards curves and ML-DSA.
enum RawKeyType: CaseIterable, Sendable {
  case ed25519, ed448, mlDSA44, mlDSA65, mlDSA87

  init?(_ curve: COSECurve) {
    switch curve {
    case .ed25519: self = .ed25519
    case .ed448: self = .ed448
    default: return nil
    }
  }

  init?(_ algorithm: COSEAlgorithm) {
    switch algorithm {
    case .eddsa, .ed25519: self = .ed25519
    case .ed448: self = .ed448
    case .mlDSA44: self = .mlDSA44
    case .mlDSA65: self = .mlDSA65
    case .mlDSA87: self = .mlDSA87
    default: return nil
    }
  }

  /// The type of key with public keys of this length (FIPS 204, table 2).
  init?(mlDSAPublicKeyByteCount byteCount: Int) {
    switch byteCount {
    case 1312: self = .mlDSA44
    case 1952: self = .mlDSA65
    case 2592: self = .mlDSA87
    default: return nil
    }
  }

  /// The curve's number in COSE, for the Edwards curves.
  var coseCurve: COSECurve? {
    switch self {
    case .ed25519: .ed25519
    case .ed448: .ed448
    case .mlDSA44, .mlDSA65, .mlDSA87: nil
    }
  }

  /// The name by which libcrypto knows keys and signatures of this type.
  var name: String {
    switch self {
    case .ed25519: "ED25519"
    case .ed448: "ED448"
    case .mlDSA44: "ML-DSA-44"
    case .mlDSA65: "ML-DSA-65"
    case .mlDSA87: "ML-DSA-87"
    }
  }

  /// The length of the secret from which a private key follows (RFC 8032 §5.1.5 and §5.2.5, FIPS 204 §3.6.1).
  var seedByteCount: Int {
    switch self {
    case .ed25519, .mlDSA44, .mlDSA65, .mlDSA87: 32
    case .ed448: 57
    }
  }
}
