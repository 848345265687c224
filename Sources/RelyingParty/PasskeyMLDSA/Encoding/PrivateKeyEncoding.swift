// SPDX-License-Identifier: Apache-2.0

/// The parts of an expanded private key that determine the others.
struct PrivateKeyParts {
  /// The seed of the matrix A, which is public.
  var rho: [UInt8]
  /// The seed of masks.
  var key: [UInt8]
  var s1: [Polynomial]
  var s2: [Polynomial]

  /// Overwrites the secrets.
  mutating func wipe() {
    key.wipe()
    s1.wipe()
    s2.wipe()
  }
}

extension ParameterSet {
  /// skEncode (FIPS 204, algorithm 24).
  func skEncode(_ parts: PrivateKeyParts, tr: [UInt8], t0: [Polynomial]) -> [UInt8] {
    var sk: [UInt8] = []
    // The array must not move while it grows: the old storage would not be wiped.
    sk.reserveCapacity(privateKeyByteCount)
    sk += parts.rho
    sk += parts.key
    sk += tr
    for polynomial in parts.s1 { sk.bitPack(polynomial, bits: etaBits, b: eta) }
    for polynomial in parts.s2 { sk.bitPack(polynomial, bits: etaBits, b: eta) }
    for polynomial in t0 { sk.bitPack(polynomial, bits: Self.d, b: 1 << Int32(Self.d - 1)) }
    return sk
  }

  /// skDecode: decodes the parts of a private key that determine the others; `nil` if the length or a coefficient is out of
  /// range (FIPS 204, algorithm 25). The caller encodes the key again and compares, which checks the other parts.
  func skDecode(_ sk: Span<UInt8>) -> PrivateKeyParts? {
    guard sk.count == privateKeyByteCount else { return nil }
    let size = Polynomial.byteCount(bits: etaBits)
    var parts = PrivateKeyParts(
      rho: sk.bytes(0..<32), key: sk.bytes(32..<64), s1: [Polynomial](zeros: l), s2: [Polynomial](zeros: k))
    for i in 0..<l {
      parts.s1[i] = Polynomial(bitUnpack: sk.extracting(128 + i * size..<128 + (i + 1) * size), bits: etaBits, b: eta)
    }
    for i in l..<(l + k) {
      parts.s2[i - l] = Polynomial(
        bitUnpack: sk.extracting(128 + i * size..<128 + (i + 1) * size), bits: etaBits, b: eta)
    }
    guard parts.s1.hasNorm(below: eta + 1), parts.s2.hasNorm(below: eta + 1) else {
      parts.wipe()
      return nil
    }
    return parts
  }
}
