// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing

@testable import PasskeyHTTP
@testable import PasskeyHTTPServer

struct AccessLogTests {
  private func ask(_ server: HTTPServer, _ texts: [String]) async throws {
    _ = try await waiting { [port = server.port] in
      for text in texts {
        let client = try RawClient(port: port)
        client.send(text)
        _ = client.answer()
      }
    }
  }

  private func router() throws -> EndpointRouter {
    try EndpointRouter([EndpointRoute(.post, "/api/sessions/{id}") { (_) in .noContent }])
  }

  @Test func `each request is one log line without secrets`() async throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/access.log"
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    let router = try router()
    try await withServer(
      { $0.accessLog = AccessLog(descriptor: descriptor, naming: .both) }, handler: { await router.respond(to: $0) }
    ) {
      (server) in
      let secrets = "Host: h\r\nAuthorization: Bearer secret\r\nCookie: session=secret\r\nReferer: /secret\r\n"
      try await ask(
        server,
        [
          "POST /api/sessions/7?code=secret HTTP/1.1\r\n\(secrets)User-Agent: \"me\"\r\nContent-Length: 6\r\n\r\nsecret",
          "GET /nowhere?code=secret HTTP/1.1\r\n\(secrets)User-Agent: \(String(repeating: "u", count: 500))\r\n\r\n",
          "GET /bad%zz?code=secret HTTP/1.1\r\n\(secrets)\r\n",
          "POST /length?code=secret HTTP/1.1\r\n\(secrets)Content-Length: x\r\n\r\n",
        ])
      #expect(await eventually { server.requestCount == 0 })
    }
    let text = String(decoding: try File.bytes(path), as: UTF8.self)
    #expect(!text.contains("secret"))
    let lines = try text.split(separator: "\n").map { try JSON.parse(Array($0.utf8)) }
    #expect(lines.count == 4)
    let told = try lines.map { (line) in
      [
        try line["method"]?.string, try line["path"]?.string, try line["route"]?.string,
        try line["status"].map { String(try $0.integer(Int.self)) }, try line["code"]?.string,
      ]
    }
    #expect(told[0] == ["POST", "/api/sessions/7", "/api/sessions/{id}", "204", nil])
    #expect(told[1] == ["GET", "/nowhere", nil, "404", "http.not-found"])
    #expect(told[2] == ["GET", "/bad%zz", nil, "400", "http.target-malformed"])
    #expect(told[3] == ["", "/length", nil, "400", nil])
    #expect(try lines[0]["userAgent"]?.string == "\"me\"")
    #expect(try lines[0]["received"]?.integer(Int.self) == 6)
    #expect(try lines[0]["client"]?.string == "127.0.0.1")
    #expect(try lines[1]["userAgent"]?.string.count == 200)
    #expect(try lines[0]["id"]?.string.count == 32)
  }

  @Test func `a line has the request id or the client's address, as configured`() throws {
    let entry = AccessLogEntry(
      time: UnixTime(secondsSince1970: 0), id: .random(), client: .loopback, method: .get, path: "/", route: nil,
      status: 200, code: nil, receivedBytes: 0, sentBytes: 0, duration: .zero, userAgent: nil, isComplete: true,
      traceID: "0af7651916cd43dd8448eb211c80319c")
    for identity in AccessLog.Identity.allCases {
      let line = try JSON.parse(entry.line(naming: identity).dropLast())
      // Notices have the trace too, so it would link an address to an account.
      #expect(try (line["trace"]?.string == entry.traceID) == (identity != .address))
      #expect(try (line["id"]?.string == entry.id.description) == (identity != .address))
      #expect(try (line["client"]?.string == "127.0.0.1") == (identity != .requestID))
    }
  }

  @Test func `C1 and bidirectional controls from a client are escaped in the log`() throws {
    var entry = AccessLogEntry(
      time: UnixTime(secondsSince1970: 0), id: .random(), client: .loopback, method: .get, path: "/\u{9b}31m",
      route: nil, status: 200, code: nil, receivedBytes: 0, sentBytes: 0, duration: .zero, userAgent: nil,
      isComplete: true)
    entry.userAgent = "a\u{202e}b\u{85}c\u{2066}"
    let line = String(decoding: entry.line(naming: .both), as: UTF8.self)
    #expect(line.contains(#""path":"/\u009b31m""#))
    #expect(line.contains(#""userAgent":"a\u202eb\u0085c\u2066""#))
  }

  @Test func `an unread or broken pipe does not block requests`() async throws {
    for isBroken in [false, true] {
      var ends: [CInt] = [-1, -1]
      unsafe pipe(&ends)
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      defer { close(ends[1]) }
      if isBroken { close(ends[0]) }
      defer { if !isBroken { close(ends[0]) } }
      // A log that is not read blocks only its own thread; the memory for unwritten lines is limited.
      let log = AccessLog(descriptor: ends[1])
      try await withServer({ $0.accessLog = log }) { (server) in
        let answered = try await waiting { [port = server.port] in
          let client = try RawClient(port: port)
          return (0..<2_000).count { (_) in
            client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n") && client.answer()?.status == 200
          }
        }
        #expect(answered == 2_000)
        if isBroken { #expect(await eventually { log.lostLineCount == 2_000 }) }
        // Discard the waiting lines, so that the log can end.
        if !isBroken {
          let flags = fcntl(ends[0], F_GETFL)
          _ = fcntl(ends[0], F_SETFL, flags | O_NONBLOCK)
          var chunk = [UInt8](repeating: 0, count: 1 << 20)
          var lines = 0
          #expect(
            await eventually {
              let count = unsafe read(ends[0], &chunk, chunk.count)
              lines += chunk.prefix(max(0, count)).count { $0 == UInt8(ascii: "\n") }
              return lines == 2_000
            })
          #expect(log.lostLineCount == 0)
        }
      }
    }
  }

  @Test func `a full disk loses lines only, and their number is logged`() async throws {
    let full = unsafe open("/dev/full", O_WRONLY | O_CLOEXEC)
    try #require(full >= 0)
    defer { close(full) }
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/access.log"
    let log = AccessLog(descriptor: full)
    try await withServer({ $0.accessLog = log }) { (server) in
      try await ask(server, Array(repeating: "GET / HTTP/1.1\r\nHost: h\r\n\r\n", count: 5))
      #expect(await eventually { log.lostLineCount == 5 })
      // The disk has space again.
      let file = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
      dup2(file, full)
      close(file)
      try await ask(server, ["GET /after HTTP/1.1\r\nHost: h\r\n\r\n"])
      #expect(await eventually { log.lostLineCount == 0 })
    }
    let lines = String(decoding: try File.bytes(path), as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.contains(#""path":"/after""#) == true)
    #expect(lines.last == #"{"lostLines":5}"#)
  }

  @Test func `Requests are counted by method, route and status`() async throws {
    let metrics = MetricsRegistry()
    let router = try router()
    try await withServer({ $0.metrics = metrics }, handler: { await router.respond(to: $0) }) { (server) in
      try await ask(
        server,
        [
          "POST /api/sessions/1 HTTP/1.1\r\nHost: h\r\n\r\n", "POST /api/sessions/2 HTTP/1.1\r\nHost: h\r\n\r\n",
          "FROB /x1 HTTP/1.1\r\nHost: h\r\n\r\n", "GLOB /x2 HTTP/1.1\r\nHost: h\r\n\r\n",
        ])
      #expect(await eventually { server.requestCount == 0 && server.connectionCount == 0 })
    }
    let lines = metrics.text.split(separator: "\n")
    #expect(
      lines.contains(#"passkey_http_requests_total{method="POST",route="/api/sessions/{id}",status="204"} 2"#))
    #expect(lines.contains(#"passkey_http_requests_total{method="other",route="none",status="404"} 2"#))
    #expect(lines.contains(#"passkey_http_problems_total{code="http.not-found"} 2"#))
    #expect(lines.contains(#"passkey_http_request_duration_seconds_count{route="/api/sessions/{id}"} 2"#))
    #expect(lines.contains("passkey_http_connections 0"))
    #expect(lines.contains("passkey_http_requests_in_flight 0"))
  }
}
