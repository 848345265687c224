// SPDX-License-Identifier: Apache-2.0

/// The pauses between the attempts to deliver a notice, and their number.
public struct Backoff: Hashable, Sendable {
  /// The pause after the first failure. Each further failure doubles it.
  public var first = Duration.seconds(5)

  /// The longest pause.
  public var longest = Duration.seconds(3600)

  /// The number of failed attempts after which a notice becomes a dead letter.
  public var maximumAttempts = 16

  /// Creates the default: 5 seconds, doubled up to an hour, 16 attempts in about 10 hours.
  public init() {}

  /// Returns the pause after a failure. Half of it is fixed and half is random, so that notices that failed together
  /// are retried at different times. A longer pause that the destination requested is respected, up to ``longest``.
  ///
  /// - Parameters:
  ///   - failures: The number of failed attempts, from 1.
  ///   - requested: The pause that the destination requested; nil for none.
  ///   - fraction: A random number from 0 to 1.
  /// - Returns: The pause.
  public func pause(afterFailures failures: Int, requested: Duration?, fraction: Double) -> Duration {
    var pause = first
    for _ in 1..<max(1, failures) where pause < longest { pause *= 2 }
    pause = min(pause, longest)
    return max(pause * (0.5 + fraction / 2), min(requested ?? .zero, longest))
  }
}
