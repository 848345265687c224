// SPDX-License-Identifier: Apache-2.0

import PasskeySystem
import PasskeyTestSupport
import Testing

@testable import FaultProxy

/// Peers that use up what a proxy has, and clients of other machines.
@Suite struct ProxyLimitTests {
  @Test func `further connections are reset, and places become free again`() async throws {
    try await waiting {
      var limits = ProxyLimits()
      limits.connectionCount = 2
      let proxied = try ProxiedServer([], limits: limits)
      defer { proxied.close() }
      var first: OddClient? = try OddClient(proxied.proxy)
      let second = try OddClient(proxied.proxy)
      for client in [first, second] {
        try client?.get("/a")
        #expect(try client?.reply() == #"200 {"echo":"GET /a"}"#)
      }
      #expect(try OddClient(proxied.proxy).rest() == "")
      // The events of the connections come in any order.
      #expect(proxied.events(3).contains("3 connection: no reply; there are 2 other connections"))
      first = nil
      // Until the proxy has noticed the end of the first connection.
      var reply: String?
      while reply == nil {
        let client = try? OddClient(proxied.proxy)
        try? client?.get("/b")
        reply = try? client?.reply()
      }
      #expect(reply == #"200 {"echo":"GET /b"}"#)
    }
  }

  @Test(arguments: [
    "POST /a HTTP/1.1\r\nContent-Length: 101\r\n\r\n",
    "POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n65\r\n\(String(repeating: "a", count: 101))\r\n",
    // The extension of a chunk takes memory, although it is no content.
    "POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;\(String(repeating: "a", count: 101))\r\n",
  ])
  func `a request that is too long to be read whole is refused`(text: String) async throws {
    try await waiting {
      var limits = ProxyLimits()
      limits.messageByteCount = 100
      let proxied = try ProxiedServer([], limits: limits)
      defer { proxied.close() }
      let client = try OddClient(proxied.proxy)
      try client.send(text)
      #expect(client.rest() == "")
      #expect(proxied.events(1) == ["1 connection: no reply; the message is too long to be read whole"])
    }
  }

  @Test func `only replies that a rule needs whole are limited`() async throws {
    try await waiting {
      var limits = ProxyLimits()
      limits.messageByteCount = 100
      let body = String(repeating: "a", count: 1000)
      let proxied = try ProxiedServer(
        ["GET /b: duplicate-reply"], .http, OddServer { (_) in OddServer.json(body) }, limits: limits)
      defer { proxied.close() }
      let client = try OddClient(proxied.proxy)
      try client.get("/a")
      #expect(try client.reply() == "200 \(body)")
      try client.get("/b")
      #expect(client.rest() == "")
    }
  }

  @Test func `the messages of all connections together are limited`() async throws {
    try await waiting {
      var limits = ProxyLimits()
      limits.heldByteCount = 150
      let proxied = try ProxiedServer(["POST /held #1: delay-request 1s"], limits: limits)
      defer { proxied.close() }
      let body = String(repeating: "a", count: 100)
      let (first, second) = (try OddClient(proxied.proxy), try OddClient(proxied.proxy))
      try first.post("/held", body)
      while proxied.proxy.faultCount == 0 { SystemThread.sleep(until: .now + .milliseconds(5)) }
      try second.post("/b", body)
      #expect(second.rest() == "")
      #expect(try first.reply() == "200 {\"echo\":\"POST /held \(body)\"}")
      // The first message is no longer kept.
      let third = try OddClient(proxied.proxy)
      try third.post("/c", body)
      #expect(try third.reply() == "200 {\"echo\":\"POST /c \(body)\"}")
    }
  }

  @Test func `bytes of messages are counted and released`() {
    let held = HeldBytes(limit: 10)
    #expect(held.take(10))
    #expect(!held.take(1))
    #expect(!held.take(.max))
    held.release(10)
    #expect(held.isEmpty)
  }

  @Test(arguments: ["GET /a HT", "POST /a HTTP/1.1\r\nContent-Length: 2\r\n\r\n{"])
  func `a client that does not send its request is cut`(text: String) async throws {
    try await waiting {
      var limits = ProxyLimits()
      limits.headDuration = .milliseconds(50)
      limits.requestDuration = .milliseconds(50)
      let proxied = try ProxiedServer([], limits: limits)
      defer { proxied.close() }
      let client = try OddClient(proxied.proxy)
      try client.send(text)
      #expect(client.rest() == "")
      #expect(proxied.events(1) == ["1 connection: no reply; the peer sends too slowly"])
    }
  }

  @Test func `a client that sends byte by byte does not get more time`() async throws {
    try await waiting {
      var limits = ProxyLimits()
      limits.headDuration = .milliseconds(200)
      let proxied = try ProxiedServer([], limits: limits)
      defer { proxied.close() }
      let client = try OddClient(proxied.proxy)
      try client.send("GET /")
      while (try? client.send("a")) != nil { SystemThread.sleep(until: .now + .milliseconds(10)) }
      #expect(proxied.events(1) == ["1 connection: no reply; the peer sends too slowly"])
    }
  }

