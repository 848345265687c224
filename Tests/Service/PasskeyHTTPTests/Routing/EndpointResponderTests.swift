// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyService
import PasskeySQLite
import PasskeyStorage
import PasskeySystem
import Synchronization
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import PasskeyHTTP

/// The endpoints behind the server of a framework. `IntegrationTests` has whole visits, through the code of the pages.
@Suite struct EndpointResponderTests {
  private final class Refusals: Sendable {
    private let refusals = Mutex<[EndpointResponder.RefusedRequest]>([])
    var all: [EndpointResponder.RefusedRequest] { refusals.withLock { $0 } }
    func add(_ refused: EndpointResponder.RefusedRequest) { refusals.withLock { $0.append(refused) } }
  }

  private struct Breakdown: Error {}

  private let refusals = Refusals()
  private let endpoints: Endpoints

  init() throws {
    let id = try RelyingPartyID("raxx.app")
    endpoints = Endpoints(
      service: try AuthService(
        relyingParty: RelyingParty(id: id, name: "Raxx", origins: [WebOrigin("https://raxx.app")]),
        storage: SQLiteStorage.temporary(),
        decoys: DecoyCredentials(key: SecretBytes(utf8: "thirty-two bytes for a test only"), for: id)))
  }

  private func responder(
    adding routes: [EndpointRoute] = [], trusting proxies: TrustedProxies = .none
  ) throws -> EndpointResponder {
    let refusals = refusals
    return try EndpointResponder(endpoints, adding: routes, trusting: proxies) { refusals.add($0) }
  }

  private func get(
    _ target: String, _ fields: [(name: String, value: String)] = [], peer: String? = "127.0.0.1",
    isEncrypted: Bool = false
  ) throws(EndpointError) -> EndpointRequest {
    try EndpointRequest("GET", target, headers: fields, body: [UInt8](), peer: peer, isEncrypted: isEncrypted)
  }

