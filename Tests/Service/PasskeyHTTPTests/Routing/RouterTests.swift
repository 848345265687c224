// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyHTTP
import PasskeySystem
import Testing

struct RouterTests {
  private static func named(_ method: EndpointMethod, _ pattern: String) -> EndpointRoute {
    EndpointRoute(method, pattern) { (request) in
      let parameters = request.parameters.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: ",")
      return EndpointResponse(.ok, contentType: "text/plain", body: Array("\(pattern) \(parameters)".utf8))
    }
  }

  private static let routes = [
    named(.get, "/"), named(.get, "/api/sessions"), named(.get, "/api/sessions/{id}"),
    named(.delete, "/api/sessions/{id}"),
    named(.get, "/api/log/newest"), named(.get, "/api/log/tile/{path*}"),
    named(.post, "/api/users/{id}/approve"), named(.post, "/api/users/{id}/{act}/{when}"),
    EndpointRoute(.get, "/fails") { (_) in throw EndpointError(.bodyMissingMember, member: "a.b") },
    EndpointRoute(.get, "/breaks") { (_) in throw Unknown() },
    EndpointRoute(.get, "/limited") { (_) in throw RateLimiter.Exceeded(retryAfter: .milliseconds(1_500)) },
  ]

  private struct Unknown: Error {}

  private func respond(
    _ method: EndpointMethod, _ target: String,
    onUnknownError: @escaping @Sendable (any Error, EndpointRequest) -> Void = { (_, _) in }
  ) async throws -> EndpointResponse {
    let router = try EndpointRouter(
      Self.routes.filter { $0.pattern != "/api/users/{id}/approve" }, onUnknownError: onUnknownError)
    let request = EndpointRequest(
      method: method, target: try RequestTarget(target.utf8), id: try #require(EndpointRequestID("the-request")),
      receivedAt: UnixTime(secondsSince1970: 0))
    return await router.respond(to: request)
  }

  @Test(arguments: [
    ("/", "/ "), ("/api/sessions", "/api/sessions "), ("/api/sessions/a%2Fb", "/api/sessions/{id} id=a/b"),
    ("/%61pi/sessions/..x?y", "/api/sessions/{id} id=..x"), ("/api/log/newest", "/api/log/newest "),
    ("/api/log/tile/0", "/api/log/tile/{path*} path=0"),
    ("/api/log/tile/0/x001/234.p/5?q", "/api/log/tile/{path*} path=0/x001/234.p/5"),
  ])
  func `a path finds its route`(target: String, answer: String) async throws {
    let response = try await respond(.get, target)
    #expect(String(decoding: response.body, as: UTF8.self) == answer)
    #expect(try await respond(.head, target).status == .ok)
  }

  @Test func `a route may have several parameters`() async throws {
    let response = try await respond(.post, "/api/users/1/go/now")
    #expect(String(decoding: response.body, as: UTF8.self) == "/api/users/{id}/{act}/{when} act=go,id=1,when=now")
  }

  @Test(arguments: [
    "/x", "/api", "/api/sessions/", "/api/sessions/1/2", "/API/sessions", "/api/users//go/now",
    "/api/log/tile", "/api/log/tile/", "/api/log/tile/0/", "/api/log/tile//0", "/api/log/other",
  ])
  func `an unknown path gets 404`(target: String) async throws {
    guard let response = try? await respond(.get, target) else {
      // Some of these are not valid targets.
      #expect(throws: EndpointError(.targetMalformed)) { try RequestTarget(target.utf8) }
      return
    }
    #expect(response.status == .notFound)
    #expect(String(decoding: response.body, as: UTF8.self).contains(#""code":"http.not-found""#))
  }

  @Test func `a wrong method gets 405 with the allowed ones`() async throws {
    let response = try await respond(.put, "/api/sessions/1")
    #expect(response.status == .methodNotAllowed)
    #expect(response.headers["allow"] == "DELETE, GET, HEAD, OPTIONS")
    let options = try await respond(.options, "/api/sessions/1")
    #expect(options.status == .noContent)
    #expect(options.headers["allow"] == "DELETE, GET, HEAD, OPTIONS")
    #expect(try await respond(.options, "*").headers["allow"] == "DELETE, GET, HEAD, OPTIONS, POST")
    #expect(try await respond(.get, "*").status == .badRequest)
    #expect(try await respond(.options, "/x").status == .notFound)
  }

  @Test func `an error becomes a problem by the shared table`() async throws {
    let response = try await respond(.get, "/fails")
    #expect(response.status == .badRequest)
    #expect(response.headers["content-type"] == "application/problem+json")
    #expect(
      String(decoding: response.body, as: UTF8.self) == """
        {"type":"urn:passkey:problem:http.body-missing-member","title":"A member of the body is missing","status":400,\
        "code":"http.body-missing-member","member":"a.b","requestId":"the-request"}
        """)
    let reported = Locked<[String]>([])
    let report: @Sendable (any Error, EndpointRequest) -> Void = { (error, request) in
      reported.update { $0.append("\(request.id): \(error)") }
    }
    let broken = try await respond(.get, "/breaks", onUnknownError: report)
    #expect(broken.status == .internalServerError)
    #expect(String(decoding: broken.body, as: UTF8.self).contains(#""code":"http.internal-error""#))
    let limited = try await respond(.get, "/limited", onUnknownError: report)
    #expect(reported.withLock { $0 } == ["the-request: Unknown()"])
    #expect(limited.status == .tooManyRequests)
    #expect(limited.headers["retry-after"] == "2")
  }

  @Test(arguments: [
    ["/a", "/a"], ["/{x}", "/a"], ["/a", "/{x}"], ["/{x}", "/{y}"], ["/a/{x}/b", "/a/{y}/b"], ["/{x}/{x}"], ["a"], [""],
    ["/a//b"], ["/a/"], ["/{x*}", "/a"], ["/{x*}", "/{x}"], ["/{x*}/a"], ["/{x}/{x*}"], ["/{*}"], ["/{}"], ["/{x"],
    ["/x}"], ["/a%20b"], ["/a?b"], ["/{a b}"],
  ])
  func `ambiguous routes are refused`(patterns: [String]) {
    let error = #expect(throws: EndpointError.self) { try EndpointRouter(patterns.map { Self.named(.get, $0) }) }
    #expect(error?.code == .routeAmbiguous)
  }

  @Test func `a literal beside a parameter is refused if both have deeper routes`() {
    #expect(throws: EndpointError.self) { try EndpointRouter(Self.routes) }
  }
}