  @Test(arguments: [ProxyServer.Traffic.http, .bytes])
  func `an idle connection is closed`(traffic: ProxyServer.Traffic) async throws {
    try await waiting {
      var limits = ProxyLimits()
      limits.idleDuration = .milliseconds(50)
      limits.byteIdleDuration = .milliseconds(50)
      let proxied = try ProxiedServer([], traffic, limits: limits)
      defer { proxied.close() }
      #expect(try OddClient(proxied.proxy).rest() == "")
    }
  }

  @Test(arguments: [ProxyServer.Traffic.http, .bytes])
  func `a client that does not read is cut`(traffic: ProxyServer.Traffic) async throws {
    try await waiting {
      var limits = ProxyLimits()
      limits.sendDuration = .milliseconds(50)
      limits.connectionCount = 1
      // More than the buffers of two sockets.
      let server = try OddServer { (request) in
        OddServer.json(String(repeating: "a", count: request == "GET /long" ? 32 << 20 : 1))
      }
      let proxied = try ProxiedServer([], traffic, server, limits: limits)
      defer { proxied.close() }
      let client = try OddClient(proxied.proxy)
      try client.get("/long")
      // Its place becomes free.
      var reply: String?
      while reply == nil {
        let other = try? OddClient(proxied.proxy)
        try? other?.get("/a")
        reply = try? other?.reply()
      }
      #expect(reply == "200 a")
      _ = client
    }
  }

  @Test(arguments: ["0.0.0.0", "::", "203.0.113.9"])
  func `other machines are refused unless they are allowed`(host: String) {
    let error = #expect(throws: FaultProxyError.self) {
      try ProxyServer(to: .loopback(1), at: SocketAddress(host: host, port: 0))
    }
    // An address that this machine does not have cannot be listened at.
    #expect(error?.code == (host == "203.0.113.9" ? .cannotListen : .notLoopback))
  }

  @Test(arguments: ["127.0.0.1", "127.0.0.2", "localhost"])
  func `loopback needs no permission`(host: String) throws {
    let proxy = try ProxyServer(to: .loopback(1), at: SocketAddress(host: host, port: 0))
    #expect(proxy.isLoopback)
    proxy.close()
  }

  @Test func `a client of this machine is forwarded byte for byte`() async throws {
    try await waiting {
      let proxied = try ProxiedServer([])
      defer { proxied.close() }
      let client = try OddClient(proxied.proxy)
      let text = "GET /a HTTP/1.1\r\nhOST:  x\t\r\nX-Forwarded-For: 192.0.2.7\r\n\r\n"
      try client.send(text)
      _ = try client.reply()
      #expect(proxied.server.heads.withLock { (heads) in heads } == [text])
    }
  }

  @Test func `a client of another machine is named to the server, in place of its own claims`() async throws {
    // The machine's own address stands for another machine: connections to it do not come from loopback.
    guard let host = OwnAddress.firstBeyondLoopback() else { return }
    try await waiting {
      let proxied = try ProxiedServer([], at: SocketAddress(host: host, port: 0))
      defer { proxied.close() }
      let client = try OddClient(proxied.proxy)
      try client.send(
        "GET /a HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 127.0.0.1\r\nx-forwarded-for: 127.0.0.1\r\nForwarded: for=127.0.0.1\r\n"
          + "X-Real-IP: 127.0.0.1\r\nX-Forwarded-Proto: https\r\n\r\n")
      _ = try client.reply()
      #expect(
        proxied.server.heads.withLock { (heads) in heads }
          == ["GET /a HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: \(host)\r\n\r\n"])
    }
  }

  @Test func `a long path does not fill the log`() async throws {
    try await waiting {
      let proxied = try ProxiedServer([])
      defer { proxied.close() }
      let client = try OddClient(proxied.proxy)
      try client.get("/\(String(repeating: "a", count: 30_000))")
      _ = try client.reply()
      #expect(try #require(proxied.events(1).first).utf8.count < 400)
    }
  }

  @Test func `a head without end is refused`() async throws {
    try await waiting {
      let proxied = try ProxiedServer([])
      defer { proxied.close() }
      let client = try OddClient(proxied.proxy)
      try? client.send("GET / HTTP/1.1\r\nX: \(String(repeating: "a", count: 200_000))")
      #expect(client.rest() == "")
      #expect(proxied.events(1) == ["1 connection: no reply; \(HTTPFlaw.headTooLong.text)"])
    }
  }
}

/// The addresses of this machine.
private enum OwnAddress {
  /// An IPv4 address of this machine beyond loopback, from the table of the kernel.
  static func firstBeyondLoopback() -> String? {
    guard let file = try? OpenFile("/proc/net/fib_trie", .reading), let bytes = try? file.readToEnd(limit: 1 << 20)
    else {
      return nil
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let places = zip(lines, lines.dropFirst()).filter { (_, kind) in kind.contains("/32 host LOCAL") }
    return places.compactMap { (line, _) in line.split(separator: " ").last.map(String.init) }
      .first { (host) in !SocketAddress(host: host, port: 0).isLoopback }
  }
}
