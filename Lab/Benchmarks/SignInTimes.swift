// SPDX-License-Identifier: Apache-2.0

/// The times of sign-ins, in microseconds.
struct SignInTimes {
  /// The duration of each sign-in.
  private(set) var durations: [Double] = []

  /// The longest time in which sign-ins were running and none ended.
  private(set) var longestStall = 0.0

  init() {}

  /// Takes the beginning and the end of each sign-in of a round.
  init(_ signIns: [(begin: Double, end: Double)]) {
    durations = signIns.map { $0.end - $0.begin }
    // Between two ends, the store stalls from the first of them, or from the beginning of the earliest sign-in that
    // still runs if that is later.
    let byEnd = signIns.sorted { $0.end < $1.end }
    var earliest = Double.infinity
    var stalls: [Double] = []
    for place in byEnd.indices.reversed() {
      earliest = min(earliest, byEnd[place].begin)
      let previous = place == 0 ? 0 : byEnd[place - 1].end
      stalls.append(byEnd[place].end - max(previous, earliest))
    }
    longestStall = stalls.max() ?? 0
  }

  /// Adds the sign-ins of another round.
  static func += (times: inout SignInTimes, other: SignInTimes) {
    times.durations += other.durations
    times.longestStall = max(times.longestStall, other.longestStall)
  }

  /// Returns a percentile of the durations.
  func quantile(_ part: Double) -> Double { durations.quantile(part) }

  /// The longest time by which a sign-in took longer than the median of others.
  func longestWait(over other: SignInTimes) -> Double { max(0, quantile(1) - other.quantile(0.5)) }
}
