// SPDX-License-Identifier: Apache-2.0

// The time of these functions does not depend on the coefficients. They replace division by multiplication, because the time
// of a processor's division depends on its operands.

/// Power2Round: splits a coefficient from 0 to q − 1 into t1·2ᵈ + t0 (FIPS 204, algorithm 35).
func power2Round(_ r: Int32) -> (t1: Int32, t0: Int32) {
  let t1 = (r &+ (1 << (ParameterSet.d - 1)) &- 1) &>> Int32(ParameterSet.d)
  return (t1, r &- t1 &<< Int32(ParameterSet.d))
}

extension Polynomial {
  /// Replaces the coefficients, between −q and q, by their high-order bits, corrected by a hint.
  mutating func useHint(_ h: Polynomial, _ gamma2: ParameterSet.Gamma2) {
    let h = h.coefficients.span
    for i in 0..<Self.count { coefficients[i] = gamma2.useHint(h[i], coefficients[i].canonical) }
  }

  /// Adds a polynomial z, replaces the coefficients by the hint for −z, and returns the number of ones. Both have coefficients
  /// between −q and q.
  mutating func makeHint(adding z: Polynomial, _ gamma2: ParameterSet.Gamma2) -> Int32 {
    let z = z.coefficients.span
    var ones: Int32 = 0
    for i in 0..<Self.count {
      let sum = coefficients[i]
      coefficients[i] = gamma2.makeHint((sum &+ z[i]).reduced.canonical, sum: sum.canonical)
      ones &+= coefficients[i]
    }
    return ones
  }
}

extension ParameterSet.Gamma2 {
  /// The number of values of HighBits: (q − 1) / (2γ2).
  var highBitsCount: Int32 {
    switch self {
    case .of88: 44
    case .of32: 16
    }
  }

  /// Decompose: splits a coefficient from 0 to q − 1 into r1·2γ2 + r0 modulo q (FIPS 204, algorithm 36).
  @inline(__always)
  func decompose(_ r: Int32) -> (r1: Int32, r0: Int32) {
    let multiple = quotient(r &+ rawValue &- 1)
    // −1, except for the multiple q − 1, which becomes r1 = 0 with one less in r0.
    let isBelowTop = (multiple &- highBitsCount).signMask
    return (multiple & isBelowTop, r &- multiple &* (2 &* rawValue) &- (1 &+ isBelowTop))
  }

  /// Returns x / (2γ2) for x below 2²⁴. The divisors are 93·2¹¹ and 1023·2⁹.
  @inline(__always)
  private func quotient(_ x: Int32) -> Int32 {
    switch self {
    case .of88: ((x &>> 11) &* 45_101) &>> 22
    case .of32: ((x &>> 9) &+ (x &>> 19) &+ 1) &>> 10
    }
  }

  /// HighBits (FIPS 204, algorithm 37).
  @inline(__always)
  func highBits(_ r: Int32) -> Int32 { decompose(r).r1 }

  /// LowBits (FIPS 204, algorithm 38).
  @inline(__always)
  func lowBits(_ r: Int32) -> Int32 { decompose(r).r0 }

  /// MakeHint: 1 if adding z to r changes the high-order bits, 0 otherwise (FIPS 204, algorithm 39). Takes r and r + z.
  @inline(__always)
  func makeHint(_ r: Int32, sum: Int32) -> Int32 {
    let difference = highBits(r) ^ highBits(sum)
    return 0 &- (0 &- difference).signMask
  }

  /// UseHint: returns the high-order bits, corrected by a hint of 0 or 1 (FIPS 204, algorithm 40).
  @inline(__always)
  func useHint(_ hint: Int32, _ r: Int32) -> Int32 {
    let (r1, r0) = decompose(r)
    // 1 if r0 is positive, −1 otherwise, and 0 without a hint.
    let step = (1 &+ 2 &* (r0 &- 1).signMask) &* hint
    let corrected = r1 &+ step
    let wrapped = corrected &+ (highBitsCount & corrected.signMask)
    return wrapped & (wrapped &- highBitsCount).signMask
  }
}
