// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE

/// A key type whose public and private keys are byte strings: the Edwards curves and ML-DSA.
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

  /// Returns the ML-DSA key type with public keys of this length (FIPS 204, table 2).
  init?(mlDSAPublicKeyByteCount byteCount: Int) {
    switch byteCount {
    case 1312: self = .mlDSA44
    case 1952: self = .mlDSA65
    case 2592: self = .mlDSA87
    default: return nil
    }
  }

  /// The COSE identifier of an Edwards curve; `nil` for ML-DSA.
  var coseCurve: COSECurve? {
    switch self {
    case .ed25519: .ed25519
    case .ed448: .ed448
    case .mlDSA44, .mlDSA65, .mlDSA87: nil
    }
  }

  /// libcrypto's name of the key type and signature.
  var name: String {
    switch self {
    case .ed25519: "ED25519"
    case .ed448: "ED448"
    case .mlDSA44: "ML-DSA-44"
    case .mlDSA65: "ML-DSA-65"
    case .mlDSA87: "ML-DSA-87"
    }
  }

  /// The length of the seed of a private key (RFC 8032 §5.1.5 and §5.2.5, FIPS 204 §3.6.1).
  var seedByteCount: Int {
    switch self {
    case .ed25519, .mlDSA44, .mlDSA65, .mlDSA87: 32
    case .ed448: 57
    }
  }
}
