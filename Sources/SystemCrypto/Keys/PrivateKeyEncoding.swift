// SPDX-License-Identifier: Apache-2.0

public import COSE
internal import WireFormats

// PrivateKeyInfo ::= SEQUENCE { version INTEGER 0, AlgorithmIdentifier, privateKey OCTET STRING }        (RFC 5958 §2)
// ECPrivateKey ::= SEQUENCE { version INTEGER 1, privateKey OCTET STRING, publicKey [1] BIT STRING }     (RFC 5915 §3)

/// The PKCS#8 encoding of keys on one of the curves, by hand: libcrypto looks for an encoder for each key, which takes three
/// times as long as making one. What it would write is the same.
struct PrivateKeyEncoding {
  private let beforeScalar: [UInt8]
  private let beforePoint: [UInt8]

  /// What is the same for all keys on a curve.
  static func kept(_ curve: EllipticCurve) -> PrivateKeyEncoding {
    encodings[curve] ?? PrivateKeyEncoding(curve)
  }

  private init(_ curve: EllipticCurve) {
    beforeScalar = Self.beginning(curve)
    // Behind the count of unused bits, the point is not compressed.
    let pointCount = 2 + 2 * curve.byteCount
    let bitString = Self.header(Self.bitString, pointCount) + [0x00, 0x04]
    beforePoint = Self.header(Self.explicit1, bitString.count - 2 + pointCount) + bitString
  }

  private static let encodings = Dictionary(
    uniqueKeysWithValues: EllipticCurve.allCases.map { (curve) in (curve, PrivateKeyEncoding(curve)) })

  /// All that stands in front of the scalar: the same for all keys on a curve, whose parts have one length.
  private static func beginning(_ curve: EllipticCurve) -> [UInt8] {
    var algorithm = DERWriter()
    algorithm.writeInteger(0)
    algorithm.writeSequence { (writer) in KeyType.ellipticCurve(curve).writeAlgorithm(to: &writer) }
    let pointCount = 2 + 2 * curve.byteCount
    let bitStringCount = header(bitString, pointCount).count + pointCount
    let publicKeyCount = header(explicit1, bitStringCount).count + bitStringCount
    let inner = version1 + header(octetString, curve.byteCount)
    let innerCount = inner.count + curve.byteCount + publicKeyCount
    let innerHeader = header(sequence, innerCount)
    let octets = header(octetString, innerHeader.count + innerCount) + innerHeader + inner
    let count = algorithm.bytes.count + octets.count + curve.byteCount + publicKeyCount
    return header(sequence, count) + algorithm.bytes + octets
  }

  /// The encoding with the scalar in its place, and nowhere else. Scalar and coordinates are as long as the curve's
  /// coordinates are.
  func pkcs8(_ scalar: SecretBytes, x: Bytes, y: Bytes) -> SecretBytes {
    var encoding: [UInt8] = []
    encoding.reserveCapacity(beforeScalar.count + scalar.count + beforePoint.count + x.count + y.count)
    encoding += beforeScalar
    scalar.withBytes { (scalar) in encoding += scalar }
    encoding += beforePoint
    encoding += x
    encoding += y
    return SecretBytes(taking: encoding)
  }

  private static let sequence: UInt8 = 0x30
  private static let octetString: UInt8 = 0x04
  private static let bitString: UInt8 = 0x03
  private static let explicit1: UInt8 = 0xa1
  private static let version1: [UInt8] = [0x02, 0x01, 0x01]

  /// The tag and the length of an element; none here has more than 64 KiB (X.690 §8.1.3).
  private static func header(_ tag: UInt8, _ count: Int) -> [UInt8] {
    switch count {
    case 0..<0x80: [tag, UInt8(count)]
    case 0x80...0xff: [tag, 0x81, UInt8(count)]
    default: [tag, 0x82, UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
    }
  }
}

extension SigningKey {
  /// The private key of a PKCS#8 `PrivateKeyInfo` (RFC 5958), unencrypted DER, for exactly one algorithm: its type and
  /// curve must be the algorithm's.
  ///
  /// Only the private numbers are believed. The public half is computed from them, whatever the encoding says it is.
  public init(_ algorithm: COSEAlgorithm, pkcs8: SecretBytes) throws(CryptoError) {
    let type = try algorithm.supportedKeyType
    let read = try KeyHandle(pkcs8: pkcs8)
    guard read.isOf(type) else { throw CryptoError(.keyMismatch, "another type of key than \(algorithm)'s") }
    switch type {
    case .ellipticCurve(let curve):
      try self.init(algorithm, privateKey: read.number("priv").secretBytes(count: curve.byteCount))
    case .raw(.ed25519), .raw(.ed448):
      try self.init(algorithm, privateKey: SecretBytes(taking: read.octets("priv")))
    case .raw:
      // An ML-DSA key may come without its seed; libcrypto has computed the public key from what there is.
      try self.init(algorithm, type, read)
    case .rsa:
      try self.init(algorithm, rsa: read)
    }
  }

  /// The key as a PKCS#8 `PrivateKeyInfo`, unencrypted DER.
  public var pkcs8: SecretBytes {
    get throws(CryptoError) {
      switch (type, publicKey.material) {
      case (.ellipticCurve(let curve), .ec2(_, let x, let y)):
        let scalar = try handle.number("priv").secretBytes(count: curve.byteCount)
        return PrivateKeyEncoding.kept(curve).pkcs8(scalar, x: x, y: y)
      default:
        return try handle.pkcs8
      }
    }
  }

  private init(_ algorithm: COSEAlgorithm, rsa read: KeyHandle) throws(CryptoError) {
    let exponent = try read.number("e").bytes
    guard exponent.count <= 4 else { throw CryptoError(.invalidKey, "a public exponent of more than 32 bits") }
    let p = try SecretBytes(taking: read.number("rsa-factor1").bytes)
    let q = try SecretBytes(taking: read.number("rsa-factor2").bytes)
    try self.init(
      algorithm, primes: p, q,
      publicExponent: exponent.reduce(0) { (number, byte) in number << 8 | UInt32(byte) })
    guard case .rsa(let modulus, _) = publicKey.material, try read.number("n").bytes[...] == modulus else {
      throw CryptoError(.invalidKey, "the primes do not make the modulus")
    }
  }
}
