// SPDX-License-Identifier: Apache-2.0

extension ParameterSet {
  /// ExpandMask of one polynomial: derives a mask with coefficients from −γ1 + 1 to γ1 (FIPS 204, algorithm 34).
  func expandMask(_ rho: [UInt8], _ number: Int) -> Polynomial {
    var hash = SHAKE.h()
    hash.absorb(rho.span)
    hash.absorb(UInt8(truncatingIfNeeded: number))
    hash.absorb(UInt8(truncatingIfNeeded: number >> 8))
    hash.finish()
    var v = hash.squeeze(Polynomial.byteCount(bits: zBits))
    defer {
      hash.wipe()
      v.wipe()
    }
    return Polynomial(bitUnpack: v.span, bits: zBits, b: gamma1)
  }
}
