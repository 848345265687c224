// SPDX-License-Identifier: Apache-2.0

import PasskeyHTTP
import PasskeyHTTPServer
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing

struct ServerLimitsTests {
  /// Sends a text and returns the response, and whether the server closed the connection afterwards.
  private func answer(to text: String, at port: UInt16) async throws -> (answer: RawClient.Answer?, isEnded: Bool) {
    try await waiting {
      let client = try RawClient(port: port)
      client.send(text)
      let answer = client.answer()
      // A second request shows whether the connection is still open.
      client.send("GET /again HTTP/1.1\r\nHost: h\r\n\r\n")
      return (answer, client.answer() == nil)
    }
  }

  private func expectRefusal(
    _ found: (answer: RawClient.Answer?, isEnded: Bool), _ status: Int, _ code: String, isEnded: Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(found.answer?.status == status, sourceLocation: sourceLocation)
    #expect(found.answer?.header("content-type") == "application/problem+json", sourceLocation: sourceLocation)
    #expect(found.answer?.body.contains("\"code\":\"\(code)\"") == true, sourceLocation: sourceLocation)
    #expect(found.isEnded == isEnded, sourceLocation: sourceLocation)
  }

  @Test func `a body has a maximum length`() async throws {
    try await withServer { (server) in
      func post(_ length: Int) -> String {
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: \(length)\r\n\r\n" + String(repeating: "x", count: length)
      }
      let longest = try await answer(to: post(65_536), at: server.port)
      #expect(longest.answer?.body.contains(#""count":65536"#) == true)
      // A body slightly over the limit is read to its end, and the connection stays open.
      expectRefusal(
        try await answer(to: post(65_537), at: server.port), 413, "http.body-too-large", isEnded: false)
      expectRefusal(
        try await answer(to: post(4 * 65_536), at: server.port), 413, "http.body-too-large", isEnded: false)
      // A body far over the limit is refused before it arrives.
      let endless = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 999999999999999999\r\n\r\n"
      expectRefusal(try await answer(to: endless, at: server.port), 413, "http.body-too-large", isEnded: true)
      let asked = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 65537\r\nExpect: 100-continue\r\n\r\n"
      expectRefusal(try await answer(to: asked, at: server.port), 413, "http.body-too-large", isEnded: true)
    }
  }

  @Test func `a chunked body has the same limit`() async throws {
    try await withServer { (server) in
      func post(_ length: Int) -> String {
        let chunk = "400\r\n\(String(repeating: "x", count: 1_024))\r\n"
        let rest = length % 1_024 == 0 ? "" : "1\r\nx\r\n"
        return "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
          + String(repeating: chunk, count: length / 1_024) + rest + "0\r\n\r\n"
      }
      let longest = try await answer(to: post(65_536), at: server.port)
      #expect(longest.answer?.body.contains(#""count":65536"#) == true)
      expectRefusal(try await answer(to: post(65_537), at: server.port), 413, "http.body-too-large", isEnded: true)
      let endless = try await answer(to: post(65_536 * 5), at: server.port)
      #expect(endless.isEnded)
    }
  }

  @Test func `header fields have a maximum length`() async throws {
    try await withServer { (server) in
      func get(_ size: Int) -> String {
        let head = "GET / HTTP/1.1\r\nHost: h\r\nX: "
        return head + String(repeating: "x", count: size - head.utf8.count - 4) + "\r\n\r\n"
      }
      #expect(try await answer(to: get(16_384), at: server.port).answer?.status == 200)
      expectRefusal(try await answer(to: get(16_385), at: server.port), 431, "http.headers-too-large", isEnded: true)
      // Far beyond the limit, the library answers before this server sees the request.
      #expect(try await answer(to: get(200_000), at: server.port).answer?.status == 431)
    }
  }

