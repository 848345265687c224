// SPDX-License-Identifier: Apache-2.0

/// A comparison of two series of durations with the Mann–Whitney U test, which depends on ranks only, so that single
/// slow responses have little weight.
struct TimeComparison: Sendable {
  private let medians: (Double, Double)
  /// The two-sided p-values of the first and the second half of the samples.
  private let probabilities: [Double]

  init(_ one: [Double], _ other: [Double]) {
    medians = (Self.median(one), Self.median(other))
    let half = min(one.count, other.count) / 2
    probabilities = [
      Self.probability(Array(one.prefix(half)), Array(other.prefix(half))),
      Self.probability(Array(one.dropFirst(half)), Array(other.dropFirst(half))),
    ]
  }

  /// Whether both halves show a difference that chance produces once in a thousand comparisons, and the medians differ by
  /// more than a tenth and by more than 100 µs.
  var differs: Bool {
    let (one, other) = medians
    let isLarge = abs(one - other) > max(0.1 * min(one, other), 0.000_1)
    return isLarge && probabilities.allSatisfy { $0 < 0.001 }
  }

  var description: String {
    func milliseconds(_ seconds: Double) -> String { "\((seconds * 10_000).rounded() / 10) ms" }
    let highest = probabilities.max() ?? 1
    let chance = highest < 0.000_001 ? "less than 0.000001" : "\((highest * 1_000_000).rounded() / 1_000_000)"
    return "a known name takes \(milliseconds(medians.0)), an unknown one \(milliseconds(medians.1)) (medians; p "
      + "\(chance) in each half of the samples)"
  }

  private static func median(_ samples: [Double]) -> Double {
    let sorted = samples.sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
  }

  /// Returns the two-sided p-value by the normal approximation.
  private static func probability(_ one: [Double], _ other: [Double]) -> Double {
    guard one.count >= 8, other.count >= 8 else { return 1 }
    var wins = 0.0
    for first in one { for second in other { wins += first > second ? 1 : first == second ? 0.5 : 0 } }
    let pairs = Double(one.count * other.count)
    let deviation = (pairs * Double(one.count + other.count + 1) / 12).squareRoot()
    return 2 * upperTail(abs(wins - pairs / 2) / deviation)
  }

  /// Returns the probability that a standard normal variable exceeds `z` (Abramowitz and Stegun 26.2.17). The exponential
  /// function is a power of its value at a small step, which needs no C library.
  private static func upperTail(_ z: Double) -> Double {
    let step = 1 / (1 + 0.231_641_9 * z)
    let coefficients = [0.319_381_53, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429]
    let sum = coefficients.reversed().reduce(0) { ($0 + $1) * step }
    return min(1, max(0, exponential(-z * z / 2) / (2 * Double.pi).squareRoot() * sum))
  }

  private static func exponential(_ x: Double) -> Double {
    // e^x = (e^(x/1024))^1024, with the Taylor series for the small exponent.
    let small = x / 1_024
    var value = 1 + small * (1 + small / 2 * (1 + small / 3 * (1 + small / 4)))
    for _ in 0..<10 { value *= value }
    return value
  }
}
