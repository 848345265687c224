// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import Testing
import WebAuthnClient

@testable import PasskeyAudit

struct RecorderTests {
  private let server: ServerAddress

  init() throws {
    server = try ServerAddress("http://localhost:8080")
  }

  @Test func `tokens, cookies and grants are replaced, and the rest is kept`() throws {
    var request = ServerRequest(
      "POST", "/refresh?t=0123456789abcdef", json: Array(#"{"refreshToken":"secret-1"}"#.utf8))
    request.bearer = SecretBytes(utf8: "0123456789abcdef")
    request.headers = [HeaderField("passkey-step-up", "secret-grant"), HeaderField("accept", "application/json")]
    let reply = ServerReply(
      status: 200, headers: [HeaderField("set-cookie", "sid=secret-2; HttpOnly")],
      body: Array(#"{"a":[{"accessToken":"secret-3"}],"grant":"secret-4","code":"shown","tokenType":"Bearer"}"#.utf8))
    let recorder = Recorder()
    recorder.hide(["0123456789abcdef"])
    recorder.record(request, to: server, .success(reply))
    let exchange = try #require(recorder.takeExchanges().first)
    #expect(!"\(exchange)".contains("secret-"))
    #expect(!"\(exchange)".contains("0123456789abcdef"))
    #expect(exchange.requestHeaders.contains("accept: application/json"))
    #expect(exchange.responseHeaders == ["set-cookie: sid=[redacted]; HttpOnly"])
    #expect(exchange.responseBody.contains(#""code":"shown","tokenType":"Bearer""#))
    #expect(recorder.takeExchanges().isEmpty)
  }

  @Test(arguments: [
    ("a code and a longer one: WXYZ, WXYZ-1234, WXYZWXYZ", "a code and a longer one: #, #, ##"),
    ("WXY", "WXY"), ("WXYZ", "#"), ("WWXYZZ", "W#Z"), ("é WXYZ é", "é # é"), ("größer", "#"), ("gröger", "gröger"),
    ("", ""), ("xWXYZ-12345678", "x#"), ("WXYZ-1234-567", "#-567"), ("ababab", "#"),
  ])
  func `the longest secret at a place is replaced`(text: String, expected: String) {
    var mask = SecretMask()
    for secret in ["WXYZ", "WXYZ-1234", "WXYZ", "größer", "abc", "", "-12345678", "abab"] { mask.insert(secret) }
    #expect(mask(text).replacing(SecretMask.mark, with: "#") == expected)
  }

  @Test func `a long body has no tokens, and is cut`() throws {
    let filler = String(repeating: "x", count: 1 << 15)
    let body = #"{"accessToken":"secret-1","a":"\#(filler)","refreshToken":"secret-2"}"#
    let recorder = Recorder()
    recorder.record(ServerRequest("GET", "/"), to: server, .success(ServerReply(status: 200, body: Array(body.utf8))))
    let exchange = try #require(recorder.takeExchanges().first)
    #expect(exchange.responseBody.hasPrefix(#"{"accessToken":"[redacted]","a":"xxx"#))
    #expect(exchange.responseBody.utf8.count == 1 << 14)
  }

  @Test func `cookies in a response that is recorded as a whole are replaced`() throws {
    let recorder = Recorder()
    recorder.record(
      RecordedExchange(
        method: "TRACE", url: "http://localhost/", requestHeaders: [], requestBody: "", status: 200,
        responseHeaders: [], responseBody: "HTTP/1.1 200 OK\r\nSet-Cookie: sid=secret-1; HttpOnly\r\n\r\nbody"))
    #expect(
      recorder.takeExchanges().first?.responseBody
        == "HTTP/1.1 200 OK\r\nSet-Cookie: sid=[redacted]; HttpOnly\r\n\r\nbody")
  }

  @Test func `a budget that is used up says how to raise it`() async throws {
    let budget = RequestBudget(maximum: 1, perSecond: nil)
    try await budget.take()
    await #expect(throws: CannotTell("the limit of 1 requests is reached; --max-requests raises it")) {
      try await budget.take()
    }
    #expect(budget.sent == 1)
  }

  @Test func `several requests are counted at once, and sent together`() async throws {
    let budget = RequestBudget(maximum: 7, perSecond: 50)
    let start = ContinuousClock.now
    try await budget.take(5)
    #expect(budget.sent == 5)
    // The next request waits for the time of five.
    try await budget.take()
    #expect(ContinuousClock.now - start >= .milliseconds(100))
    await #expect(throws: CannotTell.self) { try await budget.take(2) }
    #expect(budget.sent == 6)
  }
}
