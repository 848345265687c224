// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

/// What the endpoints count.
struct EndpointMetrics: Sendable {
  private let ceremonies: MetricSet<Counter>
  private let sessions: MetricSet<Counter>
  private let storageErrors: MetricSet<Counter>

  init(_ metrics: Metrics) {
    ceremonies = metrics.counters(
      "passkey_ceremonies_total", "Ceremonies begun and finished, by endpoint and outcome.",
      labels: ["endpoint", "outcome"])
    sessions = metrics.counters(
      "passkey_sessions_opened_total", "Sessions opened and renewed, by endpoint.", labels: ["endpoint"])
    storageErrors = metrics.counters(
      "passkey_storage_errors_total", "Questions that the store did not answer, by code.", labels: ["code"])
  }

  func opened(by endpoint: EndpointName) { sessions[endpoint.rawValue].add() }

  func completed(_ endpoint: EndpointName) { ceremonies[endpoint.rawValue, "success"].add() }

  func failed(_ endpoint: Endpoint, _ error: any Error) {
    let outcome: String
    switch error {
    case let error as ServiceError:
      outcome = error.innermostCode
      if case .storage(let error)? = error.cause { storageErrors[error.code.rawValue].add() }
    case let error as StepUpDemand: outcome = error.code.rawValue
    case let error as HTTPError: outcome = error.code.rawValue
    case is RateLimitExceeded: outcome = HTTPError.Code.tooManyRequests.rawValue
    default: outcome = "malformed"
    }
    if endpoint.isCeremony { ceremonies[endpoint.name.rawValue, outcome].add() }
  }
}
