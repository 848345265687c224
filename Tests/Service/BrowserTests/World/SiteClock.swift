// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeySystem

@testable import PasskeyHTTP

/// The system's time, and what a test has added to it.
final class SiteClock: Sendable {
  private let added = Locked(0)

  var now: UnixTime { WallClock.now + .seconds(added.withLock { $0 }) }

  var instant: ContinuousClock.Instant { .now + .seconds(added.withLock { $0 }) }

  /// Advances the clock of the server. That of the browser stays.
  func pass(seconds: Int) { added.withLock { $0 += seconds } }
}