  @Test func `it serves the paths of its routes, for any method, and malformed targets`() throws {
    let responder = try responder(adding: [EndpointRoute(.put, "/own/{name}") { (_) in .noContent }])
    for target in ["/api/auth/me?a=b", "/healthz", "/metrics", "/.well-known/webauthn", "/own/x", "/a%zz", ""] {
      #expect(responder.serves(target), "\(target)")
    }
    for target in ["/", "/api", "/own", "/own/x/y", "/hello"] { #expect(!responder.serves(target), "\(target)") }
  }

  @Test func `responses have the security headers that they lack, and the request's ID`() async throws {
    let page = EndpointRoute(.get, "/page") { (_) in
      var response = EndpointResponse(.ok, contentType: "text/html", body: [])
      response.headers.set("cache-control", "max-age=60")
      return response
    }
    let responder = try responder(adding: [page])
    let plain = await responder.respond { try get("/healthz") }
    #expect(plain.headers["cache-control"] == "no-store" && plain.headers["x-content-type-options"] == "nosniff")
    #expect(plain.headers["strict-transport-security"] == nil && plain.headers["x-request-id"]?.count == 32)
    let encrypted = await responder.respond { try get("/page", isEncrypted: true) }
    #expect(encrypted.headers.values("cache-control") == ["max-age=60"])
    #expect(encrypted.headers.has("strict-transport-security"))
    for refused in [
      await responder.respond { try get("/../x") }, await responder.respond { throw EndpointError(.bodyTooLarge) },
    ] {
      #expect(refused.headers["cache-control"] == "no-store" && refused.headers.has("x-request-id"))
    }
    #expect(refusals.all.map(\.code) == ["http.target-malformed", "http.body-too-large"])
    #expect(refusals.all.map(\.requestID.description) != [plain.headers["x-request-id"] ?? ""])
  }

  @Test func `metrics count its requests by route`() async throws {
    let responder = try responder()
    _ = await responder.respond { try get("/healthz") }
    _ = await responder.respond { try get("/api/auth/me") }
    _ = await responder.respond { throw EndpointError(.bodyTooLarge) }
    let metrics = String(decoding: await responder.respond { try get("/metrics") }.body, as: UTF8.self)
    #expect(metrics.contains(#"passkey_http_requests_total{method="GET",route="/healthz",status="200"} 1"#))
    #expect(metrics.contains(#"passkey_http_problems_total{code="session.unknown"} 1"#))
    #expect(metrics.contains(#"passkey_http_requests_total{method="none",route="none",status="413"} 1"#))
    #expect(metrics.contains(#"passkey_http_problems_total{code="http.body-too-large"} 1"#))
    #expect(await responder.respond { try get("/metrics", peer: "192.0.2.1") }.status == .notFound)
  }

  @Test func `observers see the requests that could be read`() async throws {
    struct Noting: RequestObserver {
      let paths = Locked<[String]>([])

      func response(to request: EndpointRequest, by respond: EndpointHandler) async -> EndpointResponse {
        paths.withLock { $0.append(request.target.path) }
        return await respond(request)
      }
    }
    let noting = Noting()
    let plain = try responder()
    let observed = plain.observed { $0.observed(by: noting) }
    #expect(await observed.respond { try get("/healthz") }.status == .ok)
    #expect(await observed.respond { throw EndpointError(.bodyTooLarge) }.status == .contentTooLarge)
    _ = await plain.respond { try get("/api/auth/me") }
    #expect(noting.paths.withLock { $0 } == ["/healthz"])
  }

  @Test func `a trusted proxy names the client, and others do not`() async throws {
    let client = EndpointRoute(.get, "/client") { (request) in
      EndpointResponse(.ok, contentType: "text/plain", body: [UInt8]("\(request.client) \(request.isEncrypted)".utf8))
    }
    let block = try #require(IPAddress.Block("10.0.0.0/8"))
    let responder = try responder(adding: [client], trusting: TrustedProxies([block]))
    let fields = [(name: "X-Forwarded-For", value: "192.0.2.7"), (name: "X-Forwarded-Proto", value: "https")]
    func answer(from peer: String) async -> String {
      String(decoding: await responder.respond { try get("/client", fields, peer: peer) }.body, as: UTF8.self)
    }
    #expect(await answer(from: "10.1.2.3") == "192.0.2.7 true")
    #expect(await answer(from: "192.0.2.9") == "192.0.2.9 false")
  }

  @Test func `an unknown error is reported whole, and answered with 500`() async throws {
    let broken = EndpointRoute(.get, "/broken") { (_) in throw Breakdown() }
    let response = try await responder(adding: [broken]).respond { try get("/broken") }
    #expect(response.status == .internalServerError)
    #expect(!String(decoding: response.body, as: UTF8.self).contains("Breakdown"))
    let refused = try #require(refusals.all.first)
    #expect(refused.error is Breakdown && refused.code == "http.internal-error")
    #expect(refused.description == "GET /broken: 500 Breakdown(), request \(refused.requestID)")
  }

  @Test func `a request without a session is not admitted, and the refusal has the response`() async throws {
    let responder = try responder()
    for admission in [EndpointResponder.Admission.session, .stepUp] {
      let refused = await #expect(throws: EndpointResponder.RefusedRequest.self) {
        try await responder.admit(with: admission) { try get("/orders") }
      }
      #expect(refused?.code == "session.unknown" && refused?.response.status == .unauthorized)
      #expect(refused?.response.headers["cache-control"] == "no-store")
    }
    let unreadable = await #expect(throws: EndpointResponder.RefusedRequest.self) {
      try await responder.admit(with: .session) { try get("/orders", peer: nil) }
    }
    #expect(unreadable?.target == nil && unreadable?.response.status == .internalServerError)
    #expect(refusals.all.map(\.code) == ["session.unknown", "session.unknown", "http.internal-error"])
  }

  @Test func `a framework's request that cannot be one is refused, and its target cannot forge a log line`() throws {
    let body = [UInt8](repeating: 0, count: EndpointRequest.maximumBodyLength)
    let fields = [(name: "Host", value: "raxx.app")]
    let request = try EndpointRequest("POST", "/x", headers: fields, body: body, peer: "::1")
    #expect(request.body.count == 65_536 && request.headers["host"] == "raxx.app")
    var error = #expect(throws: EndpointError.self) {
      try EndpointRequest("POST", "/x", headers: fields, body: body + [0], peer: "::1")
    }
    #expect(error?.code == .bodyTooLarge)
    error = #expect(throws: EndpointError.self) { try get("/x\n\(String(repeating: "y", count: 300))") }
    #expect(error?.code == .targetMalformed)
    #expect(error?.detail == #""/x\n\#(String(repeating: "y", count: 197))""#)
  }
}
