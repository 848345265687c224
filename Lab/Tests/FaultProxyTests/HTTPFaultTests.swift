// SPDX-License-Identifier: Apache-2.0

import PasskeySystem
import PasskeyTestSupport
import Testing

@testable import FaultProxy

/// Faults of requests and replies, between a client and a server on loopback.
@Suite struct HTTPFaultTests {
  @Test func `without a rule every request is forwarded on its connection`() async throws {
    try await waiting {
      let proxied = try ProxiedServer([])
      defer { proxied.close() }
      let client = try OddClient(proxied.proxy)
      try client.get("/a")
      #expect(try client.reply() == #"200 {"echo":"GET /a"}"#)
      try client.post("/b?c=d", "[1]")
      #expect(try client.reply() == #"200 {"echo":"POST /b [1]"}"#)
      #expect(proxied.events(2) == ["1 GET /a: 200, 88 bytes", "1 POST /b: 200, 93 bytes"])
      #expect(proxied.proxy.faultCount == 0)
    }
  }

  @Test func `chunked requests and replies, and a reply until the end, are forwarded`() async throws {
    try await waiting {
      let server = try OddServer { (request) in
        request.hasPrefix("GET /end")
          ? "HTTP/1.1 200 OK\r\n\r\nuntil the end"
          : "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n1\r\nd\r\n0\r\nA: b\r\n\r\n"
      }
      let proxied = try ProxiedServer([], .http, server)
      let client = try OddClient(proxied.proxy)
      try client.send("POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n")
      #expect(try client.reply() == "200 abcd")
      #expect(server.requests == ["POST /a {}"])
      try client.get("/end")
      // This server keeps the connection open behind a reply whose end is that of the connection.
      proxied.close()
      #expect(server.requests(2) == ["POST /a {}", "GET /end"])
      proxied.proxy.resetAll()
    }
  }

  @Test func `a status is answered in place of the server`() async throws {
    try await waiting {
      let proxied = try ProxiedServer(["GET /a #1: status 503"])
      defer { proxied.close() }
      let client = try OddClient(proxied.proxy)
      try client.get("/a")
      #expect(try client.reply() == "503 {\"error\":\"fault\"}\n")
      #expect(proxied.server.requests == [])
      try client.get("/a")
      #expect(try client.reply() == #"200 {"echo":"GET /a"}"#)
      #expect(proxied.events(1).first == "1 GET /a: 503, 117 bytes; status 503")
    }
  }

  @Test(arguments: [("cut-reply", ""), ("cut-reply 15", "HTTP/1.1 200 OK"), ("truncate-reply 10", "HTTP/1.1 2")])
  func `a reply is lost after the server has the request`(fault: String, received: String) async throws {
    try await waiting {
      let proxied = try ProxiedServer(["POST /pay: \(fault)"])
      defer { proxied.close() }
      let client = try OddClient(proxied.proxy)
      try client.post("/pay", "{}")
      let text = client.rest()
      // A reset can discard bytes that have arrived.
      #expect(fault.hasPrefix("cut") ? received.hasPrefix(text) : text == received)
      #expect(proxied.server.requests == ["POST /pay {}"])
      let shown = try FaultRule("* *: \(fault)").fault
      #expect(proxied.events(1) == ["1 POST /pay: 200, \(received.utf8.count) bytes; \(shown)"])
      #expect(proxied.proxy.faultCount == 1)
    }
  }

  @Test(arguments: ["cut-request", "cut-request 30", "truncate-request 30"])
  func `a request does not reach the server whole`(fault: String) async throws {
    try await waiting {
      let proxied = try ProxiedServer(["* /pay: \(fault)"])
      defer { proxied.close() }
      let client = try OddClient(proxied.proxy)
      try client.post("/pay", "{}")
      #expect(client.rest() == "")
      #expect(proxied.events(1).first?.hasPrefix("1 POST /pay: no reply; ") == true)
      #expect(proxied.server.requests == [])
    }
  }

  @Test func `a fault that is longer than the reply ends the connection behind it`() async throws {
    try await waiting {
      let proxied = try ProxiedServer(["* *: truncate-reply 1000"])
      defer { proxied.close() }
      let client = try OddClient(proxied.proxy)
      try client.get("/")
      #expect(client.rest() == OddServer.json(#"{"echo":"GET /"}"#))
    }
  }

  @Test func `a request is sent twice, and the client gets one reply`() async throws {
    try await waiting {
      let proxied = try ProxiedServer(["POST /pay: duplicate-request"])
      defer { proxied.close() }
      let client = try OddClient(proxied.proxy)
      try client.post("/pay", "{}")
      #expect(try client.reply() == #"200 {"echo":"POST /pay {}"}"#)
      try client.get("/next")
      #expect(try client.reply() == #"200 {"echo":"GET /next"}"#)
      #expect(proxied.server.requests == ["POST /pay {}", "POST /pay {}", "GET /next"])
      #expect(proxied.events(1).first?.hasSuffix("reply to the repeated request: 200") == true)
    }
  }

  @Test func `a reply is sent twice`() async throws {
    try await waiting {
      let proxied = try ProxiedServer(["GET /a: duplicate-reply"])
      defer { proxied.close() }
      let client = try OddClient(proxied.proxy)
      try client.get("/a")
      #expect(try client.reply() == #"200 {"echo":"GET /a"}"#)
      #expect(try client.reply() == #"200 {"echo":"GET /a"}"#)
    }
  }

