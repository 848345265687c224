// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// A public key as COSE writes it (RFC 9052 §7), its shape checked: algorithm, key type, curve and lengths agree.
///
/// Keys of Ed25519 and Ed448 are canonical and not of small order. Whether a point lies on its curve is checked by
/// SystemCrypto, when it verifies.
public struct COSEKey: Hashable, Sendable {
  /// The one algorithm that the key is for.
  public let algorithm: COSEAlgorithm

  /// The key itself.
  public let material: Material

  /// What a key is made of, by type. The bytes are slices of what the key was read from.
  public enum Material: Hashable, Sendable {
    /// A point on a curve, each coordinate as long as the curve's field.
    case ec2(curve: COSECurve, x: Bytes, y: Bytes)
    /// An Edwards curve's public key.
    case okp(curve: COSECurve, x: Bytes)
    /// An RSA modulus and exponent, big-endian, without leading zeros.
    case rsa(modulus: Bytes, exponent: Bytes)
    /// A public key that the algorithm alone describes.
    case akp(publicKey: Bytes)
  }

  /// Puts a key together, and checks its shape as if it had been read.
  public init(algorithm: COSEAlgorithm, material: Material) throws(COSEError) {
    try Self.checkShape(of: material, for: algorithm)
    self.init(unchecked: material, for: algorithm)
  }

  /// Puts a key together whose shape has been checked.
  init(unchecked material: Material, for algorithm: COSEAlgorithm) {
    self.algorithm = algorithm
    self.material = material
  }
}
