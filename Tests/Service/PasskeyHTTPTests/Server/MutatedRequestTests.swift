// SPDX-License-Identifier: Apache-2.0

import PasskeyHTTP
import PasskeyHTTPServer
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing

struct MutatedRequestTests {
  private static let requests = [
    "GET /things/1?a=b HTTP/1.1\r\nHost: h\r\nUser-Agent: me\r\nCookie: a=b; c=d\r\nX-Forwarded-For: 192.0.2.1, ::1\r\n\r\n",
    "POST /things HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 22\r\n\r\n{\"thing\":{\"name\":\"n\"}}",
    "POST /things HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
      + "16\r\n{\"thing\":{\"name\":\"n\"}}\r\n0\r\n\r\n",
    "POST /things HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}",
    "OPTIONS * HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer abc\r\n\r\nHEAD /things/%41 HTTP/1.0\r\n\r\n",
  ]

  @Test func `mutated requests never break the server`() async throws {
    let router = try EndpointRouter([
      EndpointRoute(.get, "/things/{id}") { (request) in
        EndpointResponse(.ok, contentType: "text/plain", body: Array((request.headers.bearerToken ?? "").utf8))
      },
      EndpointRoute(.post, "/things") { (request) in
        EndpointResponse(.created, body: Array(try JSONBody(request).object("thing").string("name").utf8))
      },
    ])
    let loopback = try #require(IPAddress.Block("127.0.0.0/8"))
    try await withServer(
      {
        $0.trustedProxies = TrustedProxies([loopback])
        $0.limits.inactivity = .seconds(1)
        $0.limits.requestDeadline = .seconds(1)
        $0.metrics = MetricsRegistry()
      }, handler: { await router.respond(to: $0) }
    ) { (server) in
      let count = PropertyRuns.count(default: 400)
      let statuses = try await waiting { [port = server.port] in
        var generator = SeededGenerator(seed: 7)
        var statuses: [Int: Int] = [:]
        for _ in 0..<(count / 100) {
          let clients = try (0..<100).map { (number) -> RawClient in
            let client = try RawClient(port: port)
            let request = Array(Self.requests[number % Self.requests.count].utf8)
            client.send(Mutation.mutated(request, using: &generator))
            return client
          }
          for client in clients {
            while let answer = client.answer() { statuses[answer.status, default: 0] += 1 }
          }
        }
        return statuses
      }
      #expect(statuses[500] == nil)
      #expect(statuses[503] == nil)
      // Some requests are still valid, and each kind of fault occurs.
      for status in [200, 201, 400, 404] { #expect(statuses[status] ?? 0 > 0, "\(status) in \(statuses)") }
      #expect(await eventually { server.requestCount == 0 && server.connectionCount == 0 })
    }
  }
}
