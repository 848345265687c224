// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// An Ed25519 or Ed448 point in the encoding of RFC 8032 §5.1.2 and §5.2.2: y in little-endian order, and the sign of x
/// in the highest bit of the last byte.
///
/// The checks compare with constants and need no curve arithmetic. They accept points that are not on the curve;
/// libcrypto rejects every signature under such a key.
struct EdwardsPoint {
  private let bytes: Bytes
  private let curve: Curve

  private enum Curve {
    /// p = 2^255 − 19, cofactor 8.
    case ed25519
    /// p = 2^448 − 2^224 − 1, cofactor 4.
    case ed448
  }

  /// Takes a point whose length matches the curve; `nil` if the curve is not an Edwards curve.
  init?(_ bytes: Bytes, on curve: COSECurve) {
    switch curve {
    case .ed25519: self.curve = .ed25519
    case .ed448: self.curve = .ed448
    default: return nil
    }
    self.bytes = bytes
  }

  /// Whether y is less than the field prime, as RFC 8032 §5.1.3 and §5.2.3 require.
  var isCanonical: Bool {
    for place in (0..<bytes.count).reversed() where y(place) != prime(place) { return y(place) < prime(place) }
    return false
  }

  /// Whether the order of the point divides the cofactor.
  ///
  /// Signatures under such a key can be forged without a private key. All points with x = 0 are of small order, so the
  /// sign bit of a zero x needs no separate check.
  var hasSmallOrder: Bool {
    // (0, 1) has order 1 and (0, −1) order 2. Points with y = 0 have order 4.
    let isZeroOrOne = y(0) <= 1 && (1..<bytes.count).allSatisfy { y($0) == 0 }
    let isMinusOne = y(0) == prime(0) &- 1 && (1..<bytes.count).allSatisfy { y($0) == prime($0) }
    let isOfOrderEight =
      curve == .ed25519 && Self.orderEight.contains { number in (0..<bytes.count).allSatisfy { y($0) == number[$0] } }
    return isZeroOrOne || isMinusOne || isOfOrderEight
  }

  /// Returns a byte of y, without the sign bit of x.
  private func y(_ place: Int) -> UInt8 {
    let byte = bytes[bytes.startIndex + place]
    return place == bytes.count - 1 ? byte & 0x7f : byte
  }

  /// Returns a byte of the field prime.
  private func prime(_ place: Int) -> UInt8 {
    switch (curve, place) {
    case (.ed25519, 0): 0xed
    case (.ed25519, 31): 0x7f
    case (.ed448, 28): 0xfe
    case (.ed448, 56): 0
    default: 0xff
    }
  }

  /// The two y coordinates of the Ed25519 points of order 8.
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
