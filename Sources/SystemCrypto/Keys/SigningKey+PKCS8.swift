// SPDX-License-Identifier: Apache-2.0

public import COSE

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
