// SPDX-License-Identifier: Apache-2.0

package import PasskeyCOSE
internal import PasskeyFormats

// PrivateKeyInfo ::= SEQUENCE { version INTEGER 0, AlgorithmIdentifier, privateKey OCTET STRING }        (RFC 5958 §2)
// ECPrivateKey ::= SEQUENCE { version INTEGER 1, privateKey OCTET STRING, publicKey [1] BIT STRING }     (RFC 5915 §3)

/// The PKCS#8 encoding of elliptic curve keys. libcrypto searches for an encoder for each key, which takes three times
/// as long as generating one. The output is identical to libcrypto's.
struct PrivateKeyEncoding {
  private let beforeScalar: [UInt8]
  private let beforePoint: [UInt8]

  /// Returns the constant parts of the encoding for keys on a curve.
  static func kept(_ curve: EllipticCurve) -> PrivateKeyEncoding {
    encodings[curve] ?? PrivateKeyEncoding(curve)
  }

  private init(_ curve: EllipticCurve) {
    beforeScalar = Self.beginning(curve)
    // The unused-bits octet, the octet of an uncompressed point, and the coordinates.
    let pointCount = 2 + 2 * curve.byteCount
    let bitString = Self.header(Self.bitString, pointCount) + [0x00, 0x04]
    beforePoint = Self.header(Self.explicit1, bitString.count - 2 + pointCount) + bitString
  }

  private static let encodings = Dictionary(
    uniqueKeysWithValues: EllipticCurve.allCases.map { (curve) in (curve, PrivateKeyEncoding(curve)) })

  /// Returns the bytes before the scalar, which are the same for all keys on a curve.
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

  /// Returns the encoding with this scalar and these coordinates, which must have the length of the curve's
  /// coordinates. The scalar is written only to its final place.
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

  static let sequence: UInt8 = 0x30
  static let octetString: UInt8 = 0x04
  private static let bitString: UInt8 = 0x03
  private static let explicit1: UInt8 = 0xa1
  private static let version1: [UInt8] = [0x02, 0x01, 0x01]

  /// Returns the tag and length of an element of less than 64 KiB (X.690 §8.1.3).
  static func header(_ tag: UInt8, _ count: Int) -> [UInt8] {
    switch count {
    case 0..<0x80: [tag, UInt8(count)]
    case 0x80...0xff: [tag, 0x81, UInt8(count)]
    default: [tag, 0x82, UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
    }
  }
}

extension SigningKey {
  /// Parses an unencrypted PKCS#8 `PrivateKeyInfo` (RFC 5958) for one algorithm, whose key type and curve must match.
  ///
  /// Uses only the private numbers. The public key is computed from them; the encoded public key is ignored.
  ///
  /// - Throws: `crypto.malformed-key`, `crypto.key-mismatch` or `crypto.invalid-key`.
  package init(_ algorithm: COSEAlgorithm, pkcs8: SecretBytes) throws(PasskeyCryptoError) {
    let type = try algorithm.supportedKeyType
    if case .raw(let raw) = type, let parameters = raw.builtInParameters {
      try self.init(algorithm, type, .builtIn(BuiltInMLDSAKey(raw, parameters, pkcs8: pkcs8)))
      return
    }
    let read = try KeyHandle(pkcs8: pkcs8)
    guard read.isOf(type) else { throw PasskeyCryptoError(.keyMismatch, "the key type does not match \(algorithm)") }
    switch type {
    case .ellipticCurve(let curve):
      try self.init(algorithm, privateKey: read.number("priv").secretBytes(count: curve.byteCount))
    case .raw(.ed25519), .raw(.ed448):
      try self.init(algorithm, privateKey: SecretBytes(taking: read.octets("priv")))
    case .raw:
      // An ML-DSA key may lack its seed; libcrypto has then computed the public key from the expanded key.
      try self.init(algorithm, type, .libcrypto(read))
    case .rsa:
      try self.init(algorithm, rsa: read)
    }
  }

  /// The key as an unencrypted PKCS#8 `PrivateKeyInfo` in DER.
  ///
  /// - Throws: `crypto.library-failure`.
  package var pkcs8: SecretBytes {
    get throws(PasskeyCryptoError) {
      switch (secret, type, publicKey.material) {
      case (.builtIn(let key), .raw(let raw), _):
        return key.pkcs8(raw)
      case (.libcrypto(let handle), .ellipticCurve(let curve), .ec2(_, let x, let y)):
        let scalar = try handle.number("priv").secretBytes(count: curve.byteCount)
        return PrivateKeyEncoding.kept(curve).pkcs8(scalar, x: x, y: y)
      case (.libcrypto(let handle), _, _):
        return try handle.pkcs8
      case (.builtIn, _, _):
        throw PasskeyCryptoError(.keyMismatch, "\(algorithm)")
      }
    }
  }

  private init(_ algorithm: COSEAlgorithm, rsa read: KeyHandle) throws(PasskeyCryptoError) {
    let exponent = try read.number("e").bytes
    guard exponent.count <= 4 else { throw PasskeyCryptoError(.invalidKey, "a public exponent of more than 32 bits") }
    let p = try SecretBytes(taking: read.number("rsa-factor1").bytes)
    let q = try SecretBytes(taking: read.number("rsa-factor2").bytes)
    try self.init(
      algorithm, primes: p, q,
      publicExponent: exponent.reduce(0) { (number, byte) in number << 8 | UInt32(byte) })
    guard case .rsa(let modulus, _) = publicKey.material, try read.number("n").bytes.elementsEqual(modulus) else {
      throw PasskeyCryptoError(.invalidKey, "the modulus is not the product of the primes")
    }
  }
}
