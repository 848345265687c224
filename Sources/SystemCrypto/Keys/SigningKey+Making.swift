// SPDX-License-Identifier: Apache-2.0

public import COSE
internal import WireFormats

extension SigningKey {
  /// Makes a new key.
  ///
  /// A seeded source gives the same key for the same seed, in the same number of draws. ECDSA draws its scalar, big-endian
  /// and as long as the curve's coordinates (for P-521 one byte less, as the W3C test vectors do), again if it is zero or
  /// not below the order; EdDSA and ML-DSA draw their seed; RSA draws each prime once, half as long as the modulus, sets
  /// its two highest bits and its lowest one, and goes up from there to the first prime p where p − 1 is no multiple of
  /// 65,537. From the system's source ECDSA and RSA keys are made by libcrypto.
  ///
  /// `modulusBitCount` is for RSA alone: a multiple of 16 from 2,048 to 8,192.
  public static func generate(
    _ algorithm: COSEAlgorithm, random: RandomSource, modulusBitCount: Int = 2048
  ) throws(CryptoError) -> SigningKey {
    let type = try algorithm.supportedKeyType
    switch type {
    case .ellipticCurve(let curve):
      return try SigningKey(algorithm, type, .generate(curve, random))
    case .raw(let raw):
      return try SigningKey(algorithm, type, .privateKey(raw, seed: random.secret(raw.seedByteCount)))
    case .rsa:
      guard (2048...8192).contains(modulusBitCount), modulusBitCount.isMultiple(of: 16) else {
        throw CryptoError(.invalidParameter, "an RSA modulus of \(modulusBitCount) bits")
      }
      return try SigningKey(algorithm, type, .generateRSA(modulusBitCount: modulusBitCount, random))
    }
  }

  /// The key with these private bytes: the scalar of an ECDSA key, big-endian and at most as long as the curve's
  /// coordinates; the seed of an EdDSA or ML-DSA key (RFC 8032 §5.1.5 and §5.2.5, FIPS 204 §3.6.1).
  public init(_ algorithm: COSEAlgorithm, privateKey: SecretBytes) throws(CryptoError) {
    let type = try algorithm.supportedKeyType
    switch type {
    case .ellipticCurve(let curve):
      try self.init(algorithm, type, .privateKey(curve, scalar: privateKey))
    case .raw(let raw):
      try self.init(algorithm, type, .privateKey(raw, seed: privateKey))
    case .rsa:
      throw CryptoError(.keyMismatch, "an RSA key is made of two primes")
    }
  }

  /// The RSA key of two primes, big-endian, and a public exponent.
  public init(
    _ algorithm: COSEAlgorithm, primes p: SecretBytes, _ q: SecretBytes, publicExponent: UInt32 = 65537
  ) throws(CryptoError) {
    let type = try algorithm.supportedKeyType
    guard case .rsa = type else { throw CryptoError(.keyMismatch, "two primes are an RSA key") }
    let key = try KeyHandle.privateRSAKey(
      BigNumber(p), BigNumber(q), publicExponent: BigNumber().plus(UInt(publicExponent)))
    try self.init(algorithm, type, key)
    try requireThatItSigns()
  }

  /// Numbers that are not primes make a key that signs wrongly, and testing the primes takes far longer than one signature.
  private func requireThatItSigns() throws(CryptoError) {
    let probe: Bytes = [0x70, 0x71]
    do throws(CryptoError) {
      try publicKey.verify(sign(probe)[...], over: probe)
    } catch {
      throw CryptoError(.invalidKey, "the numbers do not make an RSA key")
    }
  }
}
