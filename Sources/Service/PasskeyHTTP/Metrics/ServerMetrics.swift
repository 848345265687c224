// SPDX-License-Identifier: Apache-2.0

/// The metrics of the HTTP server.
package struct ServerMetrics: Sendable {
  private let requests: MetricSet<Counter>
  private let problems: MetricSet<Counter>
  private let durations: MetricSet<Histogram>
  private let cutOff: MetricSet<Counter>
  private let working: Gauge
  private let connections: Gauge

  package init(_ metrics: MetricsRegistry) {
    requests = metrics.counters(
      "passkey_http_requests_total", "Requests, by method, route and status.",
      labels: ["method", "route", "status"])
    problems = metrics.counters(
      "passkey_http_problems_total", "Requests answered with a problem, by its code.", labels: ["code"])
    durations = metrics.histograms(
      "passkey_http_request_duration_seconds", "Duration from the request line to the end of the response, by route.",
      labels: ["route"])
    cutOff = metrics.counters(
      "passkey_http_cut_off_total", "Connections that the server closed, by the exceeded limit.",
      labels: ["limit"])
    working = metrics.gauges("passkey_http_requests_in_flight", "Requests in progress.")[]
    connections = metrics.gauges("passkey_http_connections", "Open connections.")[]
  }

  package func addConnection() { connections.add(1) }
  package func removeConnection() { connections.add(-1) }
  package func beginRequest() { working.add(1) }
  package func endRequest() { working.add(-1) }
  package func countClosed(by limit: String) { cutOff[limit].add() }

  package func observe(_ entry: AccessLogEntry) {
    observe(entry.method, entry.route, entry.status, entry.code, entry.duration)
  }

  /// Counts a request. The method and the route are nil if it could not be read.
  func observe(_ method: EndpointMethod?, _ route: String?, _ status: Int, _ code: String?, _ duration: Duration) {
    let route = route ?? "none"
    requests[method?.label ?? "none", route, String(status)].add()
    durations[route].observe(duration)
    if let code { problems[code].add() }
  }
}
