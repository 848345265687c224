// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// A COSE public key (RFC 9052 §7) whose algorithm, key type, curve and lengths match.
///
/// Ed25519 and Ed448 points are canonical and not of small order. PasskeyCrypto checks whether a point is on its curve
/// when it verifies a signature.
package struct COSEKey: Hashable, Sendable {
  /// The algorithm of the key.
  package let algorithm: COSEAlgorithm

  /// The key material.
  package let material: Material

  /// The key material by key type. The bytes are slices of the parsed input.
  package enum Material: Hashable, Sendable {
    /// An elliptic curve point. Each coordinate has the length of the curve's field.
    case ec2(curve: COSECurve, x: Bytes, y: Bytes)
    /// The public key of an Edwards curve.
    case okp(curve: COSECurve, x: Bytes)
    /// An RSA modulus and exponent, big-endian, without leading zeros.
    case rsa(modulus: Bytes, exponent: Bytes)
    /// A public key whose format the algorithm determines, such as ML-DSA.
    case akp(publicKey: Bytes)
  }

  /// Creates a key and checks that the material matches the algorithm.
  ///
  /// - Throws: A ``COSEError`` with a `cose.…` code.
  package init(algorithm: COSEAlgorithm, material: Material) throws(COSEError) {
    try Self.checkShape(of: material, for: algorithm)
    self.init(unchecked: material, for: algorithm)
  }

  /// Creates a key from checked material.
  init(unchecked material: Material, for algorithm: COSEAlgorithm) {
    self.algorithm = algorithm
    self.material = material
  }
}

/// A key type, from the IANA registry "COSE Key Types". The set is open.
package struct COSEKeyType: RawRepresentable, Hashable, Sendable {
  /// The registered number.
  package let rawValue: Int64

  /// Creates a key type, known or unknown.
  package init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// Octet key pair, for Edwards curves.
  package static let okp = Self(rawValue: 1)
  /// Elliptic curve key with two coordinates.
  package static let ec2 = Self(rawValue: 2)
  /// RSA.
  package static let rsa = Self(rawValue: 3)
  /// Algorithm key pair, for ML-DSA (RFC 9964).
  package static let akp = Self(rawValue: 7)
}

extension COSEKeyType: CustomStringConvertible {
  /// The registered name, or the number of an unknown key type.
  package var description: String {
    switch self {
    case .okp: "OKP"
    case .ec2: "EC2"
    case .rsa: "RSA"
    case .akp: "AKP"
    default: "\(rawValue)"
    }
  }
}

/// The labels of COSE_Key parameters (RFC 9052 §7.1, RFC 9053 §7, RFC 8230 §4, RFC 9964).
///
/// The meaning of a negative label depends on the key type.
package enum COSEKeyLabel {
  /// `kty`
  package static let keyType: Int64 = 1
  /// `alg`
  package static let algorithm: Int64 = 3

  /// `crv` of EC2 and OKP
  package static let curve: Int64 = -1
  /// `x` of EC2 and OKP
  package static let x: Int64 = -2
  /// `y` of EC2
  package static let y: Int64 = -3
  /// `d` of EC2 and OKP: a private key
  package static let d: Int64 = -4

  /// `n` of RSA
  package static let rsaModulus: Int64 = -1
  /// `e` of RSA
  package static let rsaExponent: Int64 = -2
  /// `d` of RSA: a private key
  package static let rsaPrivateExponent: Int64 = -3

  /// `pub` of AKP
  package static let akpPublicKey: Int64 = -1
  /// `priv` of AKP: a private key
  package static let akpPrivateKey: Int64 = -2
}

// {1: 2, 3: -7, -1: 1, -2: h'…32 bytes…', -3: h'…32 bytes…'}       in CTAP2 canonical form, 77 bytes

extension COSEKey {
  /// Parses an ES256 key in CTAP2 canonical form, the form of nearly every passkey. Returns `nil` for all other input.
  ///
  /// All bytes except the coordinates are constant, so they are compared instead of parsed. The result equals that of
  /// the full parser.
  init?(canonicalES256 bytes: Bytes) {
    guard bytes.count == Self.canonicalES256ByteCount else { return nil }
    let x = bytes.dropFirst(Self.beginning.count).prefix(Self.coordinateByteCount)
    let y = bytes.suffix(Self.coordinateByteCount)
    guard bytes.starts(with: Self.beginning),
      bytes[x.endIndex..<y.startIndex].elementsEqual(Self.betweenCoordinates)
    else { return nil }
    self.init(unchecked: .ec2(curve: .p256, x: x, y: y), for: .es256)
  }

  private static let beginning: [UInt8] = [0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]
  private static let betweenCoordinates: [UInt8] = [0x22, 0x58, 0x20]
  private static let coordinateByteCount = 32
  private static let canonicalES256ByteCount = beginning.count + betweenCoordinates.count + 2 * coordinateByteCount
}
