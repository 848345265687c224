// SPDX-License-Identifier: Apache-2.0

import BrowserTestSupport
import TestSupport
import Testing
import WireFormats

/// `passkey.js` as the built `passkey-server` serves it, and the page of the documentation.
struct ServedScriptTests {
  /// Runs `passkey-server` for `https://raxx.app`, and a browser whose pages there are those of the test.
  private func run(_ pages: [String: SitePage], _ body: (Page) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    let certificate = try await TestCertificate.make(for: ["raxx.app"], in: folder)
    let command = """
      passkey-server --listen 127.0.0.1:0 --rp-id raxx.app --tls-certificate server.crt --tls-key server.key \
        --access-log requests.log
      """
    let server = try await waiting { [path = folder.path] in try ServerProcess(command, in: path, ready: " at https") }
    var settings = BrowserSettings()
    settings.trustedKeys = [certificate.trustedKey]
    settings.routes = [BrowserSettings.Route(host: "raxx.app", localPort: try #require(UInt16(server.port)))]
    try await Browser.run(settings) { (browser) in
      let page = try await browser.newPage()
      for (path, file) in pages {
        try await page.intercept("https://raxx.app\(path)") { (_) in
          .answer(
            status: 200, headers: ["content-type": file.type, "content-security-policy": file.policy], body: file.text)
        }
      }
      try await page.addAuthenticator()
      try await body(page)
    }
  }

  @Test func `the script has an address for a year, and a digest that the browser checks`() async throws {
    // The test adds elements for scripts, which a page with trusted types cannot.
    let policy = "default-src 'none'; script-src 'self'; connect-src 'self'"
    try await run(["/empty": .html("<!doctype html><title>Empty</title>", policy: policy)]) { (page) in
      try await page.open("https://raxx.app/empty")
      let found = try await page.text(
        """
        const {script} = (await (await fetch('/.well-known/passkey-endpoints')).json()).service;
        const add = (integrity) => new Promise((done) => {
          const element = document.createElement('script');
          Object.assign(element, {type: 'module', src: script.path, integrity, onload: () => done('runs'), onerror: () => done('refused')});
          document.head.append(element);
        });
        const other = script.integrity.replace(/-./, script.integrity[7] === 'A' ? '-B' : '-A');
        const policies = [];
        for (const path of [script.path, '/passkey.js', '/passkey.d.ts']) {
          const {headers} = await fetch(path);
          policies.push(headers.get('cache-control'), headers.get('content-type').split(';')[0]);
        }
        return [await add(other), await add(script.integrity), ...policies].join(' | ');
        """)
      #expect(
        found == """
          refused | runs | public, max-age=31536000, immutable | text/javascript | public, max-age=3600 | text/javascript \
          | public, max-age=3600 | application/typescript
          """)
    }
  }

  @Test func `the page of the documentation signs up, finds its session and signs in`() async throws {
    let article = String(
      decoding: try File.bytes("\(projectFolder)/Sources/PasskeyPages/PasskeyPages.docc/SigningInFromAPage.md"),
      as: UTF8.self)
    func block(_ language: String) throws -> String {
      let start = try #require(article.firstRange(of: "```\(language)\n"))
      let rest = article[start.upperBound...]
      return String(rest[..<(try #require(rest.firstRange(of: "```\n"))).lowerBound])
    }
    let (html, script) = (try block("html"), try block("js"))
    #expect(html.split(separator: "\n").count + script.split(separator: "\n").count <= 25)
    try await run(["/": .html(html), "/sign-in.js": .script(script)]) { (page) in
      try await page.open("https://raxx.app/")
      try await page.type("ada@raxx.app", into: "#email")
      try await page.click("#sign-up")
      try await page.wait(until: "document.querySelector('#status').textContent === 'Signed in as ada@raxx.app'")
      try await page.reload()
      try await page.wait(until: "document.querySelector('#status').textContent === 'Signed in as ada@raxx.app'")
      try await page.run(
        "await (await import('/passkey.js')).Passkeys; await fetch('/api/auth/logout', {method: 'POST'})")
      // The device is touched at once, so autofill signs in.
      try await page.reload()
      try await page.wait(until: "document.querySelector('#status').textContent === 'Signed in as ada@raxx.app'")
      #expect(page.records.violations == [] && page.records.exceptions == [])
      #expect(page.records.usedCredentials.count == 1)
      let outside = page.records.exchanges.filter { !$0.url.hasPrefix("https://raxx.app/") }
      #expect(outside.isEmpty)
    }
  }

  @Test func `a sign-in takes three requests after the page and its script`() async throws {
    try await run(["/": ScriptedPage.files["/"], "/page.js": ScriptedPage.files["/page.js"]].compactMapValues(\.self)) {
      (page) in
      let script = ScriptedPage(page: page)
      try await page.open("https://raxx.app/")
      try await script.ready()
      #expect(try await script.outcome("passkeys.signUp('ada@raxx.app').then(() => passkeys.signOut())") == "")
      try await page.reload()
      try await script.ready()
      let before = page.records.exchanges.count
      let milliseconds = try await script.text(
        "await (async () => { const start = performance.now(); await passkeys.signIn(); return Math.round(performance.now() - start); })()"
      )
      let paths = page.records.exchanges.dropFirst(before).map(\.path)
      #expect(paths.filter { !$0.hasPrefix("/.well-known/") } == ["/api/auth/login/options", "/api/auth/login/verify"])
      #expect(paths.count <= 3)
      print("a sign-in took \(milliseconds) ms")
    }
  }
}
