// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import passkey

@Suite struct ActSummaryTests {
  static func rows(_ body: String) -> [[String]] {
    ActSummary(method: "POST", path: "/api/orders", body: [UInt8](body.utf8)).rows
  }

  @Test func `what the body says is shown, a line for each member`() {
    #expect(
      Self.rows(#"{"amount": "42100.00", "quantity": 1000, "to": {"account": 1}}"#) == [
        ["POST", "/api/orders"], ["amount", "42100.00"], ["quantity", "1000"], ["to", #"{"account": 1}"#],
      ])
  }

  @Test func `what a terminal would obey is not obeyed`() {
    #expect(Self.rows(#"{"a\u001b[2J": "\u202e1"}"#) == [["POST", "/api/orders"], [#"a\u{1b}[2J"#, #"\u{202e}1"#]])
  }

  @Test func `a body that is long, or no object, is said to be`() {
    #expect(Self.rows("").last == ["", "without a body"])
    #expect(Self.rows("[1]").last == ["", "3 bytes that are no JSON object"])
    let many = (0..<20).map { #""m\#($0)": \#($0)"# }.joined(separator: ",")
    #expect(Self.rows("{\(many)}").last == ["", "and 4 more"])
    #expect(Self.rows(#"{"a": "\#(String(repeating: "x", count: 200))"}"#).last?.last?.count == 60)
  }
}
