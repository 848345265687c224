// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeySystem

/// The number of refusals of unauthenticated clients that are recorded.
///
/// Records stay permanently, and a stranger can cause refusals from any number of addresses. Above the budget refusals are
/// counted, and the next record has the count.
final class RefusalBudget: Sendable {
  private struct State {
    var left = RefusalBudget.burst
    /// The time until which `left` was filled up.
    var filled: UnixTime?
    var omitted = 0
  }

  private let state = Locked(State())

  // 1,000 records, then 10 a second [half a megabyte at once and half a gigabyte a day at most, and far more than the users
  // of a large service cause by mistake]
  static let burst = 1_000
  private static let perSecond: Int64 = 10

  // 60 seconds [longer than a request waits between two looks at the clock, shorter than a mistake worth setting back]
  private static let clockTolerance = Duration.seconds(60)

  /// Takes back a refusal that could not be recorded, with those that it would have counted.
  func restore(omitted: Int) {
    state.withLock { (state) in state.omitted += omitted + 1 }
  }

  /// Returns the number of refusals that were not recorded before this one; nil if this one is not to be recorded either.
  func take(at now: UnixTime) -> Int? {
    state.withLock { (state) in
      // Concurrent requests read the clock in another order. A clock that goes back further was set.
      let filled = state.filled.map { (filled) in now < filled - Self.clockTolerance ? now : filled } ?? now
      state.filled = max(filled, now)
      let seconds = now > filled ? now.secondsSince1970 &- filled.secondsSince1970 : 0
      state.left = min(Self.burst, state.left + Int(min(max(0, seconds), Int64(Self.burst)) * Self.perSecond))
      guard state.left > 0 else {
        state.omitted += 1
        return nil
      }
      state.left -= 1
      defer { state.omitted = 0 }
      return state.omitted
    }
  }
}
