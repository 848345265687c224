// SPDX-License-Identifier: Apache-2.0

import PasskeySystem
import PasskeyTestSupport
import Testing

@testable import FaultProxy

/// Where messages end: both peers of the proxy see the same ends, unless a rule says otherwise.
@Suite struct FramingTests {
  @Test(arguments: [
    "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "Content-Length: 2\r\nContent-Length: 0\r\n\r\n{}",
    "Content-Length: 2\nX: y\r\n\r\n{}", "Content-Length: +2\r\n\r\n{}", "Content-Length : 2\r\n\r\n{}",
  ])
  func `a request with an ambiguous end is refused`(rest: String) async throws {
    try await waiting {
      let proxied = try ProxiedServer([])
      defer { proxied.close() }
      let client = try OddClient(proxied.proxy)
      try client.send("POST /a HTTP/1.1\r\n\(rest)GET /smuggled HTTP/1.1\r\n\r\n")
      #expect(client.rest() == "")
      #expect(proxied.events(1).first?.hasPrefix("1 connection: no reply; ") == true)
      #expect(proxied.server.requests == [])
    }
  }

  @Test(arguments: [
    "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "Content-Length: 0\r\nContent-Length: 2\r\n\r\n{}",
    "Transfer-Encoding: gzip\r\n\r\n{}", "X: y\n\r\n",
  ])
  func `a reply with an ambiguous end is refused`(rest: String) async throws {
    try await waiting {
      let proxied = try ProxiedServer([], .http, OddServer { (_) in "HTTP/1.1 200 OK\r\n\(rest)" })
      defer { proxied.close() }
      let client = try OddClient(proxied.proxy)
      try client.get("/a")
      #expect(client.rest() == "")
      #expect(proxied.events(2).contains { (event) in event.hasPrefix("1 connection: no reply; ") })
    }
  }

  @Test(arguments: ["duplicate-reply", "reorder-reply", "change-reply /a 1", "cut-reply 500", "delay-reply 1ms"])
  func `replies without a body keep their connection`(fault: String) async throws {
    try await waiting {
      let server = try OddServer { (request) in
        switch request {
        case "HEAD /head": "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n"
        case "GET /204": "HTTP/1.1 204 No Content\r\n\r\n"
        case "GET /304": "HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\n\r\n"
        default: OddServer.json("{}")
        }
      }
      // The faults apply to another request of the connection.
      let proxied = try ProxiedServer(["GET /other: \(fault)"], .http, server)
      defer { proxied.close() }
      let client = try OddClient(proxied.proxy)
      try client.send("HEAD /head HTTP/1.1\r\n\r\n")
      #expect(try client.reply(to: "HEAD") == "200 ")
      try client.get("/204")
      #expect(try client.reply() == "204 ")
      try client.get("/304")
      #expect(try client.reply() == "304 ")
      try client.get("/a")
      #expect(try client.reply() == "200 {}")
    }
  }

  @Test func `faults of replies without a body do not add one`() async throws {
    try await waiting {
      let server = try OddServer { (_) in "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n" }
      let proxied = try ProxiedServer(
        ["HEAD /a: change-reply /a 1", "HEAD /b: status 503", "GET /c: status 204", "GET /d: status 304"], .http, server
      )
      defer { proxied.close() }
      let client = try OddClient(proxied.proxy)
      for (path, method, reply) in [
        ("/a", "HEAD", "200 "), ("/b", "HEAD", "503 "), ("/c", "GET", "204 "), ("/d", "GET", "304 "),
        ("/a", "HEAD", "200 "),
      ] {
        try client.send("\(method) \(path) HTTP/1.1\r\n\r\n")
        #expect(try client.reply(to: method) == reply)
      }
    }
  }

  @Test func `a status ends the connection of a client that wants no other reply`() async throws {
    try await waiting {
      let proxied = try ProxiedServer(["* *: status 503"])
      defer { proxied.close() }
      let client = try OddClient(proxied.proxy)
      try client.send("GET /a HTTP/1.1\r\nConnection: te, close\r\n\r\n")
      #expect(client.rest().hasPrefix("HTTP/1.1 503 Fault\r\n"))
    }
  }

