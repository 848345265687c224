// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyProfiles
internal import PasskeyService

extension Endpoints {
  static let health = [
    Endpoint(
      name: .health, summary: "Report that the server is running",
      answers: [.init(.json(.reference(.serverStatus)))],
      access: .anonymous { (_, _) in status("ok") }),
    Endpoint(
      name: .readiness, summary: "Report whether the store is writable",
      answers: [.init(.json(.reference(.serverStatus)))], failures: [.serviceUnavailable],
      access: .anonymous { (endpoints, _) in try await endpoints.readiness() }),
    Endpoint(
      name: .metrics, summary: "Export the metrics for Prometheus",
      answers: [.init(.text(contentType: MetricsRegistry.contentType))], failures: [.notFound],
      access: .anonymous { (endpoints, call) in try await endpoints.metricsText(call) }),
    Endpoint(
      name: .openAPI, summary: "Describe the endpoints", answers: [.init(.json(description))],
      access: .anonymous { (endpoints, _) in
        .complete(EndpointResponse(.ok, contentType: "application/json", body: endpoints.openAPIDocument))
      }),
  ]

  /// The top-level members of an OpenAPI 3.1 document. The standard defines the rest.
  private static let description = JSONSchema.object([
    .required("openapi", .string),
    .required("info", .object([.required("title", .string), .required("version", .string)])),
    .required("paths", .dictionary(.dictionary(.any))), .required("components", .dictionary(.dictionary(.any))),
  ])

  private static func status(_ text: String) -> Reply {
    .complete(EndpointResponse.json { (object: inout JSONObjectWriter) in object.write("status", text) })
  }

  private func readiness() async throws -> Reply {
    try await probe.outcome(of: service).result.get()
    return Self.status("ready")
  }

  private func metricsText(_ call: Call) async throws(EndpointError) -> Reply {
    guard let metrics, metricsAudience.includes(call.request) else { throw EndpointError(.notFound) }
    await counters?.refreshStorageMetrics(of: service, call, probe)
    return .complete(EndpointResponse(.ok, contentType: MetricsRegistry.contentType, body: Array(metrics.text.utf8)))
  }
}

extension Endpoints {
  /// The clients that may read the metrics. All other clients get 404.
  public enum MetricsAudience: String, CaseIterable, Sendable {
    /// Loopback clients whose request has no proxy header and, over plain HTTP, names this machine in `Host`. Behind a
    /// local proxy, every client has a loopback address; a page whose domain resolves to this machine sends its own
    /// name.
    case local
    /// Every client.
    case `public`
    /// No client.
    case off

    func includes(_ request: EndpointRequest) -> Bool {
      switch self {
      case .local: request.isOfThisMachine
      case .public: true
      case .off: false
      }
    }
  }
}

extension EndpointRequest {
  /// Whether a client of this machine sent the request, without a proxy. Over plain HTTP it must also name this machine in
  /// `Host`, or nothing: a page whose domain resolves to this machine sends its own name.
  package var isOfThisMachine: Bool {
    client.isLoopback && !headers.containProxyField
      && (isEncrypted || headers["host"] == nil || headers.nameThisMachine)
  }
}
