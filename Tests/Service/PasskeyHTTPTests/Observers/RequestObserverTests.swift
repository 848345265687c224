// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyService
import PasskeySystem
import Testing

@testable import PasskeyHTTP

struct RequestObserverTests {
  /// Notes when it sees a request and its response.
  private struct Noting: RequestObserver {
    let name: String
    let notes: Locked<[String]>

    func response(to request: EndpointRequest, by respond: EndpointHandler) async -> EndpointResponse {
      notes.withLock { $0.append("\(name) sees \(request.target.path)") }
      var response = await respond(request)
      notes.withLock { $0.append("\(name) sees \(response.status.rawValue)") }
      response.headers.set("x-\(name)", "seen")
      return response
    }
  }

  private func request(_ target: String, _ headers: KeyValuePairs<String, String> = [:]) throws -> EndpointRequest {
    var fields = EndpointHeaders()
    for (name, value) in headers { fields.add(name, value) }
    return EndpointRequest(
      method: .get, target: try RequestTarget(target.utf8), headers: fields,
      receivedAt: UnixTime(secondsSince1970: 0))
  }

  @Test func `an observer that was added later is further outside, and sees requests without a route`() async throws {
    let notes = Locked<[String]>([])
    let plain = try EndpointRouter([EndpointRoute(.get, "/a") { (_) in .noContent }])
    let router = plain.observed(by: Noting(name: "one", notes: notes)).observed(by: Noting(name: "two", notes: notes))
    let response = await router.respond(to: try request("/a"))
    #expect(response.headers["x-one"] == "seen" && response.headers["x-two"] == "seen" && response.route == "/a")
    #expect(notes.withLock { $0 } == ["two sees /a", "one sees /a", "one sees 204", "two sees 204"])
    #expect(await plain.respond(to: try request("/a")).headers["x-one"] == nil)
    #expect(await router.respond(to: try request("/b")).status == .notFound)
    #expect(notes.withLock { $0 }.last == "two sees 404")
  }

  @Test func `a request has a trace if it has exactly one valid traceparent`() throws {
    let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    #expect(try request("/", ["traceparent": trace]).traceParent?.description == trace)
    #expect(try request("/").traceParent == nil)
    #expect(try request("/", ["traceparent": "00-1"]).traceParent == nil)
    #expect(try request("/", ["traceparent": trace, "Traceparent": trace]).traceParent == nil)
  }

  @Test func `a failure has the exact code and no text of a client`() async throws {
    let router = try EndpointRouter([
      EndpointRoute(.get, "/fails") { (_) in throw EndpointError(.bodyMissingMember, member: "a.b") },
      EndpointRoute(.get, "/breaks") { (_) in throw CancellationError() },
      EndpointRoute(.get, "/limited") { (_) in throw RateLimiter.Exceeded(retryAfter: .seconds(1)) },
    ])
    for (path, code) in [
      ("/fails", "http.body-missing-member"), ("/breaks", "http.internal-error"),
      ("/limited", "http.too-many-requests"),
      ("/none", "http.not-found"),
    ] {
      let error = try #require(await router.respond(to: try request(path)).error)
      #expect(RequestFailure(error).code == code && RequestFailure(error).step == nil)
    }
  }
}
