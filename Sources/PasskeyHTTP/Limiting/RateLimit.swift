// SPDX-License-Identifier: Apache-2.0

/// How many requests there may be: so many at once, and then one for each interval.
public struct RateLimit: Hashable, Sendable {
  /// How many there may be at once after a rest.
  public let burst: Int

  /// How long it takes until there may be another.
  public let interval: Duration

  /// So many at once, and then one for each interval. There is at least one, and an interval of at least a microsecond.
  public init(burst: Int, then interval: Duration) {
    self.burst = min(max(1, burst), 1 << 20)
    self.interval = min(max(.microseconds(1), interval), .seconds(86_400))
  }

  /// So many times as much.
  func times(_ factor: Int) -> RateLimit {
    RateLimit(
      burst: burst.multipliedReportingOverflow(by: factor).overflow ? .max : burst * factor, then: interval / factor)
  }

  /// The interval in nanoseconds, which are at most 2^47.
  var nanoseconds: Int64 { interval.nanoseconds }
}

extension Duration {
  /// Whole nanoseconds, up to those of 292 years.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return seconds < 0 ? .min : .max }
    let (sum, sumOverflow) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    return sumOverflow ? (seconds < 0 ? .min : .max) : sum
  }
}
