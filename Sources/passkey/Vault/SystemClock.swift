// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WebAuthnAuthenticator
internal import WireFormats

/// The system's clock for a device. Its uptime starts at initialization.
struct SystemClock: AuthenticatorClock {
  private let start = ContinuousClock.now

  var now: Timestamp { Clock.now }
  var uptime: Duration { ContinuousClock.now - start }
}
