// SPDX-License-Identifier: Apache-2.0

extension ParameterSet {
  /// RejBoundedPoly of one polynomial of ExpandS: samples secret coefficients from −η to η (FIPS 204, algorithms 31 and 33).
  ///
  /// The time depends on the rejected half-bytes, which say nothing about the accepted ones.
  func rejBoundedPoly(_ rho: [UInt8], _ number: Int) -> Polynomial {
    var hash = SHAKE.h()
    defer { hash.wipe() }
    hash.absorb(rho.span)
    hash.absorb(UInt8(truncatingIfNeeded: number))
    hash.absorb(UInt8(truncatingIfNeeded: number >> 8))
    hash.finish()
    var polynomial = Polynomial()
    var count = 0
    while count < Polynomial.count {
      let byte = Int32(hash.squeeze())
      for shift: Int32 in stride(from: 0, through: 4, by: 4) {
        let half = byte &>> shift & 0x0f
        guard half < acceptedHalfBytes, count < Polynomial.count else { continue }
        polynomial.coefficients[count] = coefficient(fromHalfByte: half)
        count += 1
      }
    }
    return polynomial
  }

  private var acceptedHalfBytes: Int32 { eta == 2 ? 15 : 9 }

  /// CoeffFromHalfByte (FIPS 204, algorithm 14), without a division: 13·b / 64 is b / 5 for b below 15.
  private func coefficient(fromHalfByte half: Int32) -> Int32 {
    eta == 2 ? 2 &- (half &- ((half &* 13) &>> 6) &* 5) : 4 &- half
  }
}
