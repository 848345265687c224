// SPDX-License-Identifier: Apache-2.0

// IntegerToBits, BitsToInteger, BitsToBytes and BytesToBits (FIPS 204, algorithms 9, 10, 12 and 13) are shifts of an integer
// that holds the bits between two bytes.

extension [UInt8] {
  /// SimpleBitPack: appends coefficients from 0 to 2^`bits` − 1 in little-endian order (FIPS 204, algorithm 16).
  mutating func simpleBitPack(_ w: Polynomial, bits: Int) {
    bitPack(w.coefficients.span, bits: bits) { (coefficient) in coefficient }
  }

  /// BitPack: appends b − w for coefficients w from b − 2^`bits` + 1 to b (FIPS 204, algorithm 17).
  mutating func bitPack(_ w: Polynomial, bits: Int, b: Int32) {
    bitPack(w.coefficients.span, bits: bits) { (coefficient) in b &- coefficient }
  }

  @inline(__always)
  private mutating func bitPack(_ coefficients: Span<Int32>, bits: Int, _ value: (Int32) -> Int32) {
    var buffer: UInt64 = 0
    var count = 0
    for i in 0..<Polynomial.count {
      buffer |= UInt64(UInt32(bitPattern: value(coefficients[i]))) &<< UInt64(count)
      count += bits
      while count >= 8 {
        append(UInt8(truncatingIfNeeded: buffer))
        buffer &>>= 8
        count -= 8
      }
    }
  }
}

extension Polynomial {
  /// SimpleBitUnpack: reads coefficients of `bits` bits (FIPS 204, algorithm 18). Requires ``byteCount(bits:)`` bytes.
  init(simpleBitUnpack v: Span<UInt8>, bits: Int) {
    self.init(bits: bits, of: v) { (value) in value }
  }

  /// BitUnpack: reads coefficients b − v from values v of `bits` bits (FIPS 204, algorithm 19). Requires
  /// ``byteCount(bits:)`` bytes.
  init(bitUnpack v: Span<UInt8>, bits: Int, b: Int32) {
    self.init(bits: bits, of: v) { (value) in b &- value }
  }

  @inline(__always)
  private init(bits: Int, of v: Span<UInt8>, _ coefficient: (Int32) -> Int32) {
    let mask: UInt64 = (1 &<< UInt64(bits)) &- 1
    var buffer: UInt64 = 0
    var count = 0
    var next = 0
    for i in 0..<Self.count {
      while count < bits {
        buffer |= UInt64(v[next]) &<< UInt64(count)
        next += 1
        count += 8
      }
      coefficients[i] = coefficient(Int32(truncatingIfNeeded: buffer & mask))
      buffer &>>= UInt64(bits)
      count -= bits
    }
  }
}
