// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

@testable import WebAuthnBrowser
@testable import WebAuthnClient

/// Each network fault with its error code, the outcome of a write, and the number of received requests.
struct NetworkFaultTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let fault: Fault
    let code: ClientError.Code
    var domName = "NetworkError"

    var testDescription: String { name }

    /// Time-outs are short only for faults that never end; on a busy machine the others need more time.
    var settings: HTTPSettings {
      var settings = HTTPSettings()
      settings.totalTimeout = code == .replyTimedOut ? .seconds(4) : .seconds(HangGuard.seconds)
      settings.maximumReplyByteCount = 100_000
      return settings
    }
  }

  static let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"

  static let cases = [
    Case(name: "closed without a reply", fault: .reply("", then: .close), code: .replyTruncated),
    Case(name: "reset without a reply", fault: .reply("", then: .reset), code: .connectionReset),
    Case(name: "closed in the header", fault: .reply(head, then: .close), code: .replyTruncated),
    Case(
      name: "reset in the body", fault: .reply("\(head)Content-Length: 10\r\n\r\n{\"a\"", then: .reset),
      code: .connectionReset),
    Case(
      name: "closed in the body", fault: .reply("\(head)Content-Length: 10\r\n\r\n{\"a\"", then: .close),
      code: .replyTruncated),
    Case(
      name: "closed between chunks",
      fault: .reply("\(head)Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n", then: .close),
      code: .replyTruncated),
    Case(
      name: "stalled before the header", fault: .reply("", then: .stall), code: .replyTimedOut, domName: "TimeoutError"),
    Case(
      name: "stalled in the body", fault: .reply("\(head)Content-Length: 10\r\n\r\n{", then: .stall),
      code: .replyTimedOut,
      domName: "TimeoutError"),
    Case(
      name: "dripping",
      fault: .drip("\(head)Content-Length: 1000\r\n\r\n{" + String(repeating: " ", count: 999), milliseconds: 50),
      code: .replyTimedOut, domName: "TimeoutError"),
    Case(
      name: "endless body", fault: .endless("\(head)\r\n", String(repeating: " ", count: 4_096)), code: .replyTooLarge),
    Case(
      name: "large body that is announced",
      fault: .endless("\(head)Content-Length: 4000000000\r\n\r\n", String(repeating: " ", count: 4_096)),
      code: .replyTooLarge),
    Case(name: "endless header", fault: .endless(head, "x-more: and more\r\n"), code: .replyTooLarge),
    Case(
      name: "endless line of a header", fault: .endless("\(head)x-more: ", String(repeating: "x", count: 4_096)),
      code: .replyTooLarge),
    Case(
      name: "endless intermediate answers", fault: .endless("", "HTTP/1.1 100 Continue\r\n\r\n"), code: .replyTooLarge),
    Case(name: "no HTTP", fault: .reply("220 mail.example ESMTP\r\n", then: .close), code: .replyMalformed),
    Case(
      name: "chunk of no length", fault: .reply("\(head)Transfer-Encoding: chunked\r\n\r\nzz\r\n", then: .close),
      code: .replyTruncated),
    Case(
      name: "a zero byte in the header", fault: .reply("HTTP/1.1 200 OK\r\nx: a\u{0}b\r\n\r\n", then: .close),
      code: .replyMalformed),
    Case(
      name: "an invalid length",
      fault: .reply("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n", then: .close),
      code: .replyMalformed),
    Case(
      name: "two lengths",
      fault: .reply("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 5\r\n\r\n{}xyz", then: .close),
      code: .replyMalformed),
    Case(
      name: "redirect elsewhere",
      fault: .answer("307 Temporary Redirect", "", "Location: https://evil.example/take?it\r\n"), code: .redirected),
    Case(
      name: "redirect within the server", fault: .answer("302 Found", "", "Location: /elsewhere\r\n"), code: .redirected
    ),
    Case(name: "redirect nowhere", fault: .answer("303 See Other", ""), code: .redirected),
  ]

  @Test(arguments: cases)
  func `A network error has its cause, and a write's outcome is unknown after one request`(
    _ fault: Case
  ) async throws {
    for method in ["POST", "GET"] {
      let server = try FaultServer(fault.fault)
      let session = HTTPSession(server: try ServerAddress(server.address), settings: fault.settings)
      let error = await #expect(throws: ClientError.self) {
        try await session.send(
          ServerRequest(method, "/orders", body: method == "POST" ? Array(#"{"n":1}"#.utf8) : [], contentType: nil))
      }
      #expect(error?.code == fault.code, "\(method): \(String(describing: error))")
      #expect(error?.outcome == (method == "POST" ? .unknown : nil))
      #expect(error?.domName == fault.domName)
      #expect(server.requests.count == 1)
    }
  }

  @Test func `A redirect is a reply if the settings ask for it, and is not followed`() async throws {
    let server = try FaultServer(.answer("302 Found", "", "Location: /elsewhere\r\n"))
    var settings = HTTPSettings()
    settings.returnsRedirects = true
    let session = HTTPSession(server: try ServerAddress(server.address), settings: settings)
    let reply = try await session.send(ServerRequest("POST", "/orders", json: Array("{}".utf8)))
    #expect(reply.status == 302 && reply.isRedirect && !reply.isSuccess)
    #expect(reply.header("location") == "/elsewhere")
    #expect(server.requests.count == 1)
  }

  @Test func `The time of an exchange ends with the last byte of the reply`() async throws {
    let text = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
    let server = try FaultServer(.drip(text, milliseconds: 1))
    let reply = try await HTTPSession(server: try ServerAddress(server.address)).send(ServerRequest("GET", "/"))
    #expect(try #require(reply.exchangeTime) >= .milliseconds(text.utf8.count / 2))
  }

  @Test func `A request that was not sent is reported as cancelled`() async throws {
    let port = try FaultServer(.answer()).port
    // The server has stopped, or never existed.
    for (address, settings, code) in [
      ("http://127.0.0.1:\(port)", HTTPSettings(), ClientError.Code.unreachable),
      ("https://nothing.invalid", HTTPSettings(), .nameNotFound),
    ] {
      let session = HTTPSession(server: try ServerAddress(address), settings: settings)
      let error = await #expect(throws: ClientError.self) { try await session.send(ServerRequest("POST", "/orders")) }
      #expect(error?.code == code, "\(String(describing: error))")
      #expect(error?.outcome == .notSent)
      #expect(error?.domName == "NetworkError")
      #expect(error?.description.hasSuffix("(cancelled before it was sent)") == true)
    }
  }

  @Test func `A refused redirect names only its target origin`() async throws {
    let server = try FaultServer(
      .answer("307 Temporary Redirect", "", "Location: https://user:secret@evil.example:444/take?token=it\r\n"))
    let session = HTTPSession(server: try ServerAddress(server.address))
    let error = await #expect(throws: ClientError.self) { try await session.send(ServerRequest("POST", "/orders")) }
    #expect(error?.detail?.contains("https://evil.example:444,") == true)
    #expect(error?.detail?.contains("secret") == false && error?.detail?.contains("take") == false)
  }

  @Test func `An HTTP error status is a response`() async throws {
    for status in ["404 Not Found", "500 Internal Server Error", "503 Service Unavailable"] {
      let server = try FaultServer(.answer(status, "<html>"))
      let session = HTTPSession(server: try ServerAddress(server.address))
      let reply = try await session.send(ServerRequest("POST", "/orders"))
      #expect(reply.status == Int(status.prefix(3)))
      #expect(server.requests.count == 1)
    }
  }

  @Test func `Responses that libcurl would retry are returned`() async throws {
    for status in [
      "417 Expectation Failed", "401 Unauthorized", "407 Proxy Authentication Required", "421 Misdirected Request",
      "408 Request Timeout", "425 Too Early",
    ] {
      let server = try FaultServer(
        .answer(status, "{}", "WWW-Authenticate: Negotiate\r\nWWW-Authenticate: Basic realm=x\r\nConnection: close\r\n")
      )
      let session = HTTPSession(server: try ServerAddress(server.address))
      #expect(
        try await session.send(ServerRequest("POST", "/orders", json: [0x7b, 0x7d])).status == Int(status.prefix(3)))
      #expect(server.requests.count == 1)
    }
  }

  @Test(arguments: ["POST", "GET"])
  func `Writes never use a kept connection`(
    _ method: String
  ) async throws {
    // The first request is answered. Each later one is read, and its connection is closed.
    let server = try FaultServer { (_, number) in number == 0 ? .answer() : .reply("", then: .close) }
    let session = HTTPSession(server: try ServerAddress(server.address))
    _ = try await session.send(ServerRequest("GET", "/state"))
    let error = await #expect(throws: ClientError.self) { try await session.send(ServerRequest(method, "/orders")) }
    #expect(error?.code == .replyTruncated)
    #expect(server.requests.count == 2)
    #expect(server.connectionCount == 2)
  }

  @Test func `A large body to a server that does not read is an error, not a signal`() async throws {
    let server = try FaultServer(readsNothing: ())
    let session = HTTPSession(server: try ServerAddress(server.address))
    for _ in 0..<5 {
      let body = [UInt8](repeating: 0x20, count: 4 << 20)
      let error = await #expect(throws: ClientError.self) {
        try await session.send(ServerRequest("PUT", "/", body: body))
      }
      // The reset may arrive before any data are sent.
      let wasReady = error?.code == .connectionReset
      #expect(wasReady || error?.code == .unreachable, "\(String(describing: error))")
      #expect(error?.outcome == (wasReady ? .unknown : .notSent))
    }
    #expect(server.requests.isEmpty && server.connectionCount == 5)
  }
}
