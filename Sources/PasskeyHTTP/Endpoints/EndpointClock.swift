// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// The clocks of the endpoints.
public struct EndpointClock: Sendable {
  /// Returns the wall-clock time of a request.
  public var time: @Sendable (HTTPRequest) -> Timestamp

  /// Returns the monotonic time for rate limits.
  public var instant: @Sendable () -> ContinuousClock.Instant

  /// Creates clocks: the system's by default, or others for tests.
  public init(
    time: @escaping @Sendable (HTTPRequest) -> Timestamp = { $0.receivedAt },
    instant: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
  ) {
    self.time = time
    self.instant = instant
  }
}
