// SPDX-License-Identifier: Apache-2.0

import PasskeyHTTP
import Testing

struct CookieTests {
  @Test func `Under TLS a cookie is bound to its host`() throws {
    let cookie = try #require(EndpointCookie("session", "abc", isSecure: true, maximumAge: .seconds(900)))
    #expect(cookie.field == "__Host-session=abc; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=900")
  }

  @Test func `without TLS a cookie has its plain name`() throws {
    let cookie = try #require(EndpointCookie("session", "abc", isSecure: false, sameSite: .strict))
    #expect(cookie.field == "session=abc; Path=/; HttpOnly; SameSite=Strict")
    var shared = cookie
    (shared.domain, shared.path) = ("shop.example", "/api")
    #expect(shared.field == "session=abc; Path=/api; HttpOnly; SameSite=Strict; Domain=shop.example")
    let named = try #require(EndpointCookie("yapt.sid", "abc", isSecure: true, keepsPlainName: true))
    #expect(named.field == "yapt.sid=abc; Path=/; HttpOnly; SameSite=Lax; Secure")
  }

  @Test func `a deleted cookie has no lifetime left`() {
    #expect(
      EndpointCookie.expired("session", isSecure: true)?.field
        == "__Host-session=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0")
  }

  @Test(arguments: [
    ("a b", "c"), ("", "c"), ("a", "b c"), ("a", "b;c"), ("a", "b\r\nSet-Cookie: x"), ("a=b", "c"), ("a", "\""),
  ])
  func `invalid cookie characters are refused`(name: String, value: String) {
    #expect(EndpointCookie(name, value, isSecure: true) == nil)
  }

  @Test(
    arguments: [
      ("session=abc", false, "abc"), ("a=b; session=abc;c=d", false, "abc"), ("session=\"abc\"", false, "abc"),
      ("__Host-session=abc; session=evil", true, "abc"), ("session=evil", true, nil),
      ("__Host-session=abc", false, nil),
      ("session=abc; session=abd", false, nil), ("xsession=abc", false, nil), ("session", false, nil), ("", false, nil),
      ("session=a,b", false, nil), ("session=a=b", false, "a=b"),
    ] as [(String, Bool, String?)])
  func `a cookie name matches only once`(field: String, isSecure: Bool, value: String?) {
    var headers = EndpointHeaders()
    headers.add("Cookie", field)
    #expect(headers.cookie("session", isSecure: isSecure) == value)
  }
}
