// SPDX-License-Identifier: Apache-2.0

/// There were too many requests; how long to wait stands in the answer's `Retry-After`.
public struct RateLimitExceeded: Error, Hashable, Sendable {
  /// How long it takes until there may be another.
  public let retryAfter: Duration

  /// A client is to wait so long.
  public init(retryAfter: Duration) {
    self.retryAfter = retryAfter
  }

  /// In whole seconds, as HTTP has it, and never too few.
  var seconds: Int64 {
    let (seconds, attoseconds) = retryAfter.components
    return max(1, attoseconds > 0 && seconds < .max ? seconds + 1 : seconds)
  }
}
