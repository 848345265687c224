// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

/// Pages of the site in frames of another site.
@Suite(.tags(.browser)) struct EmbeddingTests {
  /// The page of `https://stranger.example` with the frame, and the page of `https://raxx.app` in the frame.
  private static func pages(allowing permissions: String) -> [String: SitePage] {
    [
      "/outer": .html(
        """
        <!doctype html><html lang="en"><title>Outer</title><script src="/outer.js"></script>
        <iframe id="inner" title="Inner" src="https://raxx.app/inner" \(permissions)></iframe>
        """, policy: "default-src 'none'; script-src 'self'; frame-src https://raxx.app"),
      "/outer.js": .script(
        """
        window.answers = [];
        addEventListener('message', ({data, origin}) => { if (origin === 'https://raxx.app') answers.push(data); });
        window.ask = (...call) => document.querySelector('iframe').contentWindow.postMessage(call, 'https://raxx.app');
        """),
      "/inner": .html(
        "<!doctype html><html lang=\"en\"><title>Inner</title><script type=\"module\" src=\"/inner.js\"></script>",
        policy: "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors https://stranger.example"),
      "/inner.js": .script(
        """
        import {Passkeys} from '/passkey.js';
        const passkeys = new Passkeys({tokens: 'bearer'});
        const answer = (text) => parent.postMessage(text, 'https://stranger.example');
        const call = ([method, ...all]) => passkeys[method](...all).then(
          (result) => answer(Object.keys(result ?? {}).sort().join()), (error) => answer(error.code));
        let waiting;
        addEventListener('message', ({data}) => data[0] === 'on click' ? (waiting = data.slice(1), answer('waits')) : call(data));
        addEventListener('click', () => call(waiting));
        answer('ready');
        """),
    ].merging(ScriptedPage.files) { (first, _) in first }
  }

  private static let allowed =
    #"allow="publickey-credentials-get https://raxx.app; publickey-credentials-create https://raxx.app""#

  /// Opens the outer page, whose device has the passkey of `ada@raxx.app`.
  private func run(
    _ permissions: String = allowed, embedding: CeremonyPolicy.Embedding = .refused,
    _ body: (Page, VirtualAuthenticator) async throws -> Void
  ) async throws {
    try await TestSite.run({
      $0.pages = Self.pages(allowing: permissions)
      $0.ceremonies = { $0.embedding = embedding }
    }) { (_, browser) in
      let (script, own) = try await ScriptedPage.open(in: browser)
      #expect(try await script.outcome("passkeys.signUp('ada@raxx.app')").hasPrefix("account"))
      let page = try await browser.newPage()
      try await page.bringToFront()
      let device = try await page.addAuthenticator()
      try await own?.copyPasskeys(to: device)
      try await page.open("https://stranger.example/outer")
      try await page.wait(until: "answers[0] === 'ready'")
      try await body(page, device)
    }
  }

  private func answer(_ page: Page, _ number: Int) async throws -> String {
    try await page.wait(until: "answers.length > \(number)")
    return try await page.text("return answers[\(number)]")
  }

  @Test func `a service that allows the embedding site signs in and registers in a frame`() async throws {
    let allowed = CeremonyPolicy.Embedding.allowed(topOrigins: [try WebOrigin("https://stranger.example")])
    try await run(embedding: allowed) { (page, device) in
      try await page.run("ask('signIn')")
      #expect(try await answer(page, 1) == "account,extensions,session")
      // Browsers require a click in the frame before a registration.
      try await page.run("ask('signUp', 'bob@raxx.app')")
      #expect(try await answer(page, 2) == "browser.cancelled")
      try await page.run("ask('on click', 'signUp', 'bob@raxx.app')")
      #expect(try await answer(page, 3) == "waits")
      try await page.click("#inner")
      #expect(try await answer(page, 4) == "account,credential,extensions,session")
      #expect(try await device.passkeys().count == 2)
    }
  }

  @Test func `a service that allows no embedding refuses the response of a frame`() async throws {
    try await run { (page, device) in
      try await page.run("ask('signIn')")
      #expect(try await answer(page, 1) == "sign-in.refused")
      // The browser has used the passkey; the service refuses because of the embedding alone.
      #expect(page.records.usedCredentials.count == 1)
      #expect(try await device.passkeys().count == 1)
    }
  }

  @Test func `a service that allows another site refuses the response of a frame`() async throws {
    let other = CeremonyPolicy.Embedding.allowed(topOrigins: [try WebOrigin("https://raxx.example")])
    try await run(embedding: other) { (page, _) in
      try await page.run("ask('signIn')")
      #expect(try await answer(page, 1) == "sign-in.refused")
    }
  }

  @Test func `a frame without the permission of its page cannot ask for a passkey`() async throws {
    try await run("") { (page, _) in
      try await page.run("ask('signIn')")
      #expect(try await answer(page, 1) == "browser.wrong-origin")
      #expect(page.records.usedCredentials.isEmpty)
    }
  }

  @Test func `a page that forbids frames is not shown in one`() async throws {
    let outer = SitePage.html(
      """
      <!doctype html><html lang="en"><title>Outer</title>
      <iframe title="Inner" src="https://raxx.app/"></iframe><iframe title="Reply" src="https://raxx.app/healthz"></iframe>
      """, policy: "default-src 'none'; frame-src https://raxx.app")
    try await TestSite.run({
      $0.pages = ScriptedPage.files.merging(["/outer": outer]) { (first, _) in first }
    }) { (_, browser) in
      let page = try await browser.newPage("https://stranger.example/outer")
      let lines = try await page.wait(for: "two refusals") { (records) -> [String]? in
        let lines = records.console.filter { $0.contains("frame-ancestors") }
        return lines.count >= 2 ? lines : nil
      }
      #expect(lines.allSatisfy { $0.hasPrefix("error: ") && $0.contains("https://raxx.app/") })
    }
  }
}
