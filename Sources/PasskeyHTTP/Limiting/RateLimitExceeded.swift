// SPDX-License-Identifier: Apache-2.0

/// An exceeded rate limit. The response states the wait in `Retry-After`.
public struct RateLimitExceeded: Error, Hashable, Sendable {
  /// The time until another request is allowed.
  public let retryAfter: Duration

  /// Creates an error with the time to wait.
  public init(retryAfter: Duration) {
    self.retryAfter = retryAfter
  }

  /// The wait in whole seconds, rounded up, at least 1.
  var seconds: Int64 {
    let (seconds, attoseconds) = retryAfter.components
    return max(1, attoseconds > 0 && seconds < .max ? seconds + 1 : seconds)
  }
}
