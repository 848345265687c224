// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WireFormats

extension Endpoints {
  static let health = [
    Endpoint(
      name: .health, method: .get, summary: "Say that the server runs", answers: [.ok(.shared(.serverStatus))],
      access: .anybody { (_, _) in status("ok") }),
    Endpoint(
      name: .readiness, method: .get, summary: "Say whether the store can be written to",
      answers: [.ok(.shared(.serverStatus))], failures: [.serviceUnavailable],
      access: .anybody { (endpoints, _) in try await endpoints.readiness() }),
    Endpoint(
      name: .metrics, method: .get, summary: "Give the numbers, for Prometheus",
      answers: [.init(.ok, .text(contentType: Metrics.contentType))], failures: [.notFound],
      access: .anybody { (endpoints, call) in try await endpoints.numbers(call) }),
    Endpoint(
      name: .openAPI, method: .get, summary: "Describe the endpoints", answers: [.ok(description)],
      access: .anybody { (endpoints, _) in
        HTTPResponse(.ok, contentType: "application/json", body: endpoints.openAPIDocument)
      }),
  ]

  /// The top-level members of an OpenAPI 3.1 document. The standard defines the rest.
  private static let description = Shape.object([
    .always("openapi", .string), .always("info", .object([.always("title", .string), .always("version", .string)])),
    .always("paths", .named(.named(.anything))), .always("components", .named(.named(.anything))),
  ])

  private static func status(_ text: String) -> HTTPResponse {
    HTTPResponse.json { (object: inout JSONObjectWriter) in object.write("status", .string(text)) }
  }

  private func readiness() async throws -> HTTPResponse {
    try await probe.outcome(of: service).result.get()
    return Self.status("ready")
  }

  private func numbers(_ call: Call) async throws(HTTPError) -> HTTPResponse {
    guard let metrics, metricsAudience.includes(call.request) else { throw HTTPError(.notFound) }
    await counters?.look(at: service, call, probe)
    return HTTPResponse(.ok, contentType: Metrics.contentType, body: Array(metrics.text.utf8))
  }
}
