// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyHTTP
import Testing

struct CrossOriginPolicyTests {
  private let policy = EndpointRouter.CrossOriginPolicy(
    origins: ["https://raxx.app"], requestHeaders: ["authorization", "content-type", "x-more"],
    responseHeaders: ["x-request-id"])

  private func respond(
    _ method: EndpointMethod, _ fields: [(String, String)], by policy: EndpointRouter.CrossOriginPolicy? = nil,
    target: String = "/things"
  ) async throws -> EndpointResponse {
    let router = try EndpointRouter([
      EndpointRoute(.post, "/things") { (_) in .noContent },
      EndpointRoute(.delete, "/things") { (_) in throw EndpointError(.bodyNotJSON) },
    ])
    var headers = EndpointHeaders()
    for (name, value) in fields { headers.add(name, value) }
    let request = EndpointRequest(
      method: method, target: try RequestTarget(target.utf8), headers: headers,
      receivedAt: UnixTime(secondsSince1970: 0))
    return await (policy ?? self.policy).respond(to: request) { await router.respond(to: $0) }
  }

  private func told(_ response: EndpointResponse) -> [String] {
    response.headers.fields.map(\.name).filter { $0.hasPrefix("access-control") }
  }

  @Test func `a preflight request gets the allowed methods and headers`() async throws {
    let response = try await respond(
      .options, [("Origin", "https://raxx.app"), ("Access-Control-Request-Method", "DELETE")])
    #expect(response.status == .noContent)
    #expect(response.headers["access-control-allow-origin"] == "https://raxx.app")
    #expect(response.headers["access-control-allow-methods"] == "DELETE, OPTIONS, POST")
    #expect(response.headers["access-control-allow-headers"] == "authorization, content-type, x-more")
    #expect(response.headers["access-control-max-age"] == "600")
    #expect(response.headers["access-control-allow-credentials"] == nil)
    #expect(response.headers["vary"] == "Origin")
  }

  @Test func `an allowed page may read error responses too`() async throws {
    let answers: [(EndpointMethod, EndpointStatus)] = [
      (.post, .noContent), (.delete, .badRequest), (.put, .methodNotAllowed),
    ]
    for (method, status) in answers {
      let response = try await respond(method, [("Origin", "https://raxx.app")])
      #expect(response.status == status)
      #expect(response.headers["access-control-allow-origin"] == "https://raxx.app")
      #expect(response.headers["access-control-expose-headers"] == "x-request-id")
      #expect(response.headers["access-control-allow-methods"] == nil)
    }
  }

  @Test func `credentials are allowed only if configured`() async throws {
    let policy = EndpointRouter.CrossOriginPolicy(origins: ["https://raxx.app"], allowsCookies: true)
    let response = try await respond(.post, [("Origin", "https://raxx.app")], by: policy)
    #expect(response.headers["access-control-allow-credentials"] == "true")
  }

  @Test(arguments: [
    ["https://raxx.app.evil.example"], ["http://raxx.app"], ["https://raxx.app:8443"], ["https://www.raxx.app"],
    ["https://RAXX.app"], ["null"], ["*"], [], ["https://raxx.app", "https://evil.example"],
  ])
  func `another origin gets no CORS headers`(origins: [String]) async throws {
    for method in [EndpointMethod.post, .options] {
      let fields = origins.map { ("Origin", $0) } + [("Access-Control-Request-Method", "POST")]
      let response = try await respond(method, fields)
      #expect(response.status == .noContent)
      #expect(told(response) == [])
      #expect(response.headers["vary"] == "Origin")
    }
  }

  @Test func `without allowed origins, no CORS headers are sent`() async throws {
    let response = try await respond(
      .post, [("Origin", "https://raxx.app")], by: EndpointRouter.CrossOriginPolicy(origins: []))
    #expect(told(response) == [])
    #expect(response.headers["vary"] == nil)
  }

  @Test func `a preflight request for an unknown route gets 404`() async throws {
    let response = try await respond(
      .options, [("Origin", "https://raxx.app"), ("Access-Control-Request-Method", "POST")], target: "/nothing")
    #expect(response.status == .notFound)
    #expect(response.headers["access-control-allow-methods"] == nil)
  }
}
