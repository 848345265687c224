// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyHTTP
import PasskeyProfiles
import PasskeyService
import PasskeyTestSupport
import Testing
import WebAuthnTypes

/// The way from another program of the site to the sign-in and back.
@Suite(.tags(.browser)) struct ReturnPageTests {
  private static let garden = SitePage.html("<!doctype html><title>members</title><p id=menu>members</p>")

  /// Runs a site with an application below `/members`, which accepts every visitor.
  private static func run(
    _ change: (inout TestSite.Settings) -> Void = { _ in }, _ body: (TestSite, Browser) async throws -> Void
  ) async throws {
    let target = try SiteAccess.ReturnTarget(WebOrigin("https://raxx.app"), path: "/members/")
    try await TestSite.run(
      {
        $0.servePages()
        $0.pages = ["/members/list": garden, "/membersonly": garden]
        $0.returnTargets = [target]
        change(&$0)
      }, body)
  }

  private static func query(_ next: String, _ more: String = "") -> String {
    let encoded = next.utf8.map { (byte) in
      let digits = String(byte, radix: 16)
      return "%" + (digits.utf8.count == 1 ? "0" : "") + digits
    }
    return "/?next=\(encoded.joined())\(more)"
  }

  @Test func `a sign-in leads back to an allowed page, with its query`() async throws {
    try await Self.run { (_, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await ada.press("Sign out")
      try await ada.see("sign-in")
      try await ada.disableAutofill()
      try await ada.open(Self.query("https://raxx.app/members/list?page=2"))
      try await ada.press("Sign in with a passkey")
      try await ada.wait("the application") { "document.title === 'members'" }
      #expect(try await ada.path() == "/members/list?page=2")
      // With a session there is nothing to ask.
      try await ada.open(Self.query("/members/list"))
      try await ada.wait("the application") { "document.title === 'members'" }
    }
  }

  @Test(arguments: [
    "https://stranger.example/members/", "//stranger.example/members/", "/membersonly", "/members/../membersonly",
    "/members/%2e%2e/membersonly", #"/\stranger.example/members/"#, "javascript:alert(1)//members/",
    "https://raxx.app@stranger.example/members/", "https://raxx.app.stranger.example/members/",
    "http://raxx.app/members/", "https://raxx.app:8443/members/", "data:text/html,members", "",
    "\thttps://stranger.example",
  ])
  func `every other next leads to the account`(next: String) async throws {
    try await Self.run { (_, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await ada.open(Self.query(next))
      try await ada.arrive(at: "/account")
      ada.expectOrder()
    }
  }

  @Test func `a page that sends a signed-in visitor back again ends the circle`() async throws {
    try await Self.run { (_, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await ada.open(Self.query("/members/list"))
      try await ada.wait("the application") { "document.title === 'members'" }
      try await ada.page.open("https://raxx.app\(Self.query("/members/list"))")
      #expect(try await ada.problem().hasPrefix("You are signed in, but the page you want to open"))
      try await ada.press("Try again")
      try await ada.wait("the application") { "document.title === 'members'" }
    }
  }

  @Test func `a page that asks for a recent confirmation gets it, in the same session`() async throws {
    try await Self.run { (site, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      site.clock.pass(seconds: 60)
      try await ada.open(Self.query("/members/list", "&again=verify"))
      let words = try await ada.answer("Confirm that it is you")
      #expect(words.contains("The page you want to open asks for it."))
      try await ada.wait("the application") { "document.title === 'members'" }
      let verified = site.answeredRequests.filter { $0.path == "/api/auth/reverify/verify" }
      #expect(verified.map(\.status) == [200])
    }
  }

  @Test func `a page that asks for another passkey gets a new sign-in`() async throws {
    try await Self.run { (_, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await ada.disableAutofill()
      try await ada.open(Self.query("/members/list", "&again=sign-in"))
      try await ada.hear("The page you want to open asks for a new sign-in")
      try await ada.press("Sign in with a passkey")
      try await ada.wait("the application") { "document.title === 'members'" }
    }
  }

  @Test func `a session that has expired is renewed on the way back, without a question`() async throws {
    try await Self.run({
      $0.profile = .site
      $0.policy = { $0.signUp = .open }
    }) { (site, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await ada.open("/members/")
      site.clock.pass(seconds: 3 * 3_600)
      try await ada.page.open("https://raxx.app\(Self.query("/members/list"))")
      try await ada.wait("the application") { "document.title === 'members'" }
      #expect(site.answeredRequests.contains { $0.path == "/api/auth/refresh" && $0.status == 200 })
      #expect(!site.answeredRequests.contains { $0.path == "/api/auth/login/verify" })
      // After the last refresh token there is a sign-in.
      site.clock.pass(seconds: 15 * 86_400)
      try await ada.page.open("https://raxx.app\(Self.query("/members/list"))")
      try await ada.see("sign-in")
    }
  }

  @Test func `a page of the service renews a session that ended while the device slept`() async throws {
    try await Self.run({
      $0.profile = .site
      $0.policy = { $0.signUp = .open }
    }) { (site, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await ada.page.runInNewDocuments(ScriptedPage.fastClock)
      try await ada.page.reload()
      try await ada.arrive(at: "/account")
      let navigations = ada.page.records.navigationCount
      site.clock.pass(seconds: 3 * 3_600)
      try await ada.page.run("passTime(3 * 3600)", isUserAction: false)
      _ = try await ada.page.wait(for: "the renewed session") {
        $0.exchanges.contains { $0.path == "/api/auth/refresh" && $0.status == 200 } ? true : nil
      }
      try await ada.arrive(at: "/account")
      #expect(ada.page.records.navigationCount == navigations)
    }
  }
}
