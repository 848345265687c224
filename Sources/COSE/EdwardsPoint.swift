// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// A point of Ed25519 or Ed448 as RFC 8032 §5.1.2 and §5.2.2 encode it: y in little-endian order, and the sign of x in the
/// highest bit of the last byte.
///
/// The checks compare with constants and need no curve arithmetic. A point that is not on the curve passes them; libcrypto
/// refuses every signature by such a key.
struct EdwardsPoint {
  private let bytes: Bytes
  private let curve: Curve

  private enum Curve {
    /// p = 2^255 − 19, cofactor 8.
    case ed25519
    /// p = 2^448 − 2^224 − 1, cofactor 4.
    case ed448
  }

  /// Takes a point that has the length of its curve; nil for a curve that is no Edwards curve.
  init?(_ bytes: Bytes, on curve: COSECurve) {
    switch curve {
    case .ed25519: self.curve = .ed25519
    case .ed448: self.curve = .ed448
    default: return nil
    }
    self.bytes = bytes
  }

  /// Whether y is less than the field's prime, as decoding demands (RFC 8032 §5.1.3 and §5.2.3).
  var isCanonical: Bool {
    for place in (0..<bytes.count).reversed() where y(place) != prime(place) { return y(place) < prime(place) }
    return false
  }

  /// Whether the point's order divides the cofactor.
  ///
  /// Under such a key a signature can be made without a private key. These points include every one whose x is zero, so
  /// that the sign bit of a zero x needs no check of its own.
  var hasSmallOrder: Bool {
    // (0, 1) has order 1, (0, −1) order 2; where y is 0 the order is 4.
    let isZeroOrOne = y(0) <= 1 && (1..<bytes.count).allSatisfy { y($0) == 0 }
    let isMinusOne = y(0) == prime(0) &- 1 && (1..<bytes.count).allSatisfy { y($0) == prime($0) }
    let isOfOrderEight =
      curve == .ed25519 && Self.orderEight.contains { number in (0..<bytes.count).allSatisfy { y($0) == number[$0] } }
    return isZeroOrOne || isMinusOne || isOfOrderEight
  }

  /// A byte of y, without the sign of x.
  private func y(_ place: Int) -> UInt8 {
    let byte = bytes[bytes.startIndex + place]
    return place == bytes.count - 1 ? byte & 0x7f : byte
  }

  /// A byte of the field's prime.
  private func prime(_ place: Int) -> UInt8 {
    switch (curve, place) {
    case (.ed25519, 0): 0xed
    case (.ed25519, 31): 0x7f
    case (.ed448, 28): 0xfe
    case (.ed448, 56): 0
    default: 0xff
    }
  }

  /// Both y of the points of Ed25519 that have order 8.
  private static let orderEight: [[UInt8]] = [
    [
      0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0,
      0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05,
    ],
    [
      0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f,
      0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a,
    ],
  ]
}
