// SPDX-License-Identifier: Apache-2.0

import PasskeyHTTP
import Testing

struct RequestTargetTests {
  @Test(arguments: [
    ("/", [] as [String]), ("/a/b", ["a", "b"]), ("/a/", ["a", ""]), ("/%61%2Fb", ["a/b"]), ("/a%2fb/c", ["a/b", "c"]),
    ("/%C3%A4", ["ä"]), ("/a+b", ["a+b"]), ("/a%20b", ["a b"]), ("/%25%34%31", ["%41"]), ("/a?b/c", ["a"]),
    ("*", ["*"]),
    ("http://h/a", ["a"]), ("HTTPS://h:1/a?b", ["a"]), ("/...", ["..."]),
  ])
  func `a path is split and decoded once`(text: String, segments: [String]) throws {
    #expect(try RequestTarget(text.utf8).segments == segments)
  }

  @Test(arguments: [
    "", "a", "//", "/a//b", "/.", "/..", "/a/../b", "/%2e%2e/a", "/%2E", "/%", "/%4", "/%zz", "/%C3", "/%C3%28", "/%00",
    "/%0d%0a", "/%7f", "/ä", "/a b", "/a#b", "http://h", "ftp://h/a", "//h/a", "http:/a", "/\u{1}", "**",
  ])
  func `an ambiguous path is refused`(text: String) {
    #expect(throws: EndpointError(.targetMalformed)) { try RequestTarget(text.utf8) }
  }

  @Test func `A query has values by name`() throws {
    let target = try RequestTarget("/a?x=1&y=a%20b+c&x=2&=n&z&bad=%zz".utf8)
    #expect(target.query == "x=1&y=a%20b+c&x=2&=n&z&bad=%zz")
    #expect(target.queryValue("x") == "1")
    #expect(target.queryValue("y") == "a b c")
    #expect(target.queryValue("z") == "")
    #expect(target.queryValue("bad") == "")
    #expect(target.queryValue("w") == nil)
    #expect(try RequestTarget("/a".utf8).query == nil)
    #expect(try RequestTarget("/a?".utf8).query == "")
  }
}
