// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeyProfiles
import PasskeyService
import PasskeySystem
import PasskeyTestSupport
import Testing

/// Sessions in a page: their end, their renewal, and other tabs.
@Suite(.tags(.browser)) struct SessionScriptTests {
  @Test func `the page learns that the session expires soon, and that it has expired`() async throws {
    try await TestSite.run({ $0.pages = ScriptedPage.files }) { (site, browser) in
      let (script, _) = try await ScriptedPage.open(in: browser)
      try await script.makeClockFast()
      _ = try await script.outcome("passkeys.signUp('ada@raxx.app')")
      let left = try await script.text("Math.round((passkeys.expiresAt - Date.now()) / 10000)")
      #expect(left == "90")
      try await script.page.run("passTime(12 * 60)")
      #expect(try await script.news() == "started")
      try await script.page.run("passTime(65)")
      #expect(try await script.news() == "started,expiring")
      site.clock.pass(seconds: 15 * 60 + 5)
      try await script.page.run("passTime(120)")
      try await script.page.wait(until: "news.length === 3")
      #expect(try await script.news() == "started,expiring,ended expired")
      #expect(try await script.text("passkeys.expiresAt") == "null")
      #expect(try await script.outcome("passkeys.session()") == "null")
    }
  }

  @Test func `a session that the server still accepts does not end, and the module asks three times at most`()
    async throws
  {
    try await TestSite.run({ $0.pages = ScriptedPage.files }) { (site, browser) in
      let (script, _) = try await ScriptedPage.open(in: browser)
      try await script.makeClockFast()
      _ = try await script.outcome("passkeys.signUp('ada@raxx.app')")
      // Answers without a time, from which the module cannot learn that its own clock is wrong.
      let body = try await script.text("await (await fetch('/api/auth/me')).text()")
      let asked = Locked(0)
      try await script.page.intercept("https://raxx.app/api/auth/me") { (_) in
        asked.withLock { $0 += 1 }
        return .answer(status: 200, headers: ["content-type": "application/json"], body: body)
      }
      try await script.page.run("passTime(86400)")
      while asked.withLock({ $0 }) < 3 { try await Task.sleep(for: .milliseconds(20)) }
      try await script.page.run("passTime(86400); document.dispatchEvent(new Event('visibilitychange'));")
      #expect(try await script.news() == "started")
      try await script.page.endInterceptions()
      // The session ends when the server refuses it.
      site.clock.pass(seconds: 901)
      #expect(try await script.outcome("passkeys.passkeys()") == "session.expired")
      #expect(try await script.news() == "started,ended expired")
      // Three of the module, and one of the test.
      #expect(script.page.records.exchanges.count { $0.path == "/api/auth/me" } == 4)
    }
  }

  @Test func `a session that the server ended is over at the next request`() async throws {
    try await TestSite.run({ $0.pages = ScriptedPage.files }) { (site, browser) in
      let (script, _) = try await ScriptedPage.open(in: browser)
      _ = try await script.outcome("passkeys.signUp('ada@raxx.app')")
      site.clock.pass(seconds: 901)
      #expect(try await script.text("(await passkeys.fetch('/api/auth/me')).status") == "401")
      #expect(try await script.news() == "started,ended expired")
      #expect(try await script.outcome("passkeys.passkeys()") == "session.expired")
      #expect(try await script.news() == "started,ended expired")
    }
  }

  @Test func `an unused session goes on after the user has been verified again`() async throws {
    try await TestSite.run({
      $0.pages = ScriptedPage.files
      $0.policy = { $0.sessions.verificationLimit = .seconds(300) }
    }) { (site, browser) in
      let (script, device) = try await ScriptedPage.open(in: browser)
      _ = try await script.outcome("passkeys.signUp('ada@raxx.app')")
      site.clock.pass(seconds: 301)
      #expect(try await script.outcome("passkeys.passkeys()") == "session.verification-required")
      // There is a session, even if it cannot be used now.
      #expect(try await script.outcome("passkeys.session()") == "session.verification-required")
      try await device?.setAcceptsUser(false)
      #expect(try await script.outcome("passkeys.reverify()") == "browser.cancelled")
      try await device?.setAcceptsUser(true)
      #expect(try await script.outcome("passkeys.reverify()") == "account,session")
      #expect(try await script.text("(await passkeys.passkeys()).length") == "1")
      #expect(try await script.news() == "started")
    }
  }

  @Test func `two tabs agree about the session`() async throws {
    try await TestSite.run({ $0.pages = ScriptedPage.files }) { (_, browser) in
      let (first, _) = try await ScriptedPage.open(in: browser)
      let (second, device) = try await ScriptedPage.open(in: browser)
      try await device?.setTouched(false)
      try await second.page.run("window.autofill = outcome(passkeys.signInWithAutofill())")
      // The answer has the cookie to which the ceremonies of both tabs are bound.
      try await second.page.wait(
        until: "performance.getEntriesByName('https://raxx.app/api/auth/login/options').length")
      try await first.page.bringToFront()
      let made = try await first.outcome("passkeys.signUp('ada@raxx.app')")
      #expect(made == "account,credential,extensions,session")
      try await second.page.wait(until: "news.length === 1")
      #expect(try await second.news() == "started")
      // The sign-in of the first tab ends the autofill of the second.
      #expect(try await second.text("await autofill") == "null")
      #expect(try await second.text("(await passkeys.session()).account.email") == "ada@raxx.app")
      #expect(try await second.outcome("passkeys.signOut()") == "")
      try await first.page.wait(until: "news.length === 2")
      #expect(try await first.news() == "started,ended signed-out")
      #expect(try await first.outcome("passkeys.session()") == "null")
      #expect(try await second.news() == "started,ended signed-out")
    }
  }

  @Test func `the ceremonies of two tabs do not disturb each other`() async throws {
    try await TestSite.run({ $0.pages = ScriptedPage.files }) { (_, browser) in
      let (first, _) = try await ScriptedPage.open(in: browser)
      _ = try await first.outcome("passkeys.signUp('ada@raxx.app').then(() => passkeys.signOut())")
      let (second, _) = try await ScriptedPage.open(in: browser)
      // The response of the first tab waits until the second has its session.
      try await first.page.intercept("https://raxx.app/api/auth/login/verify") { (_) in
        try await second.page.bringToFront()
        _ = try await second.outcome("passkeys.signUp('bob@raxx.app')")
        return .send()
      }
      try await first.page.bringToFront()
      #expect(try await first.outcome("passkeys.signIn('ada@raxx.app')") == "account,extensions,session")
      #expect(try await second.text("news[0]") == "started")
      // The cookie is now that of the later sign-in.
      #expect(try await second.text("(await passkeys.session()).account.email") == "ada@raxx.app")
    }
  }

  @Test func `the session survives a reload, and the back button shows no old one`() async throws {
    try await TestSite.run({
      $0.pages = ScriptedPage.files
      $0.pages["/other"] = .html("<title>Other</title>")
    }) { (_, browser) in
      let (script, _) = try await ScriptedPage.open(in: browser)
      _ = try await script.outcome("passkeys.signUp('ada@raxx.app')")
      try await script.page.reload()
      try await script.ready()
      #expect(try await script.text("(await passkeys.session()).account.email") == "ada@raxx.app")
      #expect(try await script.text("passkeys.expiresAt > Date.now()") == "true")
      #expect(try await script.outcome("passkeys.signOut()") == "")
      try await script.page.open("https://raxx.app/other")
      try await script.page.goBack()
      try await script.ready()
      #expect(try await script.outcome("passkeys.session()") == "null")
    }
  }

  @Test func `a token stays in the module, and a reload loses it`() async throws {
    try await TestSite.run({ $0.pages = ScriptedPage.files }) { (_, browser) in
      let (script, _) = try await ScriptedPage.open(in: browser)
      try await script.page.run("connect({tokens: 'bearer'})")
      let result = try await script.text("JSON.stringify(await passkeys.signUp('ada@raxx.app'))")
      #expect(!result.contains("oken"))
      #expect(try await script.page.cookies()["__Host-raxx.session"] == nil)
      #expect(try await script.outcome("passkeys.session()") == "account,session")
      let stored = try await script.text("localStorage.length + sessionStorage.length")
      #expect(stored == "0")
      #expect(try await script.outcome("passkeys.signOut()") == "")
      #expect(try await script.outcome("passkeys.session()") == "null")
    }
  }

  @Test func `a service with refresh tokens renews the session before its end`() async throws {
    try await TestSite.run({
      $0.pages = ScriptedPage.files
      $0.profile = .aiday
      $0.policy = { $0.signUp = .open }
    }) { (site, browser) in
      let (script, _) = try await ScriptedPage.open(in: browser)
      try await script.makeClockFast()
      _ = try await script.outcome("passkeys.signUp({username: 'ada', email: 'ada@raxx.app'})")
      #expect(try await script.news() == "started")
      site.clock.pass(seconds: 9 * 60)
      try await script.page.run("passTime(9 * 60)")
      try await script.page.wait(until: "news.length === 2")
      #expect(try await script.news() == "started,renewed")
      site.clock.pass(seconds: 9 * 60)
      #expect(try await script.outcome("passkeys.session()").contains("account"))
    }
  }

  @Test func `a session whose service does not answer at its end goes on with the next answer`() async throws {
    try await TestSite.run({
      $0.pages = ScriptedPage.files
      $0.policy = { $0.sessions.renewal = .init() }
    }) { (site, browser) in
      let (script, _) = try await ScriptedPage.open(in: browser)
      try await script.makeClockFast()
      _ = try await script.outcome("passkeys.signUp('ada@raxx.app')")
      try await script.page.intercept("https://raxx.app/api/auth/*") { (request) in
        request.url.hasSuffix("/me") ? .answer(status: 502) : .fail
      }
      site.clock.pass(seconds: 16 * 60)
      try await script.page.run("passTime(16 * 60)")
      try await script.page.wait(until: "waits.some(({body}) => body)")
      try await script.page.endInterceptions()
      #expect(try await script.news() == "started")
      try await script.page.run("passTime(6)")
      try await script.page.wait(until: "news.length === 2")
      #expect(try await script.news() == "started,renewed")
    }
  }

  @Test func `a session that cannot be renewed any more lasts until its end`() async throws {
    try await TestSite.run({
      $0.pages = ScriptedPage.files
      $0.policy = {
        $0.sessions.renewal = .init()
        $0.sessions.renewal?.sessionLifetime = .seconds(20 * 60)
      }
    }) { (site, browser) in
      let (script, _) = try await ScriptedPage.open(in: browser)
      try await script.makeClockFast()
      _ = try await script.outcome("passkeys.signUp('ada@raxx.app')")
      for (count, minutes) in [(2, 14), (3, 14), (4, 2)] {
        site.clock.pass(seconds: minutes * 60)
        try await script.page.run("passTime(\(minutes) * 60)")
        try await script.page.wait(until: "news.length === \(count)")
      }
      #expect(try await script.news() == "started,renewed,expiring,ended expired")
    }
  }

  @Test func `a hidden page renews nothing, and renews the session when it is shown, also after its end`() async throws
  {
    try await TestSite.run({
      $0.pages = ScriptedPage.files
      $0.policy = { $0.sessions.renewal = .init() }
    }) { (site, browser) in
      let (script, _) = try await ScriptedPage.open(in: browser)
      try await script.makeClockFast()
      _ = try await script.outcome("passkeys.signUp('ada@raxx.app')")
      for (count, minutes) in [(2, 14), (3, 16)] {
        try await script.page.run(
          "Object.defineProperty(document, 'visibilityState', {value: 'hidden', configurable: true})")
        site.clock.pass(seconds: minutes * 60)
        try await script.page.run("passTime(\(minutes) * 60)")
        #expect(try await script.text("news.length") == "\(count - 1)")
        try await script.page.run(
          "delete document.visibilityState; document.dispatchEvent(new Event('visibilitychange'))")
        try await script.page.wait(until: "news.length === \(count)")
      }
      #expect(try await script.news() == "started,renewed,renewed")
      #expect(try await script.outcome("passkeys.session()").contains("account"))
    }
  }
}
