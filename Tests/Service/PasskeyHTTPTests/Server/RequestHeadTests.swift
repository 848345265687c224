// SPDX-License-Identifier: Apache-2.0

import PasskeyHTTP
import PasskeyHTTPServer
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing

/// Ambiguous request heads. Each is refused before any handler runs, and the connection is closed, so that the
/// following bytes are not parsed as a request.
struct RequestHeadTests {
  private static let smuggled = "GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n"

  @Test(arguments: [
    // The end of the body
    ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\nContent-Length: 39\r\n\r\n", "http.framing-ambiguous"),
    ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc", "http.framing-ambiguous"),
    (
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "http.framing-ambiguous"
    ),
    (
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
      "http.framing-ambiguous"
    ),
    ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\n\r\n", "http.framing-ambiguous"),
    ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: identity\r\n\r\n", "http.framing-ambiguous"),
    ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", "http.framing-ambiguous"),
    ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n", "http.framing-ambiguous"),
    (
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "http.framing-ambiguous"
    ),
    ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", "http.framing-ambiguous"),
    (
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding:\r\n chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
      "http.header-malformed"
    ),
    ("POST / HTTP/1.0\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "http.framing-ambiguous"),
    ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length : 39\r\n\r\n", "http.header-malformed"),
    ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding : chunked\r\n\r\n", "http.header-malformed"),
    ("POST / HTTP/1.1\r\nHost: h\r\nX: a\rContent-Length: 39\r\n\r\n", "http.header-malformed"),
    ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: \u{b}chunked\r\n\r\n", "http.header-malformed"),
    ("GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 39\r\n\r\n", "http.body-not-allowed"),
    ("HEAD / HTTP/1.1\r\nHost: h\r\nContent-Length: 39\r\n\r\n", "http.body-not-allowed"),
    ("GET / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "http.body-not-allowed"),
    ("POST / HTTP/1.1\r\nHost: h\r\nX: a\nContent-Length: 39\r\n\r\n", "http.header-malformed"),
    ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\u{0}9\r\n\r\nabc", "http.header-malformed"),
    ("POST / HTTP/1.1\r\nHost: h\r\nX: a\r\n b\r\nContent-Length: 3\r\n\r\nabc", "http.header-malformed"),
    ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\nabc", "http.header-malformed"),
    ("POST / HTTP/1.1\nHost: h\r\nContent-Length: 3\r\n\r\nabc", "http.target-malformed"),
    ("POST /  HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc", "http.target-malformed"),
    ("POST  / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc", "http.target-malformed"),
    ("POST /\u{0} HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc", "http.target-malformed"),
    // Header fields
    ("GET / HTTP/1.1\r\nHost: h\r\nX\u{1}: a\r\n\r\n", "http.header-malformed"),
    ("GET / HTTP/1.1\r\nHost: h\r\n: a\r\n\r\n", "http.header-malformed"),
    ("GET / HTTP/1.1\r\nHost: h\r\nX: a\u{7f}\r\n\r\n", "http.header-malformed"),
    ("GET / HTTP/1.1\r\n\r\n", "http.host-missing"),
    ("GET / HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n", "http.host-missing"),
    ("POST / HTTP/1.1\r\nHost: h\r\nExpect: 200-ok\r\nContent-Length: 1\r\n\r\na", "http.expectation-unknown"),
    // The request line
    ("GET /a b HTTP/1.1\r\nHost: h\r\n\r\n", "http.target-malformed"),
    ("GET a HTTP/1.1\r\nHost: h\r\n\r\n", "http.target-malformed"),
    ("GET /a/../b HTTP/1.1\r\nHost: h\r\n\r\n", "http.target-malformed"),
    ("GET /%2e%2E/b HTTP/1.1\r\nHost: h\r\n\r\n", "http.target-malformed"),
    ("GET /%zz HTTP/1.1\r\nHost: h\r\n\r\n", "http.target-malformed"),
    ("GET /ä HTTP/1.1\r\nHost: h\r\n\r\n", "http.target-malformed"),
    ("CONNECT h:443 HTTP/1.1\r\nHost: h\r\n\r\n", "http.target-malformed"),
    ("G@T / HTTP/1.1\r\nHost: h\r\n\r\n", "http.target-malformed"),
  ])
  func `an ambiguous request is refused, and its connection is closed`(head: String, code: String) async throws {
    let worked = Tally()
    let handler: EndpointHandler = { (request) in
      worked.add()
      return await Echo.answer(request)
    }
    try await withServer(handler: handler) { (server) in
      let (answer, rest) = try await waiting { [port = server.port] in
        let client = try RawClient(port: port)
        client.send(head + Self.smuggled)
        let answer = client.answer(isBodiless: head.hasPrefix("HEAD"))
        #expect(client.isEnded())
        return (answer, client.rest)
      }
      #expect(answer?.status == (code == "http.expectation-unknown" ? 417 : 400))
      #expect(answer?.header("connection") == "close")
      if !head.hasPrefix("HEAD") { #expect(answer?.body.contains("\"code\":\"\(code)\"") == true) }
      #expect(rest == "")
      #expect(worked.value == 0)
    }
  }

  @Test(arguments: ["+2", "-2", "2x", "0x2", "2 2", "2,2", "", "99999999999999999999"])
  func `a malformed Content-Length gets one response`(length: String) async throws {
    try await withServer { (server) in
      let (answer, rest) = try await waiting { [port = server.port] in
        // The head arrives in two parts while another connection has an incomplete head.
        let other = try RawClient(port: port)
        other.send("POST /other HTTP/1.1\r\nHost: h\r\n")
        let client = try RawClient(port: port)
        client.send("POST / HTTP/1.1\r\nHost: h\r\n")
        client.send("Content-Length: \(length)\r\n\r\nab")
        let answer = client.answer()
        #expect(client.isEnded())
        other.send("Content-Length: 2\r\nConnection: close\r\n\r\nab")
        #expect(other.answer()?.status == 200)
        return (answer, client.rest)
      }
      let (status, code) = length.count > 10 ? (413, "http.body-too-large") : (400, "http.framing-ambiguous")
      #expect(answer?.status == status)
      #expect(answer?.body.contains(#""code":"\#(code)""#) == true)
      #expect(rest == "")
    }
  }

  /// Requests that the HTTP library itself refuses have its status and no body from this server.
  @Test(
    arguments: [
      ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: +5\r\n\r\nabcde", [400]),
      ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: -5\r\n\r\nabcde", [400]),
      ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5, 5\r\n\r\nabcde", [400]),
      ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0x5\r\n\r\nabcde", [400]),
      ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5 5\r\n\r\nabcde", [400]),
      ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length:\r\n\r\nabcde", [400]),
      ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: \r\n 5\r\n\r\nabcde", [400, 200]),
      ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999999999999999\r\n\r\nabcde", [413]),
      ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", [400]),
      ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", [400]),
      ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n", [400]),
      ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n", [413]),
      ("GET / HTTP/1.1\r\nHost: h\r\nno colon\r\n\r\n", [400]),
      ("GET / HTTP/2.0\r\nHost: h\r\n\r\n", [505, 400]),
      ("GET / HTTP/1.1x\r\nHost: h\r\n\r\n", [400]),
      ("GET /\r\n\r\n", [400, 505]),
      ("nonsense\r\n\r\n", [400, 0]), ("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\r\n\r\n", [400, 0]),
    ] as [(String, [Int])])
  func `an unreadable request closes the connection`(head: String, statuses: [Int]) async throws {
    let paths = Paths()
    let handler: EndpointHandler = { (request) in
      paths.add(request.target.path)
      return await Echo.answer(request)
    }
    try await withServer(handler: handler) { (server) in
      let status = try await waiting { [port = server.port] in
        let client = try RawClient(port: port)
        client.send(head)
        let answer = client.answer()
        if answer?.status != 200 {
          client.send(Self.smuggled)
          #expect(client.isEnded())
        }
        return answer?.status ?? 0
      }
      #expect(statuses.contains(status), "answered with \(status)")
      #expect(!paths.all.contains("/smuggled"))
    }
  }
}
