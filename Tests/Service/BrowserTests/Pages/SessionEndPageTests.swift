// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeySystem
import PasskeyTestSupport
import Testing

/// The end of a session, with a right and a wrong clock in the browser: the page leaves once, and says why.
@Suite(.tags(.browser)) struct SessionEndPageTests {
  /// A day, five minutes and two seconds off, in both directions.
  private static let shifts = [-86_400, -300, -2, 0, 2, 300, 86_400]

  /// The account page of a session of 15 minutes in a browser whose clock is wrong by some seconds, and moves with `passTime`.
  private func openAccount(_ browser: Browser, shift: Int) async throws -> Visitor {
    let ada = try await Visitor.signedUp(in: browser)
    try await ada.disableAutofill()
    try await ada.page.runInNewDocuments(
      "{ const now = Date.now.bind(Date); Date.now = () => now() + \(shift * 1000); }" + ScriptedPage.fastClock)
    try await ada.page.reload()
    try await ada.arrive(at: "/account")
    return ada
  }

  /// Waits until the service has answered so many questions about the session, and the page has acted on the last answer.
  private func asked(_ visitor: Visitor, _ count: Int) async throws {
    _ = try await visitor.page.wait(for: "an answer") {
      $0.exchanges.count { $0.path == "/api/auth/me" && $0.status != nil } >= count ? true : nil
    }
    try await visitor.page.run("await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
  }

  private func questions(_ visitor: Visitor) -> Int {
    visitor.page.records.exchanges.count { $0.path == "/api/auth/me" }
  }

  /// Expects the sign-in page after exactly one navigation, with the reason.
  private func expectEnd(_ visitor: Visitor, after navigations: Int) async throws {
    try await visitor.see("sign-in")
    try await visitor.hear("Your session has expired. Sign in again.")
    #expect(try await visitor.page.run("return document.getElementById('status').matches('.warn')").bool)
    #expect(try await visitor.path() == "/?next=%2Faccount")
    #expect(visitor.page.records.navigationCount == navigations + 1)
    try await visitor.press("Sign in with a passkey")
    try await visitor.arrive(at: "/account")
    #expect(visitor.page.records.navigationCount == navigations + 2)
    visitor.expectOrder()
  }

  @Test(arguments: Self.shifts) func `a page asks once, leaves once, and says that the session has expired`(
    shift: Int
  ) async throws {
    try await TestSite.run({ $0.servePages() }) { (site, browser) in
      let ada = try await openAccount(browser, shift: shift)
      let (navigations, count) = (ada.page.records.navigationCount, questions(ada))
      site.clock.pass(seconds: 904)
      try await ada.page.run("passTime(904)", isUserAction: false)
      try await ada.see("sign-in")
      // One question of the page that left, and one of the page that follows.
      try await asked(ada, count + 2)
      #expect(questions(ada) == count + 2)
      try await expectEnd(ada, after: navigations)
    }
  }

  @Test(arguments: Self.shifts) func `a page whose session the service still accepts stays`(shift: Int) async throws {
    try await TestSite.run({ $0.servePages() }) { (site, browser) in
      let ada = try await openAccount(browser, shift: shift)
      let (navigations, count) = (ada.page.records.navigationCount, questions(ada))
      // The clock of the browser alone jumps over the end.
      try await ada.page.run("passTime(1200)", isUserAction: false)
      try await asked(ada, count + 1)
      #expect(try await ada.path() == "/account" && ada.page.records.navigationCount == navigations)
      // Then both reach it.
      site.clock.pass(seconds: 904)
      try await ada.page.run("passTime(904)", isUserAction: false)
      try await expectEnd(ada, after: navigations)
    }
  }

  @Test func `a page that is a second early asks again, and leaves once`() async throws {
    try await TestSite.run({ $0.servePages() }) { (site, browser) in
      let ada = try await openAccount(browser, shift: 0)
      let navigations = ada.page.records.navigationCount
      let body = try await ada.page.text("return (await fetch('/api/auth/me')).text()")
      let isFirst = Locked(true)
      // The first answer comes before the last second of the session has passed, the next one after it.
      try await ada.page.intercept("https://raxx.app/api/auth/me") { (_) in
        let answersEarly = isFirst.withLock { (isFirst) in
          defer { isFirst = false }
          return isFirst
        }
        guard answersEarly else { return .send() }
        site.clock.pass(seconds: 904)
        return .answer(status: 200, headers: ["content-type": "application/json"], body: body)
      }
      try await ada.page.run("passTime(904)", isUserAction: false)
      try await ada.see("sign-in")
      try await ada.page.endInterceptions()
      try await expectEnd(ada, after: navigations)
    }
  }

  @Test func `the sign-in page does not send people back to a page that called the session expired`() async throws {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await ada.disableAutofill()
      try await ada.page.run("sessionStorage.setItem('news', 'expired')")
      try await ada.open("/?next=%2Faccount")
      try await ada.hear("Your session has expired. Sign in again.")
      try await asked(ada, questions(ada))
      #expect(try await ada.path() == "/?next=%2Faccount")
      // Without the news the same address leads on.
      try await ada.open("/?next=%2Faccount")
      try await ada.arrive(at: "/account")
      ada.expectOrder()
    }
  }
}
