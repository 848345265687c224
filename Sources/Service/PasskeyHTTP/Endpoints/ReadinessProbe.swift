// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

/// A write check of the store, run at most once per interval for all clients together.
///
/// Requests within the interval get the cached result. Requests during a check wait for its result.
actor ReadinessProbe {
  /// The result and the duration of a check.
  struct Outcome: Sendable {
    let result: Result<Void, ServiceError>
    let duration: Duration
    /// Whether this caller started the check.
    var isNew = false
  }

  private let interval: Duration
  private let clock: Endpoints.Clock
  private var last: (outcome: Outcome, instant: ContinuousClock.Instant)?
  private var running: Task<Outcome, Never>?

  init(interval: Duration, clock: Endpoints.Clock) {
    self.interval = interval
    self.clock = clock
  }

  /// Returns the result of the last check, or runs a new check if that result is older than the interval.
  func outcome(of service: AuthService) async -> Outcome {
    if let running { return await running.value }
    let begun = clock.instant()
    if let last, last.instant.duration(to: begun) < interval { return last.outcome }
    let task = Task { [clock] () -> Outcome in
      let result: Result<Void, ServiceError>
      do throws(ServiceError) {
        result = .success(try await service.check())
      } catch {
        result = .failure(error)
      }
      return Outcome(result: result, duration: begun.duration(to: clock.instant()))
    }
    running = task
    var outcome = await task.value
    running = nil
    last = (outcome, begun)
    outcome.isNew = true
    return outcome
  }
}
