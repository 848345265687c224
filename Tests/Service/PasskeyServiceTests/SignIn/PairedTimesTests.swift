// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing

/// The comparison of times, with simulated times.
@Suite(.tags(.slow)) struct PairedTimesTests {
  /// Returns the alarms in 100 runs of 2,000 rounds in which an account takes longer by a share.
  private func alarms(_ effect: Double) -> Int {
    (0..<100).count { (run) in
      var generator = PropertyRuns.generator(run: run)
      func time(_ factor: Double) -> Double {
        // The sum of twelve is nearly normal; one round in fifty is interrupted.
        let normal = (0..<12).reduce(-6.0) { (sum, _) in sum + Double.random(in: 0..<1, using: &generator) }
        let isSlow = Int.random(in: 0..<50, using: &generator) == 0
        return 600 * factor * exp(0.2 * normal) * (isSlow ? 5 : 1)
      }
      var times = PairedTimes()
      for _ in 0..<2_000 { times.add(account: time(1 + effect), stranger: time(1), otherStranger: time(1)) }
      return times.isDifferent(beyond: 0.05)
    }
  }

  @Test func `equal times raise no alarm`() {
    #expect(alarms(0) == 0)
  }

  @Test func `a difference of ten percent is found in 95 of 100 runs, in both directions`() {
    #expect(alarms(0.1) >= 95)
    #expect(alarms(-0.1) >= 95)
  }
}
