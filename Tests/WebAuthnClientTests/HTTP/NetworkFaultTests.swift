// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import WebAuthnClient

/// Each fault of the network as what it is told as, what is told of the write, and how many requests came.
struct NetworkFaultTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let fault: Fault
    let code: ClientError.Code
    var domName = "NetworkError"

    var testDescription: String { name }
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
      name: "stalled in the body", fault: .reply("\(head)Content-Length: 10\r\n\r\n{", then: .stall), code: .replyTimedOut,
      domName: "TimeoutError"),
    Case(
      name: "dripping",
      fault: .drip("\(head)Content-Length: 1000\r\n\r\n{" + String(repeating: " ", count: 999), milliseconds: 20),
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
      code: .replyMalformed),
    Case(
      name: "redirect elsewhere",
      fault: .answer("307 Temporary Redirect", "", "Location: https://evil.example/take?it\r\n"), code: .redirected),
    Case(
      name: "redirect within the server", fault: .answer("302 Found", "", "Location: /elsewhere\r\n"), code: .redirected
    ),
    Case(name: "redirect nowhere", fault: .answer("303 See Other", ""), code: .redirected),
  ]

  static let settings: HTTPSettings = {
    var settings = HTTPSettings()
    settings.totalTimeout = .milliseconds(900)
    settings.maximumReplyByteCount = 100_000
    return settings
  }()

  @Test(arguments: cases)
  func `A fault has its cause, a write's outcome is said to be unknown, and it was sent once`(
    _ fault: Case
  ) async throws {
    for method in ["POST", "GET"] {
      let server = try FaultServer(fault.fault)
      let session = HTTPSession(server: try ServerAddress(server.address), settings: Self.settings)
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

  @Test func `What was not sent is said to be cancelled before it was sent`() async throws {
    let port = try FaultServer(.answer()).port
    // The server is gone now, or never was there.
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

  @Test func `A redirect names the origin to which it leads, and no more of it`() async throws {
    let server = try FaultServer(
      .answer("307 Temporary Redirect", "", "Location: https://user:secret@evil.example:444/take?token=it\r\n"))
    let session = HTTPSession(server: try ServerAddress(server.address))
    let error = await #expect(throws: ClientError.self) { try await session.send(ServerRequest("POST", "/orders")) }
    #expect(error?.detail?.contains("https://evil.example:444,") == true)
    #expect(error?.detail?.contains("secret") == false && error?.detail?.contains("take") == false)
  }

  @Test func `A status of failure is a reply`() async throws {
    for status in ["404 Not Found", "500 Internal Server Error", "503 Service Unavailable"] {
      let server = try FaultServer(.answer(status, "<html>"))
      let session = HTTPSession(server: try ServerAddress(server.address))
      let reply = try await session.send(ServerRequest("POST", "/orders"))
      #expect(reply.status == Int(status.prefix(3)))
      #expect(server.requests.count == 1)
    }
  }

  @Test func `A write never goes over a kept connection, on which it would be sent again when that is dead`()
    async throws
  {
    // The first request on a connection is answered, and the second is read and the connection ended.
    let server = try FaultServer { (request, number) in
      number == 0 ? .answer("200 OK", "{}") : request.hasPrefix("POST") ? .reply("", then: .close) : .answer()
    }
    let session = HTTPSession(server: try ServerAddress(server.address))
    _ = try await session.send(ServerRequest("GET", "/state"))
    let error = await #expect(throws: ClientError.self) { try await session.send(ServerRequest("POST", "/orders")) }
    #expect(error?.code == .replyTruncated)
    #expect(error?.outcome == .unknown)
    #expect(server.requests.filter { $0.hasPrefix("POST") }.count == 1)
    #expect(server.connectionCount == 2)
  }

  @Test func `Reads share a connection`() async throws {
    let server = try FaultServer(.answer())
    let session = HTTPSession(server: try ServerAddress(server.address))
    for _ in 0..<3 { _ = try await session.send(ServerRequest("GET", "/state")) }
    #expect(server.requests.count == 3)
    #expect(server.connectionCount == 1)
  }
}
