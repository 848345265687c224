// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// The two times that a device needs. They come in from outside, so that any run can be repeated.
public protocol AuthenticatorClock: Sendable {
  /// The date, for "created" and "last used".
  var now: Timestamp { get }

  /// How long the device has had power. It never goes back.
  var uptime: Duration { get }
}
