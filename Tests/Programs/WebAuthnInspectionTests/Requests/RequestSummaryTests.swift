// SPDX-License-Identifier: Apache-2.0

import Testing
import WebAuthnInspection

@Suite struct RequestSummaryTests {
  static func lines(_ body: String, showsBody: Bool = false) -> [String] {
    lines([UInt8](body.utf8), showsBody: showsBody)
  }

  static func lines(_ body: [UInt8], contentType: String? = nil, showsBody: Bool = false) -> [String] {
    RequestSummary(
      server: "https://raxx.app", user: "ada@raxx.app", method: "POST", path: "/api/orders?dry=1", body: body,
      contentType: contentType, showsBody: showsBody, bodyOption: "--show-body"
    ).lines
  }

  /// Returns the lines about the body's members.
  static func members(_ body: String) -> [String] {
    Array(lines(body).drop { !$0.hasPrefix("    ") })
  }

  @Test func `server, user, method, path and body stand first`() {
    #expect(
      Self.lines(#"{"amount": "42100.00", "quantity": 1000, "to": {"account": 1}}"#) == [
        "  server   https://raxx.app", "  user     ada@raxx.app", "  act      POST /api/orders?dry=1",
        "  body     62 bytes of JSON", "  sha-256  68b16598520229bf72818d238261c731a8bf2280c73f9f2ad107898289fd12fd",
        #"    amount      "42100.00""#, "    quantity    1000", "    to.account  1",
      ])
    #expect(Self.lines("").last == "  body    none")
  }

  @Test func `an unknown user is shown as unknown`() {
    let summary = RequestSummary(
      server: "s", user: nil, method: "GET", path: "/", body: [], bodyOption: "--show-body")
    #expect(summary.lines[1] == "  user    unknown: the server did not report it")
  }

  @Test func `control, hidden and bidirectional characters are escaped`() {
    #expect(Self.members(#"{"a\u001b[2J": "\u202e1"}"#) == [#"    "a\u{1b}[2J"  "\u{202e}1""#])
    #expect(
      Self.members(#"{"a": "1\u0336\u20ddé\u0301\u0301\u0301"}"#) == [
        #"    a  "1\u{336}\u{20dd}é\#u{301}\#u{301}\u{301}""#
      ])
    #expect(Self.members(#"{"a": "\u3164\u00a0\u2800\n"}"#) == [#"    a  "\u{3164}\u{a0}\u{2800}\u{a}""#])
  }

  @Test func `a value cannot imitate another line`() {
    #expect(Self.members(#"{"a": "1   amount 5"}"#) == [#"    a  "1 \u{20}\u{20}amount 5""#])
    #expect(Self.members(#"{"a": "\"\\"}"#) == [#"    a  "\"\\""#])
    #expect(
      Self.members(#"{"a.b": 1, "": {"c": 2}, "d e": []}"#) == [
        #"    "a.b"  1"#, #"    "".c   2"#, #"    "d e"  []"#,
      ])
    let name = String(repeating: "n", count: 60)
    #expect(Self.members(#"{"\#(name)": 1, "b": 2}"#) == ["    \(name)", "      1", "    b  2"])
  }

  @Test func `an amount is never shortened, and a shortened value is marked`() {
    let digits = String(repeating: "9", count: 2000)
    #expect(
      Self.members(#"{"a": \#(digits), "b": "\#(digits).00 EUR"}"#).prefix(2) == [
        "    a  \(digits)", #"    b  "\#(digits).00 EUR""#,
      ])
    let prose = String(repeating: "x", count: 1999) + "end"
    let cut = Self.members(#"{"a": "\#(prose)"}"#)
    #expect(cut.count == 2)
    #expect(cut.first?.hasSuffix(#"xend", the ends of 2002 characters"#) == true)
    #expect(cut.last == "    some content is hidden: --show-body prints every byte")
  }

  @Test func `combining marks count towards the length`() {
    let marks = String(repeating: #"\u0301"#, count: 1000)
    #expect(Self.members(#"{"a": "x\#(marks)"}"#).first?.hasSuffix("the ends of 1001 characters") == true)
  }

  @Test func `the facts are repeated after a long body`() {
    let long = Self.lines(#"{"a": \#(String(repeating: "9", count: 2000))}"#)
    #expect(long.suffix(6) == ["all of this is the body of:"] + Array(long[..<5]))
    #expect(!Self.lines(#"{"a": 9}"#).contains("all of this is the body of:"))
  }

  @Test func `omitted members are counted, with their size`() {
    let many = (0..<50).map { #""m\#($0)": 123"# }.joined(separator: ",")
    let members = Self.members("{\(many)}")
    #expect(members.count == 48)
    #expect(members[39] == "    m39  123")
    #expect(members[40] == "    and 10 more members (30 bytes)")
    #expect(!Self.lines("{\(many)}", showsBody: true).contains { $0.contains("is hidden") })
    #expect(Self.lines("{\(many)}", showsBody: true).contains("  | {\(many)}"))
  }

  @Test func `a body that is not JSON has a type, a length and a digest`() {
    #expect(
      Self.lines([0xff, 0x00], contentType: "image/png").suffix(2) == [
        "  body     2 bytes, not JSON, sent as image/png: --show-body prints them",
        "  sha-256  ea5dbf9596d187e9500f23e9a680109475341cf4e81f7e043f7d97152c10772f",
      ])
    #expect(Self.lines([0xff, 0x00], showsBody: true).suffix(2) == ["  every byte of the body:", "  | ff00"])
    let line = Self.lines(#"{"amount": 1, "amount": 1000}"#)[3]
    #expect(line == "  body     29 bytes, not JSON: --show-body prints them")
    #expect(Self.lines("a\n  b\u{1b}", showsBody: true).suffix(2) == ["  | a", #"  |   b\u{1b}"#])
  }

  @Test func `arrays and plain values are shown too`() {
    #expect(Self.members("[1, [2]]") == ["    [0]     1", "    [1][0]  2"])
    #expect(Self.members("7") == ["    7"])
    #expect(Self.members("{}") == ["    {}"])
  }
}
