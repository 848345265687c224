// SPDX-License-Identifier: Apache-2.0

/// A rate limit: a burst, then one request per interval.
public struct RateLimit: Hashable, Sendable {
  /// The number of requests that a full budget allows at once.
  public let burst: Int

  /// The time in which one request is added to the budget.
  public let interval: Duration

  /// Creates a rate limit. The burst is at least 1, and the interval at least one microsecond.
  public init(burst: Int, then interval: Duration) {
    self.burst = min(max(1, burst), 1 << 20)
    self.interval = min(max(.microseconds(1), interval), .seconds(86_400))
  }

  /// Returns a limit that allows `factor` times as many requests.
  func times(_ factor: Int) -> RateLimit {
    RateLimit(
      burst: burst.multipliedReportingOverflow(by: factor).overflow ? .max : burst * factor, then: interval / factor)
  }

  /// The interval in nanoseconds, at most 2^47.
  var nanoseconds: Int64 { interval.nanoseconds }
}

extension Duration {
  /// The duration in whole nanoseconds, saturated at about 292 years.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return seconds < 0 ? .min : .max }
    let (sum, sumOverflow) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    return sumOverflow ? (seconds < 0 ? .min : .max) : sum
  }
}
