// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyServiceTestSupport
import PasskeySystem
import PasskeyTestSupport
import Testing

/// `passkey explain --serve`, with requests as browsers and other programs send them.
@Suite struct ExplainTests {
  private let server: ExplainProcess

  init() throws {
    server = try ExplainProcess()
  }

  private func answer(
    _ line: String, host: String? = nil, fields: String = "", body: String = ""
  ) throws
    -> RawClient.Answer?
  {
    let client = try RawClient(port: server.port)
    let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n"
    client.send("\(line) HTTP/1.1\r\nHost: \(host ?? "127.0.0.1:\(server.port)")\r\n\(fields)\(length)\r\n\(body)")
    return client.answer()
  }

  @Test func `the page answers at its address, with strict headers`() throws {
    let page = try #require(try answer("GET \(server.path)"))
    #expect(page.status == 200 && page.header("content-type") == "text/html; charset=utf-8")
    let policy = try #require(page.header("content-security-policy"))
    #expect(policy.hasPrefix("default-src 'none'; ") && !policy.contains("script-src") && !policy.contains("unsafe"))
    #expect(policy.contains("require-trusted-types-for 'script'") && policy.contains("frame-ancestors 'none'"))
    #expect(page.header("cache-control") == "no-store" && page.header("x-content-type-options") == "nosniff")
    #expect(page.header("cross-origin-resource-policy") == "same-origin" && page.header("connection") == "close")
    #expect(try answer("GET \(server.path)/style.css")?.header("content-type") == "text/css; charset=utf-8")
    #expect(try answer("GET \(server.path)", host: "localhost:\(server.port)")?.status == 200)
  }

  @Test func `a submitted form is answered`() throws {
    let fields = "Origin: http://127.0.0.1:\(server.port)\r\nSec-Fetch-Site: same-origin\r\n"
    let page = try answer("POST \(server.path)", fields: fields, body: "artifact=a0&kind=cbor")
    #expect(page?.status == 200 && page?.body.contains("Artifact: CBOR") == true)
  }

  @Test func `without the random part of the address there is no page`() throws {
    let other = String(server.path.dropLast()) + (server.path.hasSuffix("A") ? "B" : "A")
    for path in ["/", "/style.css", other, String(server.path.dropLast()), "\(server.path)/", "\(server.path)?x"] {
      #expect(try answer("GET \(path)")?.status == 404, "\(path)")
    }
    #expect(server.path.utf8.count == 23)
    let next = try ExplainProcess()
    #expect(next.path != server.path)
  }

  @Test func `names of other hosts and pages of other origins are refused`() throws {
    for host in ["attacker.example", "127.0.0.1", "127.0.0.1:1", "localhost", "[::1]:\(server.port)"] {
      #expect(try answer("GET \(server.path)", host: host)?.status == 421, "\(host)")
    }
    #expect(try answer("POST \(server.path)", body: "artifact=00")?.status == 403)
    for origin in ["null", "https://attacker.example", "http://127.0.0.1:1"] {
      #expect(try answer("POST \(server.path)", fields: "Origin: \(origin)\r\n", body: "artifact=00")?.status == 403)
    }
    #expect(try answer("GET \(server.path)", fields: "Sec-Fetch-Site: cross-site\r\n")?.status == 403)
  }

  @Test(arguments: [
    ("PUT", "", 403), ("GET /x", "", 400), ("GET", "Host: again\r\n", 400), ("GET", "no colon\r\n", 400),
    ("GET", " folded: 1\r\n", 400), ("GET", "X: \u{7}\r\n", 400), ("GET", "X: ä\r\n", 400),
    ("GET", "Content-Length: -1\r\n", 400), ("GET", "Content-Length: +2\r\n", 400),
    ("GET", "Content-Length: \r\n", 400),
    ("GET", "Content-Length: 2097153\r\n", 413), ("GET", "Content-Length: 99999999999999999999\r\n", 413),
    ("GET", "Transfer-Encoding: chunked\r\n", 411), ("GET", "X: \(String(repeating: "a", count: 1 << 17))\r\n", 431),
  ])
  func `a malformed or oversized request is refused`(line: String, fields: String, status: Int) throws {
    #expect(try answer("\(line) \(server.path)", fields: fields)?.status == status)
  }

  @Test func `a request in small pieces is read, and one that ends early has no answer`() throws {
    let client = try RawClient(port: server.port)
    for byte in "GET \(server.path) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n".utf8 { client.send([byte]) }
    #expect(client.answer()?.status == 200)
    #expect(client.isEnded())
    for text in ["", "GET", "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\n1234"] {
      let client = try RawClient(port: server.port)
      client.send(text)
      client.endSending()
      #expect(client.isEnded() && client.rest.isEmpty, "\(text)")
    }
  }

  @Test func `silent clients do not delay others, and more than 32 are closed`() throws {
    var silent = try (0..<31).map { (_) in try RawClient(port: server.port) }
    #expect(try answer("GET \(server.path)")?.status == 200)
    // The previous connection may end a moment later.
    let isFull = try HangGuard.waits {
      let client = try RawClient(port: server.port)
      let isClosed = client.isEnded(within: 0) || silent.count >= 32 && client.isEnded(within: 1)
      if !isClosed { silent.append(client) }
      return isClosed
    }
    #expect(isFull)
    silent.removeAll()
    #expect(HangGuard.waits { (try? answer("GET \(server.path)"))??.status == 200 })
  }

  @Test func `it listens at 127.0.0.1 only`() throws {
    #expect(throws: RawClient.Unreachable.self) { try RawClient(port: server.port, v6: true) }
    let addresses = try Shell.run("cat /proc/net/tcp", in: "/").split(separator: "\n")
      .filter { $0.contains(":\(String(server.port, radix: 16, uppercase: true).leftPadded)") && $0.contains(" 0A ") }
    #expect(addresses.count == 1 && addresses.allSatisfy { $0.contains(" 0100007F:") })
  }

  @Test func `a taken port is an error, and a signal ends the server`() throws {
    let printed = try Shell.run("passkey explain --serve --port \(server.port)", in: "/")
    #expect(
      printed.contains("cannot listen at port \(server.port): address already in use") && printed.hasSuffix("[1]\n"))
    let other = try Shell.run("timeout --signal INT --preserve-status 2 passkey explain --serve >/dev/null", in: "/")
    #expect(other.hasSuffix("[130]\n"))
  }
}

extension String {
  /// A port in the four digits of /proc/net/tcp.
  fileprivate var leftPadded: String { String(repeating: "0", count: max(0, 4 - count)) + self }
}

/// A running `passkey explain --serve`. Releasing it ends the process.
final class ExplainProcess: Sendable {
  struct NoAddress: Error {
    let output: String
  }

  let port: UInt16
  /// The path of the page.
  let path: String
  private let program: PipedProgram

  init() throws {
    program = try PipedProgram("passkey", ["explain", "--serve"])
    var output = ""
    while !output.hasSuffix("\n") {
      let bytes = try FileDescriptor(number: program.output).read(upTo: 1 << 10)
      if bytes.isEmpty { throw NoAddress(output: output) }
      output += String(decoding: bytes, as: UTF8.self)
    }
    guard let match = output.wholeMatch(of: /http:\/\/127\.0\.0\.1:(\d+)(\/[A-Za-z0-9_\-]+)\n/),
      let port = UInt16(match.output.1)
    else { throw NoAddress(output: output) }
    self.port = port
    path = String(match.output.2)
  }

  deinit {
    kill(program.identifier, SIGTERM)
  }
}
