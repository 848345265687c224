// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

@testable import PasskeyMLDSA

@Suite struct RoundingPropertyTests {
  /// The numbers from 0 to q − 1: all of them in a long run, otherwise some, with the limits of every interval.
  private static var numbers: [Int32] {
    let step = PropertyRuns.count(default: 1) > 1 ? 1 : 1_009
    var numbers = Array(stride(from: 0, to: q, by: step))
    for gamma2 in [ParameterSet.Gamma2.of88, .of32] {
      for multiple in 0...gamma2.highBitsCount {
        for near in -2...2 { numbers.append(multiple * 2 * gamma2.rawValue + gamma2.rawValue + Int32(near)) }
      }
    }
    return numbers.filter { (0..<q).contains($0) } + [1, 2, q - 2, q - 1]
  }

  @Test func `splits numbers as the definitions do`() {
    var wrong = 0
    for r in Self.numbers {
      let (t1, t0) = power2Round(r)
      if (t1 << 13) + t0 != r || !(-4095...4096).contains(t0) { wrong += 1 }
      for gamma2 in [ParameterSet.Gamma2.of88, .of32] {
        // FIPS 204, algorithm 36, with divisions.
        let alpha = 2 * gamma2.rawValue
        var r0 = r % alpha
        if r0 > gamma2.rawValue { r0 -= alpha }
        let isTop = r - r0 == q - 1
        let r1 = isTop ? 0 : (r - r0) / alpha
        if isTop { r0 -= 1 }
        if gamma2.decompose(r) != (r1, r0) { wrong += 1 }
        let step = r0 > 0 ? 1 : gamma2.highBitsCount - 1
        if gamma2.useHint(0, r) != r1 || gamma2.useHint(1, r) != (r1 + step) % gamma2.highBitsCount { wrong += 1 }
      }
    }
    #expect(wrong == 0)
  }

  @Test func `a hint recovers the high bits of a sum`() throws {
    try PropertyRuns.check(default: 2_000) { (generator) in
      for gamma2 in [ParameterSet.Gamma2.of88, .of32] {
        let r = Int32.random(in: 0..<q, using: &generator)
        let z = Int32.random(in: -gamma2.rawValue...gamma2.rawValue, using: &generator)
        let sum = (r + z).reduced.canonical
        #expect(gamma2.useHint(gamma2.makeHint(r, sum: sum), r) == gamma2.highBits(sum))
      }
    }
  }
}
