// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyOpenSSL
internal import PasskeyFormats

extension KeyHandle {
  /// Generates a private key by rejection sampling (FIPS 186-5 A.2.2): in libcrypto, or from a seeded source.
  static func generate(_ curve: EllipticCurve, _ random: RandomSource) throws(PasskeyCryptoError) -> KeyHandle {
    guard random.isSeeded else { return try ThreadWorkspace.current.keyGenerator(curve).makeKey() }
    let order = try CurveGroup(curve).order()
    while true {
      let scalar = try drawScalar(curve, random)
      let number = BigNumber(scalar)
      if !number.isZero, number.isLess(than: order) { return try privateKey(curve, scalar: scalar) }
    }
  }

  private static func drawScalar(
    _ curve: EllipticCurve, _ random: RandomSource
  ) throws(PasskeyCryptoError) -> SecretBytes {
    // 521 bits are one bit more than 65 bytes. A seeded source omits that bit.
    try random.secret(curve == .p521 ? curve.byteCount - 1 : curve.byteCount)
  }

  /// Generates an RSA key with the public exponent 65,537.
  static func generateRSA(modulusBitCount: Int, _ random: RandomSource) throws(PasskeyCryptoError) -> KeyHandle {
    guard random.isSeeded else { return try generateRSA(modulusBitCount: modulusBitCount) }
    let exponent = try BigNumber().plus(65537)
    while true {
      let p = try drawPrime(bitCount: modulusBitCount / 2, exponent, random)
      let q = try drawPrime(bitCount: modulusBitCount / 2, exponent, random)
      // FIPS 186-5 A.1.3 step 5.4: primes that are close together can be found near the root of the modulus.
      let distance = try p.isLess(than: q) ? q.minus(p) : p.minus(q)
      if distance.bitCount > modulusBitCount / 2 - 100 {
        return try privateRSAKey(p, q, publicExponent: exponent)
      }
    }
  }

  /// Returns the first suitable prime at or above a random number whose two highest bits are set, so that the product
  /// of two primes has full length.
  private static func drawPrime(
    bitCount: Int, _ exponent: BigNumber, _ random: RandomSource
  ) throws(PasskeyCryptoError) -> BigNumber {
    while true {
      var candidate = try random.secret(bitCount / 8).withBytes { (drawn) in
        BigNumber(
          SecretBytes(
            taking: [(drawn.first ?? 0) | 0xc0] + drawn.dropFirst().dropLast() + [(drawn.last ?? 0) | 0x01]))
      }
      while candidate.bitCount == bitCount {
        if try candidate.isPrime(), try !candidate.minus(1).remainder(modulo: exponent).isZero { return candidate }
        candidate = try candidate.plus(2)
      }
    }
  }

  private static func generateRSA(modulusBitCount: Int) throws(PasskeyCryptoError) -> KeyHandle {
    LibCrypto.start()
    let context = try LibCrypto.require(unsafe EVP_PKEY_CTX_new_from_name(nil, "RSA", nil))
    defer { unsafe EVP_PKEY_CTX_free(context) }
    try LibCrypto.require(unsafe EVP_PKEY_keygen_init(context))
    try LibCrypto.require(unsafe EVP_PKEY_CTX_set_rsa_keygen_bits(context, CInt(clamping: modulusBitCount)))
    var key: OpaquePointer?
    try LibCrypto.require(unsafe EVP_PKEY_generate(context, &key))
    return KeyHandle(owning: LibCrypto.allocated(key))
  }
}

/// Generates keys on one curve with the system's randomness.
///
/// Each thread keeps one, because finding the curve by name takes as long as generating a key.
@safe final class KeyGenerator {
  private let pointer: OpaquePointer

  init(_ curve: EllipticCurve) throws(PasskeyCryptoError) {
    unsafe pointer = try LibCrypto.require(EVP_PKEY_CTX_new_from_name(nil, "EC", nil), .unsupportedAlgorithm, "EC")
    try LibCrypto.require(unsafe EVP_PKEY_keygen_init(pointer))
    try LibCrypto.require(unsafe EVP_PKEY_CTX_set_group_name(pointer, curve.groupName.characters))
  }

  deinit {
    unsafe EVP_PKEY_CTX_free(pointer)
  }

  func makeKey() throws(PasskeyCryptoError) -> KeyHandle {
    var key: OpaquePointer?
    try LibCrypto.require(unsafe EVP_PKEY_generate(pointer, &key))
    return KeyHandle(owning: LibCrypto.allocated(key))
  }
}
