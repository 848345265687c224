// SPDX-License-Identifier: Apache-2.0

import PasskeyHTTP
import PasskeyHTTPServer
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing

/// Clients at several loopback addresses share the limit on connections.
struct ConnectionFairnessTests {
  private static let request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

  private static func limit(_ total: Int, perAddress: Int) -> (inout HTTPServerConfiguration) -> Void {
    {
      $0.limits.connections = total
      $0.limits.connectionsPerAddress = perAddress
      $0.threadCount = 2
    }
  }

  /// Returns whether the server answers this client now.
  private static func isAnswered(_ client: RawClient) -> Bool {
    client.send(request) && client.answer()?.status == 200
  }

  @Test(arguments: ["", "GET / HTTP/1.1\r\nHost: h\r\nX-Slow: "])
  func `an address that holds every connection does not block others`(beginning: String) async throws {
    try await withServer(Self.limit(32, perAddress: 16)) { (server) in
      try await waiting { [port = server.port] in
        var held: [RawClient] = []
        for source in UInt8(2)...5 {
          for _ in 0..<16 {
            let client = try RawClient(port: port, source: source)
            client.send(beginning)
            held.append(client)
          }
        }
        #expect(HangGuard.waits { server.connectionCount == 32 })
        for _ in 0..<8 {
          let client = try RawClient(port: port, source: 9)
          #expect(Self.isAnswered(client))
          // Its next request on the same connection is answered too: the attackers' connections do not displace it.
          _ = try RawClient(port: port, source: 2)
          #expect(Self.isAnswered(client))
        }
        #expect(HangGuard.waits { server.connectionCount <= 32 })
        // A client with fewer connections than the others got all that it requested; the others kept the rest.
        #expect(held.count { !$0.isEnded(within: 0) } >= 16)
      }
    }
  }

  @Test func `the oldest idle connection is closed first`() async throws {
    try await withServer(Self.limit(4, perAddress: 4)) { (server) in
      try await waiting { [port = server.port] in
        let begun = try RawClient(port: port, source: 2)
        begun.send("GET / HTTP/1.1\r\nHost: h\r\n")
        #expect(HangGuard.waits { server.requestCount == 1 })
        let others = try (0..<3).map { (_) in try RawClient(port: port, source: 2) }
        for client in others { #expect(Self.isAnswered(client)) }
        // The first of them is the most recently used now.
        #expect(Self.isAnswered(others[0]))
        #expect(Self.isAnswered(try RawClient(port: port, source: 3)))
        #expect(others[1].isEnded())
        #expect(Self.isAnswered(others[2]) && Self.isAnswered(others[0]))
        begun.send("\r\n")
        #expect(begun.answer()?.status == 200)
      }
    }
  }

  @Test func `a connection with a running request is never closed for another`() async throws {
    let gate = Gate()
    try await withServer(
      Self.limit(4, perAddress: 4),
      handler: { (request) in
        if request.target.path == "/slow" { await gate.pass() }
        return await Echo.answer(request)
      }
    ) { (server) in
      try await waiting { [port = server.port] in
        let slow = try (0..<3).map { (_) in
          let client = try RawClient(port: port, source: 2)
          client.send("GET /slow HTTP/1.1\r\nHost: h\r\n\r\n")
          return client
        }
        #expect(HangGuard.waits { gate.count == 3 })
        for _ in 0..<8 { #expect(Self.isAnswered(try RawClient(port: port, source: 3))) }
        gate.open()
        #expect(slow.allSatisfy { $0.answer()?.status == 200 })
      }
    }
  }

  @Test func `the address with the most connections gets no further one`() async throws {
    try await withServer(Self.limit(6, perAddress: 6)) { (server) in
      try await waiting { [port = server.port] in
        let owner = try (0..<2).map { (_) in try RawClient(port: port, source: 9) }
        let flood = try (0..<20).map { (_) in try RawClient(port: port, source: 2) }
        #expect(flood.count { Self.isAnswered($0) } == 4)
        for client in owner { #expect(Self.isAnswered(client)) }
      }
    }
  }
}
