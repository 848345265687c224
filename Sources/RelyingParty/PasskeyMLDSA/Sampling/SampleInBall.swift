// SPDX-License-Identifier: Apache-2.0

extension ParameterSet {
  /// SampleInBall: derives the challenge, a polynomial with τ coefficients ±1, from its hash (FIPS 204, algorithm 29).
  func sampleInBall(_ challenge: [UInt8]) -> Polynomial {
    var hash = SHAKE.h()
    hash.absorb(challenge.span)
    hash.finish()
    var signs: UInt64 = 0
    for i in 0..<8 { signs |= UInt64(hash.squeeze()) &<< UInt64(8 * i) }
    var c = Polynomial()
    for i in (Polynomial.count - tau)..<Polynomial.count {
      var j = Int(hash.squeeze())
      while j > i { j = Int(hash.squeeze()) }
      c.coefficients[i] = c.coefficients[j]
      c.coefficients[j] = 1 &- 2 &* Int32(truncatingIfNeeded: signs & 1)
      signs &>>= 1
    }
    return c
  }
}
