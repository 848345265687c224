// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyHTTP
import Testing

struct HTTPHeadersTests {
  @Test func `header names are case-insensitive, and values are unchanged`() {
    var headers = EndpointHeaders()
    headers.add("Accept", " a ")
    headers.add("ACCEPT", "B")
    #expect(headers.values("accept") == ["a", "B"])
    #expect(headers["accept"] == "a, B")
    #expect(headers.has("aCCept") && !headers.has("accept-language") && headers["accept-language"] == nil)
    headers.set("accept", "c")
    #expect(headers["Accept"] == "c")
    headers.remove("aCCept")
    #expect(headers.fields.isEmpty)
  }

  @Test(arguments: [
    ("a b", "c"), ("", "c"), ("a:", "c"), ("a", "b\r\nc"), ("a", "b\nc"), ("a", "b\0"), ("ä", "c"), ("a", "\u{7f}"),
  ])
  func `a field with a line break is omitted`(name: String, value: String) {
    var headers = EndpointHeaders()
    headers.add(name, value)
    #expect(headers.fields.isEmpty)
  }

  @Test(
    arguments: [
      (["Bearer abc"], "abc"), (["bearer  a-._~+/Z=="], "a-._~+/Z=="), (["BEARER abc "], "abc"), (["Basic abc"], nil),
      (["Bearer"], nil), (["Bearer "], nil), (["Bearer a b"], nil), (["Bearer ="], nil), (["Bearer a=b"], nil),
      (["Bearer abc", "Bearer abc"], nil), ([], nil), (["Bearer \u{e4}"], nil),
    ] as [([String], String?)])
  func `A bearer token is one token`(values: [String], token: String?) {
    var headers = EndpointHeaders()
    for value in values { headers.add("Authorization", value) }
    #expect(headers.bearerToken == token)
  }

  @Test func `bearer tokens have a maximum length`() {
    for (length, isRead) in [(4_096, true), (4_097, false)] {
      var headers = EndpointHeaders()
      headers.add("Authorization", "Bearer " + String(repeating: "a", count: length))
      #expect((headers.bearerToken != nil) == isRead)
    }
  }

  @Test(
    arguments: [(1_000, nil), (1_119, nil), (1_120, "180"), (1_299, "1"), (1_300, "0"), (1_400, "0")]
      as [(Int64, String?)])
  func `a session's remaining time is sent in its last minutes`(now: Int64, header: String?) {
    var response = EndpointResponse(.ok)
    response.warn(
      ofSessionEnding: UnixTime(secondsSince1970: 1_300), now: UnixTime(secondsSince1970: now), within: .seconds(180))
    #expect(response.headers["Session-Expires-In"] == header)
  }

  @Test(arguments: [
    ("abc-DEF_1.2", true), (String(repeating: "a", count: 64), true), (String(repeating: "a", count: 65), false),
    ("", false), ("a b", false), ("a\"b", false), ("ä", false), ("a\n", false),
  ])
  func `an invalid request id is replaced`(text: String, isOne: Bool) {
    #expect((EndpointRequestID(text)?.description == text) == isOne)
  }

  @Test func `generated request ids differ`() {
    let names = Set((0..<1_000).map { _ in EndpointRequestID.random() })
    #expect(names.count == 1_000)
    #expect(names.allSatisfy { EndpointRequestID($0.description) == $0 && $0.description.count == 32 })
  }
}
