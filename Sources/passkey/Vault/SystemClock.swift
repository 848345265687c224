// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WebAuthnAuthenticator
internal import WireFormats

/// The machine's clock for a device, which is plugged in when this is made.
struct SystemClock: AuthenticatorClock {
  private let start = ContinuousClock.now

  var now: Timestamp { Clock.now }
  var uptime: Duration { ContinuousClock.now - start }
}
