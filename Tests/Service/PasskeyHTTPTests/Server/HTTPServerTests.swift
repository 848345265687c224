// SPDX-License-Identifier: Apache-2.0

import PasskeyHTTP
import PasskeyHTTPServer
import PasskeyServiceTestSupport
import PasskeySystem
import PasskeyTestSupport
import Testing

struct HTTPServerTests {
  @Test func `a request is answered, and the connection stays open`() async throws {
    try await withServer { (server) in
      let answers = try await waiting { [port = server.port] in
        let client = try RawClient(port: port)
        return try (0..<3).map { (_) -> RawClient.Answer in
          client.send("POST /there?secret=1 HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello")
          return try #require(client.answer())
        }
      }
      for answer in answers {
        #expect(answer.status == 200)
        #expect(answer.body.contains(#""method":"POST","path":"/there","count":5,"client":"127.0.0.1""#))
        #expect(answer.header("connection") != "close")
      }
    }
  }

  @Test func `every response has its security headers and request id`() async throws {
    try await withServer { (server) in
      let answers = try await waiting { [port = server.port] in
        let client = try RawClient(port: port)
        return try (0..<2).map { (_) -> RawClient.Answer in
          client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
          return try #require(client.answer())
        }
      }
      for answer in answers {
        #expect(answer.header("x-content-type-options") == "nosniff")
        #expect(answer.header("cache-control") == "no-store")
        #expect(answer.header("content-security-policy")?.hasPrefix("default-src 'none'") == true)
        #expect(answer.header("referrer-policy") == "no-referrer")
        #expect(answer.header("strict-transport-security") == nil)
        #expect(answer.header("content-type") == "application/json")
        #expect(answer.header("x-request-id")?.count == 32)
      }
      #expect(answers[0].header("x-request-id") != answers[1].header("x-request-id"))
    }
  }

  @Test func `IPv4 and IPv6 addresses can be listened at`() async throws {
    try await withServer({ $0.address = IPAddress("::") ?? .loopback }) { (server) in
      for isV6 in [true, false] {
        let answer = try await waiting { [port = server.port] in
          let client = try RawClient(port: port, v6: isV6)
          client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
          return client.answer()
        }
        #expect(answer?.body.contains(isV6 ? #""client":"::1""# : #""client":"127.0.0.1""#) == true)
      }
    }
  }

  @Test func `a used port is refused with the system's message`() async throws {
    try await withServer { (server) in
      var configuration = HTTPServerConfiguration()
      configuration.port = server.port
      let error = #expect(throws: EndpointError.self) { try HTTPServer(configuration, handler: Echo.answer) }
      #expect(error?.code == .cannotListen)
      #expect(error?.detail == "address already in use")
    }
  }

