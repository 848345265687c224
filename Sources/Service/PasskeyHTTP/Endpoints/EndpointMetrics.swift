// SPDX-License-Identifier: Apache-2.0

internal import PasskeyProfiles
internal import PasskeyService
internal import WebAuthnTypes

/// The metrics of the endpoints.
struct EndpointMetrics: Sendable {
  private let ceremonies: MetricSet<Counter>
  private let sessions: MetricSet<Counter>
  private let storageErrors: MetricSet<Counter>
  private let storageChecks: Histogram
  private let storageIsUp: Gauge
  private let openSessions: Gauge

  init(_ metrics: MetricsRegistry) {
    ceremonies = metrics.counters(
      "passkey_ceremonies_total", "Ceremonies begun and finished, by endpoint and outcome.",
      labels: ["endpoint", "outcome"])
    sessions = metrics.counters(
      "passkey_sessions_opened_total", "Sessions opened and renewed, by endpoint.", labels: ["endpoint"])
    storageErrors = metrics.counters(
      "passkey_storage_errors_total", "Failed calls of the store, by code.", labels: ["code"])
    storageChecks =
      metrics.histograms(
        "passkey_storage_check_duration_seconds", "Duration of write checks of the store.")[]
    storageIsUp = metrics.gauges("passkey_storage_up", "Whether the last write check succeeded: 1 or 0.")[]
    openSessions = metrics.gauges("passkey_sessions", "Sessions that can be used or renewed.")[]
  }

  /// Checks the store and counts the sessions, before the metrics are exported.
  func refreshStorageMetrics(of service: AuthService, _ call: Call, _ probe: ReadinessProbe) async {
    let outcome = await probe.outcome(of: service)
    do throws(ServiceError) {
      try outcome.result.get()
      if outcome.isNew { storageChecks.observe(outcome.duration) }
      openSessions.set(try await service.sessionCount(at: call.context.time))
      storageIsUp.set(1)
    } catch {
      storageIsUp.set(0)
      if case .storage(let error)? = error.cause { storageErrors[error.code.rawValue].add() }
    }
  }

  func countOpenedSession(by endpoint: EndpointName) { sessions[endpoint.rawValue].add() }

  func countSuccess(of endpoint: EndpointName) { ceremonies[endpoint.rawValue, "success"].add() }

  func countFailure(of endpoint: Endpoint, _ error: any Error) {
    if case .storage(let error)? = (error as? ServiceError)?.cause { storageErrors[error.code.rawValue].add() }
    guard endpoint.isCeremony else { return }
    ceremonies[endpoint.name.rawValue, error is FormatError ? "malformed" : RequestFailure(error).code].add()
  }
}
