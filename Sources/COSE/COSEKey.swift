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

/// A type of key, from the IANA registry "COSE Key Types". An open set.
public struct COSEKeyType: RawRepresentable, Hashable, Sendable {
  /// The registered number.
  public let rawValue: Int64

  /// The key type with this number, known or not.
  public init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// Octet key pair: the Edwards curves.
  public static let okp = Self(rawValue: 1)
  /// Elliptic curve with two coordinates.
  public static let ec2 = Self(rawValue: 2)
  /// RSA.
  public static let rsa = Self(rawValue: 3)
  /// Algorithm key pair: ML-DSA (RFC 9964).
  public static let akp = Self(rawValue: 7)
}

extension COSEKeyType: CustomStringConvertible {
  /// The registered name, or the number of a key type that this project does not know.
  public var description: String {
    switch self {
    case .okp: "OKP"
    case .ec2: "EC2"
    case .rsa: "RSA"
    case .akp: "AKP"
    default: "\(rawValue)"
    }
  }
}

/// The labels of a COSE_Key's parameters (RFC 9052 §7.1, RFC 9053 §7, RFC 8230 §4, RFC 9964).
///
/// Below zero the meaning of a label depends on the type of key.
public enum COSEKeyLabel {
  /// `kty`
  public static let keyType: Int64 = 1
  /// `alg`
  public static let algorithm: Int64 = 3

  /// `crv` of EC2 and OKP
  public static let curve: Int64 = -1
  /// `x` of EC2 and OKP
  public static let x: Int64 = -2
  /// `y` of EC2
  public static let y: Int64 = -3
  /// `d` of EC2 and OKP: a private key
  public static let d: Int64 = -4

  /// `n` of RSA
  public static let rsaModulus: Int64 = -1
  /// `e` of RSA
  public static let rsaExponent: Int64 = -2
  /// `d` of RSA: a private key
  public static let rsaPrivateExponent: Int64 = -3

  /// `pub` of AKP
  public static let akpPublicKey: Int64 = -1
  /// `priv` of AKP: a private key
  public static let akpPrivateKey: Int64 = -2
}

// {1: 2, 3: -7, -1: 1, -2: h'…32 bytes…', -3: h'…32 bytes…'}       in CTAP2 canonical form, 77 bytes

extension COSEKey {
  /// Reads an ES256 key that is written as CTAP2 prescribes, as nearly every key of a passkey is. It gives up on
  /// everything else, and says nothing about it.
  ///
  /// All that is not a coordinate is the same in each such key, so it is compared and not read. The result is that of the
  /// full reading.
  init?(plainES256 bytes: Bytes) {
    guard bytes.count == Self.plainES256ByteCount else { return nil }
    let x = bytes.dropFirst(Self.beginning.count).prefix(Self.coordinateByteCount)
    let y = bytes.suffix(Self.coordinateByteCount)
    guard bytes.prefix(Self.beginning.count) == Self.beginning[...],
      bytes[x.endIndex..<y.startIndex] == Self.betweenCoordinates[...]
    else { return nil }
    self.init(unchecked: .ec2(curve: .p256, x: x, y: y), for: .es256)
  }

  private static let beginning: [UInt8] = [0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]
  private static let betweenCoordinates: [UInt8] = [0x22, 0x58, 0x20]
  private static let coordinateByteCount = 32
  private static let plainES256ByteCount = beginning.count + betweenCoordinates.count + 2 * coordinateByteCount
}
