// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyOpenSSL
internal import PasskeyFormats

extension KeyHandle {
  /// Creates a private key from a scalar and computes its public point.
  static func privateKey(_ curve: EllipticCurve, scalar: SecretBytes) throws(PasskeyCryptoError) -> KeyHandle {
    guard (1...curve.byteCount).contains(scalar.count) else {
      throw PasskeyCryptoError(.invalidKey, "a scalar of \(scalar.count) bytes")
    }
    let group = try CurveGroup(curve)
    let number = BigNumber(scalar)
    guard !number.isZero, number.isLess(than: try group.order()) else {
      throw PasskeyCryptoError(.invalidKey, "the scalar is not between zero and the order")
    }
    let point = try group.point(number)
    let encoded = try curve.uncompressedPoint(
      x: point.x.bytes(count: curve.byteCount), y: point.y.bytes(count: curve.byteCount))
    var parameters = KeyParameters()
    parameters.add("group", text: curve.groupName)
    parameters.add("pub", octets: encoded)
    parameters.add("priv", number: number)
    return try ThreadWorkspace.current.keyImporter("EC").makeKey(.privateKey, of: parameters)
  }

  /// Creates a private key from a seed.
  static func privateKey(_ type: RawKeyType, seed: SecretBytes) throws(PasskeyCryptoError) -> KeyHandle {
    guard seed.count == type.seedByteCount else {
      throw PasskeyCryptoError(.invalidKey, "a seed of \(seed.count) bytes")
    }
    switch type {
    case .ed25519, .ed448:
      return try KeyHandle(type, privateKey: seed)
    case .mlDSA44, .mlDSA65, .mlDSA87:
      var parameters = KeyParameters()
      seed.withBytes { (seed) in parameters.add("seed", octets: seed) }
      return try ThreadWorkspace.current.keyImporter(type.name).makeKey(.privateKey, of: parameters)
    }
  }

  /// Creates an RSA key from two primes, with the CRT numbers that speed up signing (RFC 8017 §3.2).
  static func privateRSAKey(
    _ p: BigNumber, _ q: BigNumber, publicExponent e: BigNumber
  ) throws(PasskeyCryptoError) -> KeyHandle {
    guard (2...8192).contains(p.bitCount), (2...8192).contains(q.bitCount) else {
      throw PasskeyCryptoError(.invalidKey, "a prime of \(p.bitCount) or \(q.bitCount) bits")
    }
    let modulus = try p.times(q)
    guard modulus.bitCount <= 8192 else {
      throw PasskeyCryptoError(.invalidKey, "a modulus of \(modulus.bitCount) bits")
    }
    let beforeP = try p.minus(1)
    let beforeQ = try q.minus(1)
    let divisor = try beforeP.greatestCommonDivisor(with: beforeQ)
    let d = try e.inverse(modulo: beforeP.divided(by: divisor).times(beforeQ))
    var parameters = KeyParameters()
    parameters.add("n", number: modulus)
    parameters.add("e", number: e)
    parameters.add("d", number: d)
    parameters.add("rsa-factor1", number: p)
    parameters.add("rsa-factor2", number: q)
    parameters.add("rsa-exponent1", number: try d.remainder(modulo: beforeP))
    parameters.add("rsa-exponent2", number: try d.remainder(modulo: beforeQ))
    parameters.add("rsa-coefficient1", number: try q.inverse(modulo: p))
    return try ThreadWorkspace.current.keyImporter("RSA").makeKey(.privateKey, of: parameters)
  }

  /// Whether the key has this type and curve.
  func isOf(_ type: KeyType) -> Bool {
    switch type {
    case .ellipticCurve(let curve): isA("EC") && groupName == "\(curve.groupName)"
    case .raw(let type): isA(type.name)
    case .rsa: isA("RSA")
    }
  }
}

extension KeyHandle {
  /// Parses an unencrypted PKCS#8 `PrivateKeyInfo` without trailing bytes.
  convenience init(pkcs8: SecretBytes) throws(PasskeyCryptoError) {
    let info = try PrivateKeyInfo(pkcs8)
    unsafe self.init(owning: try LibCrypto.require(info.makeKey(), .malformedKey, "PKCS#8"))
  }

  var pkcs8: SecretBytes {
    get throws(PasskeyCryptoError) {
      let made = withPointer { (key) in unsafe EVP_PKEY2PKCS8(key) }
      return try PrivateKeyInfo(owning: LibCrypto.require(made)).encoded()
    }
  }
}

/// libcrypto's parsed form of PKCS#8. Freeing it wipes the private key.
@safe private final class PrivateKeyInfo {
  private let pointer: OpaquePointer

  @safe init(owning pointer: OpaquePointer) {
    unsafe self.pointer = pointer
  }

  init(_ encoded: SecretBytes) throws(PasskeyCryptoError) {
    LibCrypto.start()
    let (made, consumed) = unsafe encoded.withBytes { (bytes) in
      bytes.withPointer { (start, count) in
        var position: UnsafePointer<UInt8>? = unsafe start
        let made = unsafe d2i_PKCS8_PRIV_KEY_INFO(nil, &position, count)
        return unsafe (made, position == start + count)
      }
    }
    unsafe pointer = try LibCrypto.require(made, .malformedKey, "PKCS#8")
    guard consumed else { throw PasskeyCryptoError(.malformedKey, "trailing bytes after the PKCS#8 key") }
  }

  deinit {
    unsafe PKCS8_PRIV_KEY_INFO_free(pointer)
  }

  func makeKey() -> OpaquePointer? {
    unsafe EVP_PKCS82PKEY(pointer)
  }

  func encoded() throws(PasskeyCryptoError) -> SecretBytes {
    let count = Int(unsafe i2d_PKCS8_PRIV_KEY_INFO(pointer, nil))
    guard count > 0 else { throw PasskeyCryptoError(.libraryFailure, "PKCS#8") }
    return SecretBytes(count: count) { (start) in
      var position: UnsafeMutablePointer<UInt8>? = unsafe start
      _ = unsafe i2d_PKCS8_PRIV_KEY_INFO(pointer, &position)
    }
  }
}
