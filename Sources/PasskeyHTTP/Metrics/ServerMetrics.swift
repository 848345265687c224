// SPDX-License-Identifier: Apache-2.0

/// The metrics of the HTTP server.
struct ServerMetrics: Sendable {
  private let requests: MetricSet<Counter>
  private let problems: MetricSet<Counter>
  private let durations: MetricSet<Histogram>
  private let cutOff: MetricSet<Counter>
  private let working: Gauge
  private let connections: Gauge

  init(_ metrics: Metrics) {
    requests = metrics.counters(
      "passkey_http_requests_total", "Requests answered, by method, route and status.",
      labels: ["method", "route", "status"])
    problems = metrics.counters(
      "passkey_http_problems_total", "Requests answered with a problem, by its code.", labels: ["code"])
    durations = metrics.histograms(
      "passkey_http_request_duration_seconds", "From a request's first line to its end, by route.", labels: ["route"])
    cutOff = metrics.counters(
      "passkey_http_cut_off_total", "Connections that the server ended, by the limit that they met.",
      labels: ["limit"])
    working = metrics.gauges("passkey_http_requests_in_flight", "Requests that are being answered.")[]
    connections = metrics.gauges("passkey_http_connections", "Connections that are open.")[]
  }

  func addConnection() { connections.add(1) }
  func removeConnection() { connections.add(-1) }
  func beginRequest() { working.add(1) }
  func endRequest() { working.add(-1) }
  func countClosed(by limit: String) { cutOff[limit].add() }

  func observe(_ entry: AccessLogEntry) {
    let route = entry.route ?? "none"
    requests[entry.method.label, route, String(entry.status)].add()
    durations[route].observe(entry.duration)
    if let code = entry.code { problems[code].add() }
  }
}
