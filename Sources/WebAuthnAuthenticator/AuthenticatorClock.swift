// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// The two clocks that an authenticator reads. They are injected so that tests are reproducible.
public protocol AuthenticatorClock: Sendable {
  /// The current date, recorded as a credential's creation and last-use time.
  var now: Timestamp { get }

  /// The time since power-up. It is monotonic.
  var uptime: Duration { get }
}