  @Test func `header fields have a maximum number`() async throws {
    try await withServer { (server) in
      func get(_ count: Int) -> String {
        "GET / HTTP/1.1\r\nHost: h\r\n" + String(repeating: "X: y\r\n", count: count - 1) + "\r\n"
      }
      #expect(try await answer(to: get(100), at: server.port).answer?.status == 200)
      expectRefusal(try await answer(to: get(101), at: server.port), 431, "http.headers-too-large", isEnded: true)
      #expect(try await answer(to: get(30_000), at: server.port).answer?.status == 431)
    }
  }

  @Test func `a request target has a maximum length`() async throws {
    try await withServer { (server) in
      func get(_ length: Int) -> String {
        "GET /" + String(repeating: "x", count: length - 1) + " HTTP/1.1\r\nHost: h\r\n\r\n"
      }
      #expect(try await answer(to: get(2_048), at: server.port).answer?.status == 200)
      expectRefusal(try await answer(to: get(2_049), at: server.port), 414, "http.target-too-long", isEnded: true)
      #expect(try await answer(to: get(200_000), at: server.port).answer?.status == 414)
      // A query of many parts needs more of the library's memory than its length, as cookies do.
      let query =
        "GET /?" + String(repeating: "a&", count: 50) + " HTTP/1.1\r\nHost: h\r\nCookie: "
        + String(repeating: "a=\(String(repeating: "b", count: 200));", count: 50) + "\r\n\r\n"
      #expect(try await answer(to: query, at: server.port).answer?.status == 200)
    }
  }

  @Test func `connections per address are limited`() async throws {
    try await withServer({
      $0.limits.connectionsPerAddress = 4
      $0.threadCount = 2
    }) { (server) in
      let (lively, ended) = try await waiting { [port = server.port] in
        let clients = try (0..<10).map { (_) in try RawClient(port: port) }
        for client in clients { client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n") }
        let answers = clients.map { $0.answer() }
        return (answers.count { $0?.status == 200 }, clients.count { $0.isEnded(within: 0) })
      }
      #expect(lively == 4)
      #expect(ended == 6)
      // Closed connections make room.
      #expect(await eventually { server.connectionCount == 0 })
      #expect(try await answer(to: "GET / HTTP/1.1\r\nHost: h\r\n\r\n", at: server.port).answer?.status == 200)
    }
  }

  @Test func `connections of a trusted proxy are not limited together`() async throws {
    let loopback = try #require(IPAddress.Block("127.0.0.0/8"))
    try await withServer({
      $0.limits.connectionsPerAddress = 2
      $0.trustedProxies = TrustedProxies([loopback])
    }) { (server) in
      let clients = try await waiting { [port = server.port] in
        let clients = try (0..<10).map { (_) in try RawClient(port: port) }
        for client in clients {
          client.send("GET / HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: 192.0.2.7\r\nX-Forwarded-Proto: https\r\n\r\n")
        }
        return clients.map { $0.answer() }
      }
      #expect(clients.allSatisfy { $0?.body.contains(#""client":"192.0.2.7","encrypted":true"#) == true })
      #expect(clients.allSatisfy { $0?.header("strict-transport-security") != nil })
    }
  }

  @Test func `only a trusted proxy's request id is used, marked and made unique`() async throws {
    let loopback = try #require(IPAddress.Block("127.0.0.0/8"))
    for isTrusted in [true, false] {
      try await withServer({ if isTrusted { $0.trustedProxies = TrustedProxies([loopback]) } }) { (server) in
        // The audit trail uses "console" for the server's own console.
        let text = "GET / HTTP/1.1\r\nHost: h\r\nX-Request-Id: console\r\n\r\n"
        var ids: Set<String> = []
        for _ in 0..<3 {
          let id = try #require(try await answer(to: text, at: server.port).answer?.header("x-request-id"))
          #expect(id.hasPrefix("given.console.") == isTrusted)
          #expect(id.utf8.count == (isTrusted ? "given.console.".utf8.count + 16 : 32))
          ids.insert(id)
        }
        #expect(ids.count == 3)
        let wrong = "GET / HTTP/1.1\r\nHost: h\r\nX-Request-Id: from the proxy\r\n\r\n"
        #expect(try await answer(to: wrong, at: server.port).answer?.header("x-request-id")?.count == 32)
      }
    }
  }
}
