// SPDX-License-Identifier: Apache-2.0

package import PasskeyCOSE
internal import PasskeyFormats

extension SigningKey {
  /// Generates a key.
  ///
  /// A seeded source always gives the same key, with a fixed number of draws:
  /// - ECDSA draws a big-endian scalar as long as the curve's coordinates (one byte less for P-521, as in the W3C test
  ///   vectors), and draws again if it is zero or not below the order.
  /// - EdDSA and ML-DSA draw their seed.
  /// - RSA draws half a modulus for each prime, sets its two highest bits and its lowest bit, and counts up to the
  ///   first prime p for which p − 1 is not a multiple of 65,537.
  ///
  /// With the system's source, libcrypto generates ECDSA and RSA keys.
  ///
  /// - Parameters:
  ///   - algorithm: The signature algorithm.
  ///   - random: The source of randomness.
  ///   - modulusBitCount: The size of an RSA key: a multiple of 16 from 2,048 to 8,192.
  /// - Returns: The key.
  /// - Throws: `crypto.unsupported-algorithm`, `crypto.invalid-parameter` or `crypto.randomness-unavailable`.
  package static func generate(
    _ algorithm: COSEAlgorithm, random: RandomSource, modulusBitCount: Int = 2048
  ) throws(PasskeyCryptoError) -> SigningKey {
    let type = try algorithm.supportedKeyType
    switch type {
    case .ellipticCurve(let curve):
      return try SigningKey(algorithm, type, .libcrypto(.generate(curve, random)))
    case .raw(let raw):
      return try SigningKey(algorithm, type, .privateKey(raw, seed: random.secret(raw.seedByteCount)))
    case .rsa:
      guard (2048...8192).contains(modulusBitCount), modulusBitCount.isMultiple(of: 16) else {
        throw PasskeyCryptoError(.invalidParameter, "an RSA modulus of \(modulusBitCount) bits")
      }
      return try SigningKey(algorithm, type, .libcrypto(.generateRSA(modulusBitCount: modulusBitCount, random)))
    }
  }

  /// Creates a key from private bytes: the scalar of an ECDSA key, big-endian and at most as long as the curve's
  /// coordinates, or the seed of an EdDSA or ML-DSA key (RFC 8032 §5.1.5 and §5.2.5, FIPS 204 §3.6.1).
  ///
  /// - Throws: `crypto.unsupported-algorithm`, `crypto.key-mismatch` for an RSA algorithm, or `crypto.invalid-key`.
  package init(_ algorithm: COSEAlgorithm, privateKey: SecretBytes) throws(PasskeyCryptoError) {
    let type = try algorithm.supportedKeyType
    switch type {
    case .ellipticCurve(let curve):
      try self.init(algorithm, type, .libcrypto(.privateKey(curve, scalar: privateKey)))
    case .raw(let raw):
      try self.init(algorithm, type, .privateKey(raw, seed: privateKey))
    case .rsa:
      throw PasskeyCryptoError(.keyMismatch, "an RSA key needs two primes")
    }
  }

  /// Creates an RSA key from two big-endian primes and a public exponent.
  ///
  /// - Throws: `crypto.unsupported-algorithm`, `crypto.key-mismatch` for an algorithm other than RSA, or
  ///   `crypto.invalid-key` for numbers that do not form a key.
  package init(
    _ algorithm: COSEAlgorithm, primes p: SecretBytes, _ q: SecretBytes, publicExponent: UInt32 = 65537
  ) throws(PasskeyCryptoError) {
    let type = try algorithm.supportedKeyType
    guard case .rsa = type else { throw PasskeyCryptoError(.keyMismatch, "two primes define an RSA key") }
    let key = try KeyHandle.privateRSAKey(
      BigNumber(p), BigNumber(q), publicExponent: BigNumber().plus(UInt(publicExponent)))
    try self.init(algorithm, type, .libcrypto(key))
    try requireWorkingKey()
  }

  /// Signs and verifies once. Detects numbers that are not primes, far faster than a primality test.
  private func requireWorkingKey() throws(PasskeyCryptoError) {
    let probe: Bytes = [0x70, 0x71]
    try mapError(publicKey.verify(sign(probe), over: probe)) { (_: PasskeyCryptoError) in
      PasskeyCryptoError(.invalidKey, "the numbers do not form an RSA key")
    }
  }
}

extension SigningKey.Secret {
  /// Creates a key from a seed.
  fileprivate static func privateKey(_ type: RawKeyType, seed: SecretBytes) throws(PasskeyCryptoError) -> Self {
    guard let parameters = type.builtInParameters else { return .libcrypto(try .privateKey(type, seed: seed)) }
    return .builtIn(try BuiltInMLDSAKey(parameters, seed: seed))
  }
}
