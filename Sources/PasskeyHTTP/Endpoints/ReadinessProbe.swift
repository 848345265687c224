// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

/// A write check of the store, made at most once in an interval for all clients together.
///
/// Clients that ask within the interval get the last result; clients that ask while a check runs wait for it.
actor ReadinessProbe {
  /// The result of a check, and how long the check took.
  struct Outcome: Sendable {
    let result: Result<Void, ServiceError>
    let duration: Duration
    /// Whether this caller's question led to the check.
    var isNew = false
  }

  private let interval: Duration
  private let clock: EndpointClock
  private var last: (outcome: Outcome, instant: ContinuousClock.Instant)?
  private var running: Task<Outcome, Never>?

  init(interval: Duration, clock: EndpointClock) {
    self.interval = interval
    self.clock = clock
  }

  /// The result of the last check, or of a new one if that is older than the interval.
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
