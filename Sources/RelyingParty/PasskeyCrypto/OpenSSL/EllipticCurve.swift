// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyOpenSSL
internal import PasskeyCOSE
internal import PasskeyFormats

/// A curve for ECDSA.
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

  /// The curve's COSE identifier.
  var coseCurve: COSECurve {
    switch self {
    case .p256: .p256
    case .p384: .p384
    case .p521: .p521
    case .secp256k1: .secp256k1
    }
  }

  /// The length of a coordinate in bytes.
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

/// The arithmetic of a curve, for operations that libcrypto's keys lack: the public point of a scalar, and a signature
/// with a given nonce.
@safe final class CurveGroup {
  private let pointer: OpaquePointer
  let curve: EllipticCurve

  init(_ curve: EllipticCurve) throws(PasskeyCryptoError) {
    LibCrypto.start()
    unsafe pointer = try LibCrypto.require(
      unsafe EC_GROUP_new_by_curve_name(curve.numericIdentifier), .unsupportedAlgorithm, "\(curve.groupName)")
    self.curve = curve
  }

  deinit {
    unsafe EC_GROUP_free(pointer)
  }

  /// Returns the order of the group, which is prime for all these curves.
  func order() throws(PasskeyCryptoError) -> BigNumber {
    let order = BigNumber()
    try LibCrypto.require(
      order.withPointer { (order) in unsafe EC_GROUP_get_order(pointer, order, nil) })
    return order
  }

  /// Returns the coordinates of the generator times `scalar`, which must be between 1 and the order minus 1.
  func point(_ scalar: BigNumber) throws(PasskeyCryptoError) -> (x: BigNumber, y: BigNumber) {
    let point = unsafe LibCrypto.allocated(EC_POINT_new(pointer))
    defer { unsafe EC_POINT_clear_free(point) }
    try LibCrypto.require(
      scalar.withPointer { (scalar) in unsafe EC_POINT_mul(pointer, point, scalar, nil, nil, nil) })
    let x = BigNumber()
    let y = BigNumber()
    let status = x.withPointer { (x) in
      y.withPointer { (y) in unsafe EC_POINT_get_affine_coordinates(pointer, point, x, y, nil) }
    }
    try LibCrypto.require(status)
    return (x, y)
  }
}
