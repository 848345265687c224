// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport

/// The times of one request for an account and for two strangers, from rounds that measure all three.
///
/// Their difference is judged by the interval in which its median lies with a confidence of 99.9 %, for independent rounds
/// with noise of any shape. An interval that lies wholly outside the tolerance is an effect. A wide interval finds none, so
/// a test demands a sharp one, and makes more rounds on a noisy machine.
///
/// With noise of 20 % and a few slow rounds, 2,000 rounds find a difference of 10 % in at least 95 of 100 runs, and raise
/// no alarm in 100 runs without one, for a tolerance of 5 % (PairedTimesTests).
package struct PairedTimes: Sendable {
  private var differences: [Double] = []
  private var noise: [Double] = []
  private var strangers: [Double] = []

  /// Enough for a sharp interval with noise of 60 %.
  package static let maximumRounds = 20_000

  package init() {}

  /// Adds a round, in any unit.
  package mutating func add(account: Double, stranger: Double, otherStranger: Double) {
    differences.append(account - stranger)
    noise.append(stranger - otherStranger)
    strangers += [stranger, otherStranger]
  }

  /// The interval of the median difference, as a share of a stranger's median.
  package var difference: ClosedRange<Double> { share(differences) }

  /// The interval of the median difference between the two strangers, which are alike.
  package var control: ClosedRange<Double> { share(noise) }

  /// Whether 2,000 rounds or more have given an interval of at most 6 %.
  package var isSharp: Bool {
    // The interval is judged once in a hundred rounds, because it sorts them all.
    guard differences.count >= 2_000, differences.count.isMultiple(of: 100) else { return false }
    return difference.upperBound - difference.lowerBound <= 0.06
  }

  /// Whether account and stranger differ by more than a share of a stranger's time.
  package func isDifferent(beyond tolerance: Double) -> Bool {
    difference.lowerBound > tolerance || difference.upperBound < -tolerance
  }

  private func share(_ values: [Double]) -> ClosedRange<Double> {
    let (values, strangers) = (values.sorted(), strangers.sorted())
    guard !values.isEmpty else { return 0...0 }
    let median = strangers[strangers.count / 2]
    // The rank of the median is binomial: 3.29 of its standard deviations on each side are 99.9 %.
    let reach = 3.29 * Double(values.count).squareRoot() / 2
    let lower = max(0, Int(Double(values.count) / 2 - reach))
    let upper = min(values.count - 1, Int((Double(values.count) / 2 + reach).rounded(.up)))
    return values[lower] / median...values[upper] / median
  }
}
