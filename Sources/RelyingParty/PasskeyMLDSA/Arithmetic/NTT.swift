// SPDX-License-Identifier: Apache-2.0

extension Polynomial {
  /// NTT: transforms in place (FIPS 204, algorithm 41). The coefficients must be between −q and q; the result's are between
  /// −9q and 9q.
  mutating func ntt() {
    var m = 0
    var length = 128
    while length >= 1 {
      var start = 0
      while start < Self.count {
        m &+= 1
        let zeta = Int64(zetas[m])
        for j in start..<(start &+ length) {
          let t = montgomeryReduce(zeta &* Int64(coefficients[j &+ length]))
          coefficients[j &+ length] = coefficients[j] &- t
          coefficients[j] = coefficients[j] &+ t
        }
        start &+= 2 &* length
      }
      length /= 2
    }
  }

  /// NTT⁻¹: transforms back in place, and multiplies by 2³², which cancels the factor of ``accumulate(_:times:)`` (FIPS 204,
  /// algorithm 42). The coefficients may be below 2³¹ − 2²²; the result's are between −q and q.
  mutating func inverseNTT() {
    map(\.reduced)
    var m = 256
    var length = 1
    while length < Self.count {
      var start = 0
      while start < Self.count {
        m &-= 1
        let zeta = Int64(0 &- zetas[m])
        for j in start..<(start &+ length) {
          let t = coefficients[j]
          coefficients[j] = t &+ coefficients[j &+ length]
          coefficients[j &+ length] = montgomeryReduce(zeta &* Int64(t &- coefficients[j &+ length]))
        }
        start &+= 2 &* length
      }
      length *= 2
    }
    map { (coefficient) in montgomeryReduce(Int64(coefficient) &* 41_978) }  // 2⁶⁴ / 256 modulo q
  }

  /// AddNTT of MultiplyNTT: adds the product of two transformed polynomials, divided by 2³² (FIPS 204, algorithms 44 and 45).
  mutating func accumulate(_ left: Polynomial, times right: Polynomial) {
    let (left, right) = (left.coefficients.span, right.coefficients.span)
    for i in 0..<Self.count {
      let product = Int64(left[i]) &* Int64(right[i])
      coefficients[i] = coefficients[i] &+ montgomeryReduce(product)
    }
  }
}

/// The powers ζ^BitRev8(m) of ζ = 1753, multiplied by 2³² for ``montgomeryReduce(_:)`` (FIPS 204 §7.5 and algorithm 43).
private let zetas: InlineArray<256, Int32> = {
  var zetas = InlineArray<256, Int32>(repeating: 0)
  var power = Int64(1) << 32 % Int64(q)
  for exponent in 0..<256 {
    let m = UInt8(truncatingIfNeeded: exponent).bitReversed
    zetas[Int(m)] = Int32(truncatingIfNeeded: power).centered
    power = power &* 1753 % Int64(q)
  }
  return zetas
}()

extension UInt8 {
  /// BitRev8 (FIPS 204, algorithm 43).
  fileprivate var bitReversed: UInt8 {
    (0..<8).reduce(0) { (reversed, bit) in reversed | (self &>> bit & 1) &<< (7 &- bit) }
  }
}