  @Test(arguments: ["", "* *: duplicate-request", "* *: change-reply /a 1"])
  func `interim replies come before the reply, and do not replace it`(rule: String) async throws {
    try await waiting {
      let server = try OddServer { (_) in
        "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n\(OddServer.json(#"{"a":1}"#))"
      }
      let proxied = try ProxiedServer(rule.isEmpty ? [] : [rule], .http, server)
      defer { proxied.close() }
      let client = try OddClient(proxied.proxy)
      for path in ["/a", "/b"] {
        try client.get(path)
        #expect(try client.reply() == "103 ")
        #expect(try client.reply() == "102 ")
        #expect(try client.reply() == #"200 {"a":1}"#)
      }
      let old = try OddClient(proxied.proxy)
      try old.send("GET /old HTTP/1.0\r\n\r\n")
      #expect(try old.reply() == #"200 {"a":1}"#)
    }
  }

  @Test func `a client that expects an interim reply gets one`() async throws {
    try await waiting {
      let server = try OddServer { (request) in
        "HTTP/1.1 100 Continue\r\n\r\n\(OddServer.json("{\"echo\":\"\(request)\"}"))"
      }
      let proxied = try ProxiedServer([], .http, server)
      defer { proxied.close() }
      let client = try OddClient(proxied.proxy)
      try client.send("POST /a HTTP/1.1\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\n")
      #expect(try client.reply() == "100 ")
      try client.send("{}")
      #expect(try client.reply() == #"200 {"echo":"POST /a {}"}"#)
    }
  }

  @Test(arguments: ["", "* *: duplicate-request", "* *: delay-reply 1ms", "GET /a: change-reply /a 1"])
  func `an upgraded connection carries other bytes`(rule: String) async throws {
    try await waiting {
      let server = try OddServer { (_) in "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n\n\u{1}\n"
      }
      let proxied = try ProxiedServer(rule.isEmpty ? [] : [rule], .http, server)
      defer { proxied.close() }
      let client = try OddClient(proxied.proxy)
      try client.send("GET /a HTTP/1.1\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n")
      #expect(try client.reply() == "101 ")
      // This server takes only HTTP, and ends the connection then.
      try client.send("\n\u{2}\n\n")
      #expect(client.rest() == "\n\u{1}\n")
    }
  }

  @Test func `an upgrade that the client did not ask for ends the connection`() async throws {
    try await waiting {
      let server = try OddServer { (_) in "HTTP/1.1 101 Switching\r\n\r\n\(OddServer.json("{}"))" }
      let proxied = try ProxiedServer([], .http, server)
      defer { proxied.close() }
      let client = try OddClient(proxied.proxy)
      try client.get("/a")
      #expect(client.rest() == "")
      #expect(proxied.events(2).contains("1 connection: no reply; \(HTTPFlaw.unrequestedUpgrade.text)"))
    }
  }

  @Test func `pipelined requests are answered in order`() async throws {
    try await waiting {
      let proxied = try ProxiedServer(["GET /b: status 503", "GET /c: duplicate-request"])
      defer { proxied.close() }
      let client = try OddClient(proxied.proxy)
      let requests = ["/a", "/b", "/c", "/d"].map { (path) in "GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n" }
      try client.send(requests.joined() + "\r\n")
      #expect(try client.reply() == #"200 {"echo":"GET /a"}"#)
      #expect(try client.reply() == "503 {\"error\":\"fault\"}\n")
      #expect(try client.reply() == #"200 {"echo":"GET /c"}"#)
      #expect(try client.reply() == #"200 {"echo":"GET /d"}"#)
      #expect(proxied.server.requests == ["GET /a", "GET /c", "GET /c", "GET /d"])
    }
  }

  @Test func `a second reply does not become the reply to the next request`() async throws {
    try await waiting {
      let server = try OddServer { (request) in
        OddServer.json("{}") + (request == "GET /a" ? OddServer.json(#"{"poison":1}"#) : "")
      }
      let proxied = try ProxiedServer([], .http, server)
      defer { proxied.close() }
      let client = try OddClient(proxied.proxy)
      try client.get("/a")
      #expect(try client.reply() == "200 {}")
      try client.get("/b")
      #expect(client.rest() == "")
      // The idle connection can end before the second request arrives.
      #expect(server.requests == ["GET /a"])
    }
  }

  @Test func `a rule that changes a body keeps the ends of messages`() async throws {
    try await waiting {
      let server = try OddServer { (_) in
        "HTTP/1.1 200 OK\r\nTrailer: X\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\n{}\r\n0\r\nX: y\r\n\r\n"
      }
      let proxied = try ProxiedServer(["* *: change-reply /a \"\(String(repeating: "b", count: 9))\""], .http, server)
      defer { proxied.close() }
      let client = try OddClient(proxied.proxy)
      for path in ["/a", "/b"] {
        try client.get(path)
        #expect(try client.reply() == #"200 {"a":"bbbbbbbbb"}"#)
      }
    }
  }
}
