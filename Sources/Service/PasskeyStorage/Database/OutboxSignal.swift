// SPDX-License-Identifier: Apache-2.0

internal import PasskeySystem

/// A signal that a store sends after each commit that wrote notices. It wakes tasks of the same process only.
public final class OutboxSignal: Sendable {
  private struct State {
    var count: UInt64 = 0
    var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    var nextWaiter: UInt64 = 0
  }

  private let state = Locked(State())

  /// Creates a signal.
  package init() {}

  /// The number of signals sent so far.
  public var count: UInt64 { state.withLock { (state) in state.count } }

  /// Wakes all waiters.
  public func give() {
    let waiters = state.withLock { (state) in
      state.count &+= 1
      defer { state.waiters = [:] }
      return state.waiters.values
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Waits until more than `count` signals have been sent, the time has passed, or the task is cancelled.
  package func wait(after count: UInt64, atMost time: Duration) async {
    await withTaskGroup { (group) in
      group.addTask { await self.wait(after: count) }
      group.addTask { try? await Task.sleep(for: time) }
      await group.next()
      group.cancelAll()
    }
  }

  private func wait(after count: UInt64) async {
    let number = state.withLock { (state) in
      state.nextWaiter &+= 1
      return state.nextWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation) in
        let isDue = state.withLock { (state) in
          guard state.count == count, !Task.isCancelled else { return true }
          state.waiters[number] = continuation
          return false
        }
        if isDue { continuation.resume() }
      }
    } onCancel: {
      state.withLock { (state) in state.waiters.removeValue(forKey: number) }?.resume()
    }
  }
}
