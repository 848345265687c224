// SPDX-License-Identifier: Apache-2.0

import PasskeyHTTP
import Testing
import WebAuthnTypes

@testable import PasskeyHTTP

/// The places to which a sign-in leads back.
struct ReturnTargetTests {
  private static func page(_ scheme: String, _ host: String, _ uri: String) -> EndpointHeaders {
    var headers = EndpointHeaders()
    headers.add("X-Forwarded-Proto", scheme)
    headers.add("X-Forwarded-Host", host)
    headers.add("X-Forwarded-Uri", uri)
    return headers
  }

  private static func accepts(_ target: SiteAccess.ReturnTarget, _ headers: EndpointHeaders) -> Bool {
    headers.forwardedPage.map { target.contains($0.target, of: $0.origin) } ?? false
  }

  @Test(arguments: ["/members", "/members/", "/members?a=1", "/members/list?next=//evil.example", "/members/a%20b"])
  func `a target has its path and the paths below it`(uri: String) throws {
    let target = try SiteAccess.ReturnTarget(WebOrigin("https://garden.example"), path: "/members/")
    #expect(Self.accepts(target, Self.page("https", "garden.example", uri)))
    #expect(Self.accepts(target, Self.page("HTTPS", "Garden.Example:443", uri)))
  }

  @Test(arguments: [
    ("https", "garden.example", "/"), ("https", "garden.example", "/membersonly"),
    ("https", "garden.example", "/members/../admin"), ("https", "garden.example", "/members/%2e%2e/admin"),
    ("https", "garden.example", "/members/a%00"), ("https", "garden.example", "//evil.example/members/"),
    ("https", "garden.example", "https://evil.example/members/"), ("http", "garden.example", "/members/"),
    ("https", "evil.example", "/members/"), ("https", "garden.example.evil.example", "/members/"),
    ("https", "garden.example@evil.example", "/members/"), ("https", "garden.example:8443", "/members/"),
    ("https", "garden.example/members", "/members/"), ("https", "garden.example, evil.example", "/members/"),
    ("javascript", "garden.example", "/members/"), ("https", "", "/members/"),
  ])
  func `a target has no other page`(scheme: String, host: String, uri: String) throws {
    let target = try SiteAccess.ReturnTarget(WebOrigin("https://garden.example"), path: "/members")
    #expect(!Self.accepts(target, Self.page(scheme, host, uri)))
  }

  @Test func `a repeated or missing field names no page`() throws {
    var headers = Self.page("https", "garden.example", "/members/")
    #expect(headers.forwardedPage != nil)
    headers.add("X-Forwarded-Host", "garden.example")
    #expect(headers.forwardedPage == nil)
    headers.remove("X-Forwarded-Host")
    #expect(headers.forwardedPage == nil)
  }

  @Test(arguments: ["members", "", "/a?b", "/a/../b", "/a//b"])
  func `a malformed path is refused`(path: String) {
    #expect(throws: EndpointError.self) { try SiteAccess.ReturnTarget(WebOrigin("https://garden.example"), path: path) }
  }
}
