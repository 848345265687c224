// SPDX-License-Identifier: Apache-2.0

import SystemCrypto
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

  @Test func `a budget that is used up says how to raise it`() async throws {
    let budget = RequestBudget(maximum: 1, perSecond: nil)
    try await budget.take()
    await #expect(throws: CannotTell("the limit of 1 requests is reached; --max-requests raises it")) {
      try await budget.take()
    }
    #expect(budget.sent == 1)
  }
}
