// SPDX-License-Identifier: Apache-2.0

extension ParameterSet {
  /// pkEncode (FIPS 204, algorithm 22).
  func pkEncode(rho: [UInt8], t1: [Polynomial]) -> [UInt8] {
    var pk = rho
    pk.reserveCapacity(publicKeyByteCount)
    for polynomial in t1 { pk.simpleBitPack(polynomial, bits: Self.t1Bits) }
    return pk
  }

  /// pkDecode: decodes a public key of ``publicKeyByteCount`` bytes (FIPS 204, algorithm 23).
  func pkDecode(_ pk: Span<UInt8>) -> (rho: [UInt8], t1: [Polynomial]) {
    let size = Polynomial.byteCount(bits: Self.t1Bits)
    var t1: [Polynomial] = []
    t1.reserveCapacity(k)
    for start in stride(from: 32, to: publicKeyByteCount, by: size) {
      t1.append(Polynomial(simpleBitUnpack: pk.extracting(start..<(start + size)), bits: Self.t1Bits))
    }
    return (pk.bytes(0..<32), t1)
  }
}

extension Span<UInt8> {
  /// Returns a copy of a range.
  func bytes(_ range: Range<Int>) -> [UInt8] { range.map { (i) in self[i] } }
}
