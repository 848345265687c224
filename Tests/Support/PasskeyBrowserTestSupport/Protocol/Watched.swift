// SPDX-License-Identifier: Apache-2.0

internal import PasskeySystem

/// A value that tasks can wait for. A wait suspends its task and blocks no thread.
package final class Watched<Value>: Sendable {
  /// A suspended task.
  private struct Waiter {
    let what: String
    let beginning: ContinuousClock.Instant
    /// Returns the function that resumes the task if its condition holds.
    let check: (inout Value) -> (@Sendable () -> Void)?
    let fail: @Sendable (BrowserError) -> Void
  }

  private struct State {
    var value: Value
    var waiters: [Waiter] = []
    var failure: BrowserError?
  }

  private let state: Locked<State>

  package init(_ value: sending Value) {
    state = Locked(State(value: value))
  }

  /// Reads or changes the value, and resumes the tasks whose conditions now hold.
  @discardableResult
  package func update<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    var resumed: [@Sendable () -> Void] = []
    defer { for resume in resumed { resume() } }
    return try state.withLock { (state) in
      let result = try body(&state.value)
      state.waiters.removeAll { (waiter) in
        guard let resume = waiter.check(&state.value) else { return false }
        resumed.append(resume)
        return true
      }
      return result
    }
  }

  /// Suspends the task until `body` returns a result. It is called at once and after each update.
  ///
  /// - Throws: ``BrowserError`` if the browser ends, the page crashes, or the limit of `HangGuard` is reached.
  package func wait<Result: Sendable>(
    for what: String, _ body: @escaping @Sendable (inout Value) -> Result?
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Result, any Error>) in
      let resume: (@Sendable () -> Void)? = state.withLock { (state) in
        if let result = body(&state.value) { return { continuation.resume(returning: result) } }
        if let failure = state.failure { return { continuation.resume(throwing: failure) } }
        state.waiters.append(
          Waiter(
            what: what, beginning: .now,
            check: { (value) in
              guard let result = body(&value) else { return nil }
              return { continuation.resume(returning: result) }
            },
            fail: { continuation.resume(throwing: $0) }))
        return nil
      }
      resume?()
    }
  }

  /// Fails all waits, also future ones whose condition does not hold yet.
  package func fail(_ error: BrowserError) {
    let waiters = state.withLock { (state) in
      state.failure = state.failure ?? error
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.fail(error) }
  }

  /// Fails the waits that began before a moment.
  func failWaits(before moment: ContinuousClock.Instant) {
    let late = state.withLock { (state) in
      let late = state.waiters.filter { $0.beginning < moment }
      state.waiters.removeAll { $0.beginning < moment }
      return late
    }
    for waiter in late { waiter.fail(.hung(waiter.what)) }
  }
}
