// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeySystem
import PasskeyTestSupport
import Testing
import TraitLoggingStandIn
import TraitMetricsStandIn
import TraitServiceLifecycleStandIn
import TraitTracingStandIn
import WebAuthnTypes

@testable import PasskeyHTTP
@testable import PasskeyHTTPServer

/// The code under the package traits, over declarations with the shapes of the packages.
@Suite(.serialized) struct TraitTests {
  private static let trace = "0af7651916cd43dd8448eb211c80319c"

  /// Sends two sign-ins to a router of a new service: one with a signature of another key, and one without a body.
  private func ask(_ prepare: (Endpoints) throws -> EndpointRouter) async throws {
    let world = try EndpointWorld()
    let router = try prepare(world.endpoints)
    let ada = try Person()
    func post(_ path: String, _ body: [UInt8]) async throws -> EndpointResponse {
      let headers = EndpointHeaders([
        "content-type": "application/json", "traceparent": "00-\(Self.trace)-b7ad6b7169203331-01",
      ])
      return await router.respond(
        to: EndpointRequest(
          method: .post, target: try RequestTarget(path.utf8), headers: headers, body: body,
          id: try #require(EndpointRequestID("the-request")), receivedAt: world.now))
    }
    let creation = try await post("/api/auth/register/options", Array(#"{"email":"ada@raxx.app"}"#.utf8))
    let made = try await ada.create(CreationOptions(json: creation.body))
    #expect(try await post("/api/auth/register/verify", made.json).status == .ok)
    let begun = try await post("/api/auth/login/options", Array("{}".utf8))
    var response = try await ada.get(RequestOptions(json: begun.body))
    response.signature[response.signature.endIndex - 1] ^= 1
    #expect(try await post("/api/auth/login/verify", response.json).status == .unauthorized)
    #expect(try await post("/api/auth/login/verify", []).status.rawValue >= 400)
  }

  @Test func `a refusal is logged with its code, step and request, and nothing of the client`() async throws {
    struct Lines: LogHandler {
      let texts = Locked<[String]>([])

      func log(
        level: Logger.Level, message: Logger.Message, metadata: Logger.Metadata?, source: String, file: String,
        function: String, line: UInt
      ) {
        let metadata = (metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        texts.withLock { $0.append("\(level) \(message): \(metadata.joined(separator: " "))") }
      }
    }
    let lines = Lines()
    let logger = Logger(label: "passkey") { (_) in lines }
    try await ask { try EndpointRouter($0.routes, errors: $0.errors).logging(to: logger) }
    let texts = lines.texts.withLock { $0 }
    #expect(texts.count == 2)
    #expect(
      texts.first == """
        info request refused: http.method=POST http.route=/api/auth/login/verify http.status=401 \
        passkey.code=authentication.signature-invalid passkey.request=the-request passkey.step=21 \
        trace.id=\(Self.trace)
        """)
    #expect(texts.allSatisfy { !$0.contains("ada") })
    let failing = try EndpointRouter([EndpointRoute(.get, "/") { (_) in throw CancellationError() }])
    _ = await failing.logging(to: logger).respond(
      to: EndpointRequest(method: .get, target: try RequestTarget("/".utf8), receivedAt: EndpointWorld.start))
    #expect(lines.texts.withLock { $0 }.last?.hasPrefix("error request failed: ") == true)
  }

  @Test func `requests, refusals and durations are counted`() async throws {
    final class Series: MetricsFactory, CounterHandler, TimerHandler {
      let counts = Locked<[String: Int64]>([:])
      let name: String
      let all: Series?

      init(_ name: String = "", in all: Series? = nil) { (self.name, self.all) = (name, all) }

      private func series(_ label: String, _ dimensions: [(String, String)]) -> Series {
        Series(label + dimensions.map { " \($0.0)=\($0.1)" }.joined(), in: self)
      }

      func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, dimensions)
      }

      func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { series(label, dimensions) }

      func increment(by count: Int64) { all?.counts.withLock { $0[name, default: 0] += count } }

      func recordNanoseconds(_ duration: Int64) {
        #expect(duration > 0)
        increment(by: 1)
      }
    }
    let metrics = Series()
    MetricsSystem.bootstrap(metrics)
    try await ask { try EndpointRouter($0.routes, errors: $0.errors).recordingMetrics() }
    let counts = metrics.counts.withLock { $0 }
    #expect(counts["passkey.requests method=POST route=/api/auth/login/options status=200"] == 1)
    #expect(counts["passkey.requests method=POST route=/api/auth/login/verify status=401"] == 1)
    #expect(counts["passkey.refusals route=/api/auth/login/verify code=authentication.signature-invalid"] == 1)
    #expect(counts["passkey.request.duration route=/api/auth/login/verify"] == 2)
  }

  @Test func `a request has a span below the caller's, and a ceremony one below that`() async throws {
    struct TraceKey: ServiceContextKey {
      typealias Value = String
    }

    final class Recorded: Span {
      let context: ServiceContext
      let kind: SpanKind
      private let state: Locked<(name: String, attributes: SpanAttributes, status: SpanStatus?, isEnded: Bool)>
      private let errors = Locked<[String]>([])

      init(_ name: String, _ context: ServiceContext, _ kind: SpanKind) {
        (self.context, self.kind) = (context, kind)
        state = Locked((name, SpanAttributes(), nil, false))
      }

      var operationName: String {
        get { state.withLock { $0.name } }
        set { state.withLock { $0.name = newValue } }
      }
      var attributes: SpanAttributes {
        get { state.withLock { $0.attributes } }
        set { state.withLock { $0.attributes = newValue } }
      }
      var isEnded: Bool { state.withLock { $0.isEnded } }
      var recordedErrors: [String] { errors.withLock { $0 } }

      func setStatus(_ status: SpanStatus) { state.withLock { $0.status = status } }
      func recordError(_ error: any Error) { errors.withLock { $0.append("\(error)") } }
      func end() { state.withLock { $0.isEnded = true } }
    }

    struct Tracer: LegacyTracer {
      let spans = Locked<[Recorded]>([])

      func extract<Carrier, Extract>(
        _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
      ) where Extract: Extractor, Extract.Carrier == Carrier {
        context[TraceKey.self] = extractor.extract(key: "traceparent", from: carrier)
      }

      func startAnySpan(_ operationName: String, context: ServiceContext, ofKind kind: SpanKind) -> any Span {
        let span = Recorded(operationName, context, kind)
        spans.withLock { $0.append(span) }
        return span
      }
    }

    let tracer = Tracer()
    InstrumentationSystem.bootstrap(tracer)
    try await ask { try EndpointRouter($0.routes, errors: $0.errors).tracing() }
    let spans = tracer.spans.withLock { $0 }
    #expect(spans.allSatisfy { $0.isEnded && $0.context[TraceKey.self]?.contains(Self.trace) == true })
    #expect(
      spans.prefix(2).map(\.operationName) == ["POST /api/auth/register/options", "passkey register-options"])
    #expect(spans.prefix(2).map(\.kind) == [.server, .internal])
    let refused = try #require(spans.first { $0.attributes["passkey.code"] != nil })
    #expect(refused.operationName == "POST /api/auth/login/verify")
    #expect(refused.attributes["passkey.code"] as? String == "authentication.signature-invalid")
    #expect(refused.attributes["passkey.step"] as? Int == 21)
    #expect(refused.attributes["http.response.status_code"] as? Int == 401)
    // The description of an error can have values of the client.
    #expect(spans.flatMap(\.recordedErrors).isEmpty)
  }

  @Test(arguments: [false, true])
  func `a server in a group of services stops with the group`(isCancelled: Bool) async throws {
    let server = try HTTPServer(HTTPServerConfiguration()) { (_) in .noContent }
    let port = server.port
    let service: any Service = server
    let manager = GracefulShutdownManager()
    let running = Task {
      try await TaskLocals.$gracefulShutdownManager.withValue(manager) { try await service.run() }
    }
    let answer = try await waiting { () -> RawClient.Answer? in
      let client = try RawClient(port: port)
      client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      return client.answer()
    }
    #expect(answer?.status == 204)
    if isCancelled { running.cancel() } else { manager.shutdownGracefully() }
    try await running.value
    #expect(server.daemons.hasStopped)
  }
}
