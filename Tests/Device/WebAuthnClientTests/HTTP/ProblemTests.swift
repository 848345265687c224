// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import WebAuthnBrowser
@testable import WebAuthnClient

struct ProblemTests {
  private func problem(_ body: String, _ headers: [HeaderField] = []) -> Problem {
    Problem(ServerReply(status: 403, headers: headers, body: Array(body.utf8)))
  }

  @Test func `A problem is read, and its invalid members are ignored`() {
    let full = problem(
      #"{"code":"a.b","title":"No","detail":"Never","member":"email","requestId":"7","stepUp":{"method":"GET"}}"#,
      [HeaderField("Retry-After", "30")])
    #expect(full.code == "a.b" && full.title == "No" && full.detail == "Never" && full.member == "email")
    #expect(full.requestID == "7" && full.retryAfter == 30 && full.stepUp == nil && full.status == 403)
    #expect(full.description == "a.b: No")
    for body in ["", "<html>", "[]", "null", #"{"code":1,"title":{},"stepUp":[]}"#, "{\"code\":\"a"] {
      let bare = problem(body, [HeaderField("retry-after", "-1")])
      #expect(bare.code == nil && bare.title == nil && bare.stepUp == nil && bare.retryAfter == nil)
      #expect(bare.description == "status 403")
    }
    #expect(problem(#"{"error":"invalid_grant","error_description":"spent"}"#).description == "invalid_grant")
    #expect(problem(#"{"message":"go away"}"#).title == "go away")
  }

  @Test func `A problem's text is escaped and limited in length`() {
    let sent = problem(#"{"title":"a\u001b[2J\u0007\u202eb\nc","code":"\#(String(repeating: "x", count: 5_000))"}"#)
    #expect(sent.title == "a[2Jbc")
    #expect(sent.code?.count == 500)
  }
}
