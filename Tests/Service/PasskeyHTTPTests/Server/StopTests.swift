// SPDX-License-Identifier: Apache-2.0

import PasskeyHTTP
import PasskeyHTTPServer
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing

struct StopTests {
  @Test func `running requests finish, and new ones are refused`() async throws {
    let gate = Gate()
    let handler: EndpointHandler = { (request) in
      await gate.pass()
      return await Echo.answer(request)
    }
    let server = try HTTPServer(HTTPServerConfiguration(), handler: handler)
    let port = server.port
    let client = try await waiting {
      let client = try RawClient(port: port)
      client.send("GET /begun HTTP/1.1\r\nHost: h\r\n\r\n")
      return Unchecked(client)
    }
    let idle = try await waiting { Unchecked(try RawClient(port: port)) }
    #expect(await eventually { gate.count == 1 && server.connectionCount == 2 })
    async let stopped: Void = server.stop(within: .seconds(10))
    // The idle connection is closed immediately, the busy one stays.
    #expect(try await waiting { idle.value.isEnded() })
    await #expect(throws: RawClient.Unreachable.self) { try await waiting { _ = try RawClient(port: port) } }
    #expect(server.requestCount == 1)
    gate.open()
    let answer = try await waiting { client.value.answer() }
    #expect(answer?.body.contains(#""path":"/begun""#) == true)
    #expect(answer?.header("connection") == "close")
    await stopped
    #expect(server.connectionCount == 0)
    #expect(server.requestCount == 0)
    // Stopping again is harmless.
    await server.stop()
  }

  @Test func `a request that does not finish in time is answered by the server`() async throws {
    let gate = Gate()
    let handler: EndpointHandler = { (request) in
      await gate.pass()
      return await Echo.answer(request)
    }
    let server = try HTTPServer(HTTPServerConfiguration(), handler: handler)
    let clients = try await waiting { [port = server.port] in
      try (0..<20).map { (_) -> Unchecked<RawClient> in
        let client = try RawClient(port: port)
        client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        return Unchecked(client)
      }
    }
    #expect(await eventually { gate.count == 20 })
    await server.stop(within: .milliseconds(50))
    gate.open()
    let answers = try await waiting { clients.map { $0.value.answer() } }
    #expect(answers.allSatisfy { $0?.status == 503 && $0?.body.contains(#""code":"http.stopping""#) == true })
  }

  @Test func `stopping under load breaks off no response`() async throws {
    for round in 0..<10 {
      let handler: EndpointHandler = { (request) in
        if round.isMultiple(of: 2) { await Task.yield() } else { try? await Task.sleep(for: .microseconds(300)) }
        return await Echo.answer(request)
      }
      var configuration = HTTPServerConfiguration()
      configuration.threadCount = 1 + round % 3
      let server = try HTTPServer(configuration, handler: handler)
      let port = server.port
      let answered = Tally()
      let broken = Paths()
      try await withThrowingTaskGroup { (group) in
        for _ in 0..<8 {
          group.addTask {
            try await waiting {
              guard let client = try? RawClient(port: port) else { return }
              while client.send("POST /load HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc") {
                guard let answer = client.answer() else {
                  if !client.rest.isEmpty { broken.add(client.rest) }
                  return
                }
                if answer.status == 200 { answered.add() }
              }
            }
          }
        }
        #expect(await eventually { answered.value > 200 })
        await server.stop(within: round < 5 ? .seconds(5) : .zero)
        try await group.waitForAll()
      }
      #expect(answered.value > 200)
      #expect(broken.all == [])
    }
  }

  @Test func `a caller that waits for the end can be cancelled`() async throws {
    let gate = Gate()
    let handler: EndpointHandler = { (request) in
      await gate.pass()
      return await Echo.answer(request)
    }
    let server = try HTTPServer(HTTPServerConfiguration(), handler: handler)
    let (client, idle) = try await waiting { [port = server.port] in
      let clients = (Unchecked(try RawClient(port: port)), Unchecked(try RawClient(port: port)))
      clients.0.value.send("GET /begun HTTP/1.1\r\nHost: h\r\n\r\n")
      return clients
    }
    #expect(await eventually { gate.count == 1 && server.connectionCount == 2 })
    let stopping = Task { await server.stop(within: .seconds(HangGuard.seconds)) }
    stopping.cancel()
    // The server has begun to stop.
    #expect(try await waiting { idle.value.isEnded() })
    #expect(server.requestCount == 1)
    gate.open()
    await stopping.value
    #expect(try await waiting { client.value.answer() }?.status == 200)
    #expect(server.connectionCount == 0)
  }

  @Test func `a released server stops by itself`() async throws {
    var server: HTTPServer? = try HTTPServer(HTTPServerConfiguration(), handler: Echo.answer)
    let port = try #require(server).port
    server = nil
    #expect(await HangGuard.waits { (try? await waiting { _ = try RawClient(port: port) }) == nil })
  }
}
