// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import COpenSSL

/// A curve for ECDSA, by the names that libcrypto has for it.
enum EllipticCurve: CaseIterable, Sendable {
  case p256, p384, p521, secp256k1

  init?(_ curve: COSECurve) {
    switch curve {
    case .p256: self = .p256
    case .p384: self = .p384
    case .p521: self = .p521
    case .secp256k1: self = .secp256k1
    default: return nil
    }
  }

  /// The curve's number in COSE.
  var coseCurve: COSECurve {
    switch self {
    case .p256: .p256
    case .p384: .p384
    case .p521: .p521
    case .secp256k1: .secp256k1
    }
  }

  /// The length of a coordinate.
  var byteCount: Int {
    switch self {
    case .p256, .secp256k1: 32
    case .p384: 48
    case .p521: 66
    }
  }

  var groupName: StaticString {
    switch self {
    case .p256: "prime256v1"
    case .p384: "secp384r1"
    case .p521: "secp521r1"
    case .secp256k1: "secp256k1"
    }
  }

  var numericIdentifier: CInt {
    switch self {
    case .p256: NID_X9_62_prime256v1
    case .p384: NID_secp384r1
    case .p521: NID_secp521r1
    case .secp256k1: NID_secp256k1
    }
  }
}
