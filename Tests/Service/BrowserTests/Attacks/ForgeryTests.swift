// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeyTestSupport
import Testing

/// Requests that pages of other origins send with the cookie of a signed-in user (cross-site request forgery), and texts of
/// users that a browser shows.
@Suite(.tags(.browser)) struct ForgeryTests {
  /// A page without a policy of its own, as an attacker has it.
  private static let attack = SitePage.html(
    "<!doctype html><title>Attack</title><body>", policy: "default-src * 'unsafe-inline'")

  /// Requests that need no permission of the service, each as an expression that ends when it has been answered.
  private static let requests = [
    "fetch(`${service}/api/auth/logout`, {method: 'POST', mode: 'no-cors', credentials: 'include'})",
    "fetch(`${service}/api/auth/logout`, {method: 'POST', mode: 'no-cors', credentials: 'include', body: '{}'})",
    "fetch(`${service}/api/auth/email/verification`, {method: 'POST', mode: 'no-cors', credentials: 'include'})",
    "fetch(`${service}/api/auth/step-up/options`, {method: 'POST', mode: 'no-cors', credentials: 'include', body: '{\"method\":\"DELETE\",\"path\":\"/api/account\"}'})",
  ]

  private let paths = [
    "/api/auth/email/verification", "/api/auth/logout", "/api/auth/logout", "/api/auth/logout",
    "/api/auth/step-up/options",
  ]

  /// Runs the requests on a page of `host`; returns those that reached the service, in their order.
  private func attack(_ site: TestSite, _ page: Page, _ host: String) async throws -> [TestSite.AnsweredRequest] {
    try await page.open("https://\(host)/attack")
    let before = site.answeredRequests.count
    for request in Self.requests {
      // The browser hides the reply from the page, or refuses to load it.
      try await page.run("const service = 'https://raxx.app'; await \(request).catch(() => {})")
    }
    // A form, whose reply replaces the page.
    try await page.run(
      """
      const form = document.createElement('form');
      Object.assign(form, {method: 'post', action: 'https://raxx.app/api/auth/logout', enctype: 'text/plain'});
      document.body.append(form);
      form.submit();
      """)
    func attacks() -> [TestSite.AnsweredRequest] {
      site.answeredRequests.dropFirst(before).filter { $0.path.hasPrefix("/api/") }
    }
    let hasAll = await HangGuard.waits { () async -> Bool in attacks().count > Self.requests.count }
    #expect(hasAll)
    return attacks()
  }

  @Test func `requests of other sites carry no session, and those of the same site are refused`() async throws {
    try await TestSite.run({
      $0.pages = ScriptedPage.files.merging(["/attack": Self.attack]) { (first, _) in first }
    }) { (site, browser) in
      let (script, _) = try await ScriptedPage.open(in: browser)
      _ = try await script.outcome("passkeys.signUp('ada@raxx.app')")
      let page = try await browser.newPage()
      // SameSite keeps the cookie from the browser's request, which is anonymous then.
      let foreign = try await attack(site, page, "stranger.example")
      #expect(foreign.map(\.path).sorted() == paths)
      #expect(foreign.allSatisfy { !$0.hasSession && [401, 403, 415].contains($0.status) })
      // A neighbor's requests have the cookie; their origin is refused.
      let neighboring = try await attack(site, page, "blog.raxx.app")
      #expect(neighboring.map(\.path).sorted() == paths)
      #expect(neighboring.allSatisfy { $0.hasSession && $0.status == 403 })
      #expect(try await script.outcome("passkeys.session()") == "account,session")
      #expect(try await script.news() == "started")
    }
  }

  @Test func `a page of another origin cannot read replies, nor send JSON`() async throws {
    try await TestSite.run({
      $0.pages = ScriptedPage.files.merging(["/attack": Self.attack]) { (first, _) in first }
    }) { (_, browser) in
      let (script, _) = try await ScriptedPage.open(in: browser)
      _ = try await script.outcome("passkeys.signUp('ada@raxx.app')")
      let page = try await browser.newPage("https://blog.raxx.app/attack")
      let found = try await page.text(
        """
        const attempt = (init) => fetch('https://raxx.app/api/auth/me', {credentials: 'include', ...init}).then(
          (reply) => reply.text().then((text) => `${reply.type} ${text.length}`), (error) => error.name);
        return [await attempt({}), await attempt({mode: 'no-cors'}),
          await attempt({headers: {'content-type': 'application/json'}})].join();
        """)
      #expect(found == "TypeError,opaque 0,TypeError")
    }
  }

  @Test func `a reply that a user opens as a page runs no script from it`() async throws {
    let text = "<img src=x onerror=\"window.ran=1\"><script>window.ran=1</script>"
    try await TestSite.run({ $0.pages = ScriptedPage.files }) { (_, browser) in
      let (script, _) = try await ScriptedPage.open(in: browser)
      _ = try await script.outcome("passkeys.signUp('ada@raxx.app', {name: \(quoted(text))})")
      #expect(try await script.text("(await passkeys.passkeys())[0].name") == text)
      for path in ["/api/auth/credentials", "/api/auth/%3Cscript%3Ewindow.ran=1%3C/script%3E"] {
        try await script.page.open("https://raxx.app\(path)")
        let found = try await script.text(
          "[document.querySelector('img, body script'), window.ran, document.contentType.replace('problem+', '')]")
        #expect(found == ",,application/json", "\(path)")
      }
      #expect(script.page.records.violations == [])
    }
  }
}
