// SPDX-License-Identifier: Apache-2.0

internal import PasskeySystem

/// The number of requests that an audit may still send, and their rate.
package final class RequestBudget: Sendable {
  private let maximum: Int
  private let interval: Duration
  private let state: Locked<State>

  private struct State {
    var sent = 0
    var next: ContinuousClock.Instant
  }

  /// Creates a budget. Without `perSecond` the rate is unlimited.
  package init(maximum: Int, perSecond: Double?) {
    self.maximum = maximum
    interval = perSecond.map { .seconds(1) / max($0, 0.01) } ?? .zero
    state = Locked(State(next: ContinuousClock.now))
  }

  /// The number of requests sent.
  package var sent: Int { state.withLock { $0.sent } }

  /// Waits until the next request may be sent. With `count`, so many requests may be sent at once, and later ones wait for
  /// the time that they take at the rate.
  ///
  /// - Throws: ``CannotTell`` if the budget is used up.
  package func take(_ count: Int = 1) async throws {
    let now = ContinuousClock.now
    let time: ContinuousClock.Instant? = state.withLock { (state) in
      guard count <= maximum - state.sent else { return nil }
      state.sent += count
      let time = max(state.next, now)
      state.next = time + interval * count
      return time
    }
    guard let time else { throw CannotTell("the limit of \(maximum) requests is reached; --max-requests raises it") }
    if time > now { try await Task.sleep(until: time, clock: .continuous) }
  }
}