  @Test func `a member of a request and of a reply is changed`() async throws {
    try await waiting {
      let server = try OddServer { (_) in
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{\"\r\n14\r\nuser\":{\"name\":\"ada\"}\r\n1\r\n}\r\n0\r\n\r\n"
      }
      let proxied = try ProxiedServer(
        ["POST /a: change-request /id \"é\"", "POST /a: remove-request /x", "* /a: change-reply /user/name null"],
        .http,
        server)
      defer { proxied.close() }
      let client = try OddClient(proxied.proxy)
      try client.post("/a", #"{"id":"AAAA","x":1,"y":[true]}"#)
      #expect(try client.reply() == #"200 {"user":{"name":null}}"#)
      #expect(server.requests == [#"POST /a {"id":"é","y":[true]}"#])
    }
  }

  @Test func `a body that is not JSON is forwarded unchanged, and reported`() async throws {
    try await waiting {
      let proxied = try ProxiedServer(["* *: change-request /id 1"])
      defer { proxied.close() }
      let client = try OddClient(proxied.proxy)
      try client.post("/a", "id=2")
      #expect(try client.reply() == #"200 {"echo":"POST /a id=2"}"#)
      #expect(proxied.events(1).first?.hasSuffix("request not changed: no JSON body with /id") == true)
    }
  }

  @Test(arguments: ["delay-request 200ms", "delay-reply 200ms"])
  func `a message is forwarded later`(fault: String) async throws {
    try await waiting {
      let proxied = try ProxiedServer(["* *: \(fault)"])
      defer { proxied.close() }
      let client = try OddClient(proxied.proxy)
      let start = ContinuousClock.now
      try client.get("/a")
      #expect(try client.reply() == #"200 {"echo":"GET /a"}"#)
      #expect(start.duration(to: .now) >= .milliseconds(200))
    }
  }

  @Test func `a request waits until another one has passed`() async throws {
    try await waiting {
      let proxied = try ProxiedServer(["GET /first: reorder-request"])
      defer { proxied.close() }
      let (first, second) = (try OddClient(proxied.proxy), try OddClient(proxied.proxy))
      try first.get("/first")
      // The fault counts when the proxy has the request.
      while proxied.proxy.faultCount == 0 { SystemThread.sleep(until: .now + .milliseconds(5)) }
      try second.get("/second")
      #expect(try first.reply() == #"200 {"echo":"GET /first"}"#)
      #expect(try second.reply() == #"200 {"echo":"GET /second"}"#)
      #expect(proxied.server.requests == ["GET /second", "GET /first"])
    }
  }

  @Test func `only the named occurrence of a request is faulty`() async throws {
    try await waiting {
      let proxied = try ProxiedServer(["GET /a* #2: status 500"])
      defer { proxied.close() }
      let client = try OddClient(proxied.proxy)
      var statuses: [String] = []
      for path in ["/a", "/b", "/ab", "/a"] {
        try client.get(path)
        statuses.append(String(try client.reply().prefix(3)))
      }
      #expect(statuses == ["200", "200", "500", "200"])
      proxied.proxy.add(try FaultRule("GET /b #1: status 404"))
      try client.get("/b")
      #expect(try client.reply().hasPrefix("404"))
    }
  }

  @Test func `a server that cannot be reached ends the client's connection`() async throws {
    try await waiting {
      let server = try OddServer()
      let proxied = try ProxiedServer([], .http, server)
      server.close()
      // The server's socket is closed by its thread.
      while let probe = try? server.address.connected() { probe.close() }
      let client = try OddClient(proxied.proxy)
      #expect(client.rest() == "")
      let note = "1 connection: no reply; the server \(server.address) cannot be reached: connection refused"
      #expect(proxied.events(1) == [note])
      proxied.proxy.close()
    }
  }

  @Test(arguments: [
    ("\u{16}\u{3}\u{1} hello\n\n", HTTPFlaw.notHTTP),
    ("POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", .malformedChunk),
  ])
  func `bytes that are not HTTP end the connection`(text: String, flaw: HTTPFlaw) async throws {
    try await waiting {
      let proxied = try ProxiedServer([])
      defer { proxied.close() }
      let client = try OddClient(proxied.proxy)
      try client.send(text)
      #expect(client.rest() == "")
      #expect(proxied.events(1) == ["1 connection: no reply; \(flaw.text)"])
    }
  }

  @Test func `a closed proxy refuses connections, and one that is not open yet too`() async throws {
    try await waiting {
      let server = try OddServer()
      defer { server.close() }
      let proxy = try ProxyServer(to: server.address)
      #expect(throws: SystemError.connectionRefused) { try proxy.address.connected() }
      try proxy.open()
      let client = try OddClient(proxy)
      try client.get("/a")
      #expect(try client.reply() == #"200 {"echo":"GET /a"}"#)
      proxy.close()
      while let probe = try? proxy.address.connected() { probe.close() }
      // The open connection stays until it is reset.
      try client.get("/b")
      #expect(try client.reply() == #"200 {"echo":"GET /b"}"#)
      proxy.resetAll()
      #expect(client.rest() == "")
    }
  }

  @Test func `an address that is in use cannot be listened at`() async throws {
    try await waiting {
      let server = try OddServer()
      defer { server.close() }
      let error = #expect(throws: FaultProxyError.self) { try ProxyServer(to: .loopback(1), at: server.address).open() }
      #expect(error?.code == .cannotListen)
    }
  }
}