  @Test func `pipelined requests are answered in order`() async throws {
    try await withServer { (server) in
      let paths = try await waiting { [port = server.port] in
        let client = try RawClient(port: port)
        let requests = (0..<50).map { "POST /\($0) HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc" }
        client.send(requests.joined())
        return (0..<50).map { (_) in client.answer()?.body ?? "" }
      }
      for (number, body) in paths.enumerated() { #expect(body.contains(#""path":"/\#(number)","count":3"#)) }
    }
  }

  @Test(arguments: [127, 128, 129])
  func `requests that complete while the thread is busy are all answered`(count: Int) async throws {
    let isHeld = Locked(false)
    try await withServer {
      $0.limits.connectionsPerAddress = count + 1
      $0.limits.inactivity = .seconds(2)
    } handler: { (request) in
      if request.target.path == "/hold" {
        isHeld.update { $0 = true }
        isHeld.wait { $0 ? nil : () }
      }
      return await Echo.answer(request)
    } _: { (server) in
      let right = try await waiting { [port = server.port] in
        let clients = try (0..<count).map { (_) in try RawClient(port: port) }
        for client in clients { client.send("GET / HTTP/1.1\r\nHost: h\r\n\r") }
        #expect(HangGuard.waits { server.requestCount == count })
        let holder = try RawClient(port: port)
        holder.send("GET /hold HTTP/1.1\r\nHost: h\r\n\r\n")
        isHeld.wait { $0 ? () : nil }
        // The thread finds all of these in one wait. Version 0.9.75 of the library takes 128 at once.
        for client in clients { client.send("\n") }
        isHeld.update { $0 = false }
        return clients.count { $0.answer()?.status == 200 }
      }
      #expect(right == count)
    }
  }

  @Test func `a response that a task produces is sent at once`() async throws {
    try await withServer(handler: { (request) in
      try? await Task.sleep(for: .milliseconds(2))
      return await Echo.answer(request)
    }) { (server) in
      let fastest = try await waiting { [port = server.port] in
        let client = try RawClient(port: port)
        let durations = try (0..<50).map { (_) in
          try ContinuousClock().measure {
            client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            _ = try #require(client.answer())
          }
        }
        return durations.min() ?? .zero
      }
      // A thread that nothing wakes looks at its connections every 100 milliseconds.
      #expect(fastest < .milliseconds(80))
    }
  }

  @Test func `a thousand requests run concurrently`() async throws {
    let gate = Gate()
    let count = 1_000
    try await withServer {
      $0.limits.connectionsPerAddress = count
      $0.limits.connections = count
      $0.threadCount = 2
    } handler: { (request) in
      await gate.pass()
      return await Echo.answer(request)
    } _: { (server) in
      let clients = try await waiting { [port = server.port] in
        try (0..<count).map { (number) -> Unchecked<RawClient> in
          let client = try RawClient(port: port)
          client.send("GET /\(number) HTTP/1.1\r\nHost: h\r\n\r\n")
          return Unchecked(client)
        }
      }
      #expect(await eventually { gate.count == count })
      #expect(server.requestCount == count)
      gate.open()
      let right = try await waiting {
        clients.enumerated().count { $1.value.answer()?.body.contains(#""path":"/\#($0)""#) == true }
      }
      #expect(right == count)
    }
  }

  @Test func `a client that disconnects during a request does no harm`() async throws {
    let gate = Gate()
    let handler: EndpointHandler = { (request) in
      if request.target.path == "/wait" { await gate.pass() }
      return await Echo.answer(request)
    }
    try await withServer(handler: handler) { (server) in
      try await waiting { [port = server.port] in
        for number in 0..<20 {
          let client = try RawClient(port: port)
          client.send("GET /wait HTTP/1.1\r\nHost: h\r\n\r\n")
          if number.isMultiple(of: 2) { client.reset() }
        }
      }
      #expect(await eventually { gate.count > 0 })
      gate.open()
      #expect(await eventually { server.requestCount == 0 && server.connectionCount == 0 })
      let answer = try await waiting { [port = server.port] in
        let client = try RawClient(port: port)
        client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        return client.answer()
      }
      #expect(answer?.status == 200)
    }
  }

  @Test func `an incomplete request is neither answered nor handled`() async throws {
    let worked = Tally()
    let handler: EndpointHandler = { (request) in
      worked.add()
      return await Echo.answer(request)
    }
    // The server may notice a half-closed connection late; it must not wait for it indefinitely.
    try await withServer({ $0.limits.inactivity = .seconds(1) }, handler: handler) { (server) in
      let whole = "POST /there HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhell"
      let answers = try await waiting { [port = server.port] in
        let clients = try (1...whole.utf8.count).map { (length) -> RawClient in
          let client = try RawClient(port: port)
          client.send(Array(whole.utf8.prefix(length)))
          client.endSending()
          return client
        }
        return clients.count { $0.answer() != nil }
      }
      #expect(answers == 0)
      #expect(worked.value == 0)
      #expect(await eventually { server.connectionCount == 0 && server.requestCount == 0 })
    }
  }

  @Test func `Expect gets 100 Continue`() async throws {
    try await withServer { (server) in
      let answers = try await waiting { [port = server.port] in
        let client = try RawClient(port: port)
        client.send("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
        let first = client.answer()
        client.send("hello")
        return [first, client.answer()]
      }
      #expect(answers.map { $0?.status } == [100, 200])
      #expect(answers[1]?.body.contains(#""count":5"#) == true)
    }
  }

  @Test func `methods, routes and types are distinguished on the wire`() async throws {
    let router = try EndpointRouter([
      EndpointRoute(.get, "/things/{id}") { (_) in
        EndpointResponse(.ok, contentType: "text/plain", body: Array("thing".utf8))
      },
      EndpointRoute(.post, "/things") { (request) in
        let name = try JSONBody(request).object("thing").string("name")
        return EndpointResponse(.created, contentType: "text/plain", body: Array(name.utf8))
      },
      EndpointRoute(.get, "/early") { (_) in EndpointResponse(EndpointStatus(rawValue: 100)) },
      EndpointRoute(.get, "/wrong") { (_) in EndpointResponse(EndpointStatus(rawValue: 99_999)) },
    ])
    func post(_ type: String, _ body: String) -> String {
      "POST /things HTTP/1.1\r\nHost: h\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }
    let cases: [(request: String, status: Int, needle: String)] = [
      ("GET /things/1 HTTP/1.1\r\nHost: h\r\n\r\n", 200, "thing"),
      ("GET http://h/things/1 HTTP/1.1\r\nHost: h\r\n\r\n", 200, "thing"),
      ("PUT /things/1 HTTP/1.1\r\nHost: h\r\n\r\n", 405, "http.method-not-allowed"),
      ("OPTIONS /things/1 HTTP/1.1\r\nHost: h\r\n\r\n", 204, ""),
      ("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", 204, ""),
      ("GET /nothing HTTP/1.1\r\nHost: h\r\n\r\n", 404, "http.not-found"),
      (post("text/plain", "{}"), 415, "http.media-type-unsupported"),
      (post("application/json", "{"), 400, "http.body-not-json"),
      (post("application/json", #"{"thing":{}}"#), 400, #""member":"thing.name""#),
      (post("application/json; charset=UTF-8", #"{"thing":{"name":"n"}}"#), 201, "n"),
      ("GET /early HTTP/1.1\r\nHost: h\r\n\r\n", 500, "http.internal-error"),
      ("GET /wrong HTTP/1.1\r\nHost: h\r\n\r\n", 500, "http.internal-error"),
    ]
    try await withServer(handler: { await router.respond(to: $0) }) { (server) in
      let (answers, head) = try await waiting { [port = server.port] in
        let client = try RawClient(port: port)
        let answers = cases.map { (request, _, _) -> RawClient.Answer? in
          client.send(request)
          return client.answer()
        }
        client.send("HEAD /things/1 HTTP/1.1\r\nHost: h\r\n\r\n")
        let head = client.answer(isBodiless: true)
        client.send("GET /things/1 HTTP/1.0\r\n\r\n")
        let last = client.answer()
        #expect(client.isEnded())
        return (answers + [last], head)
      }
      for (answer, expected) in zip(answers, cases + [("", 200, "thing")]) {
        #expect(answer?.status == expected.status, "\(expected.request)")
        #expect(answer?.body.contains(expected.needle) == true || expected.needle.isEmpty, "\(expected.request)")
      }
      #expect(answers[2]?.header("allow") == "GET, HEAD, OPTIONS")
      #expect(answers[3]?.header("allow") == "GET, HEAD, OPTIONS")
      #expect(head?.status == 200)
      #expect(head?.header("content-length") == "5")
    }
  }

  @Test func `a chunked body is assembled`() async throws {
    try await withServer { (server) in
      let answer = try await waiting { [port = server.port] in
        let client = try RawClient(port: port)
        client.send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1")
        client.send("0;x=y\r\n0123456789abcdef\r\n0\r\nTrailer: x\r\n\r\n")
        // Line endings that a proxy might interpret differently also end the connection.
        client.send("GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n")
        let answer = client.answer()
        #expect(client.isEnded())
        #expect(client.rest == "")
        return answer
      }
      #expect(answer?.body.contains(#""count":21"#) == true)
      #expect(answer?.header("connection") == "close")
    }
  }
}

/// A value that only one thread uses at a time.
struct Unchecked<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
