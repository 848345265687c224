// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// By what the endpoints tell time.
public struct EndpointClock: Sendable {
  /// The time of day of a request.
  public var time: @Sendable (HTTPRequest) -> Timestamp

  /// The moment by which rates are limited, which no change of the system's clock moves.
  public var instant: @Sendable () -> ContinuousClock.Instant

  /// The system's clocks, or others for a test.
  public init(
    time: @escaping @Sendable (HTTPRequest) -> Timestamp = { $0.receivedAt },
    instant: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
  ) {
    self.time = time
    self.instant = instant
  }
}
