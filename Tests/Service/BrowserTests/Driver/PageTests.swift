// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeyTestSupport
import Testing

/// Events, input and display of a page.
@Suite(.tags(.browser)) struct PageTests {
  private static let pages: [String: SitePage] = [
    "/": .html(
      """
      <!doctype html><html lang="en"><title>First</title><link rel="stylesheet" href="/page.css">
      <h1>First</h1><label>Name <input id="name" required></label><button id="send">Send</button>
      <noscript><p id="off">Scripts are off</p></noscript><a href="/second">Second</a>
      <script type="module" src="/page.js"></script>
      """),
    "/second": .html("<!doctype html><title>Second</title><h1>Second</h1>"),
    "/bad": .html(
      """
      <!doctype html><title>Bad</title><script>window.ran = true</script>
      <script src="https://stranger.example/script.js"></script><script type="module" src="/bad.js"></script>
      """),
    "/bad.js": .script("try { document.body.innerHTML = '<p>'; } catch {}  document.title = 'done';"),
    "/page.css": SitePage(
      type: "text/css", text: "body { color: black } @media (width < 400px) { h1 { display: none } }"),
    "/page.js": .script(
      """
      console.log('loaded', {a: 1}, 7);
      document.querySelector('#send').addEventListener('click', (event) => {
        document.title = `${event.isTrusted} ${document.querySelector('#name').value}`;
      });
      setTimeout(() => { throw new TypeError('a mistake') });
      """),
  ]

  private func run(_ body: (Page) async throws -> Void) async throws {
    try await TestSite.run({ $0.pages = Self.pages }) { (_, browser) in
      try await body(try await browser.newPage("https://raxx.app/"))
    }
  }

  @Test func `console lines and uncaught exceptions are recorded`() async throws {
    try await run { (page) in
      let lines = try await page.wait(for: "the exception") { $0.exceptions.isEmpty ? nil : $0 }
      #expect(lines.console.contains { $0.hasPrefix("log: loaded") && $0.hasSuffix("7") })
      #expect(lines.exceptions.first?.hasPrefix("TypeError: a mistake") == true)
      #expect(lines.violations == [] && lines.unreadEvents == [])
      let error = await #expect(throws: BrowserError.self) { try await page.run("throw new RangeError('of a test')") }
      guard case .threw(let text) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(text.hasPrefix("RangeError: of a test"))
    }
  }

  @Test func `violations of the content security policy are recorded`() async throws {
    try await run { (page) in
      try await page.open("https://raxx.app/bad")
      try await page.wait(until: "document.title === 'done'")
      let violations = try await page.wait(for: "three violations") {
        Set($0.violations.map(\.kind)).count >= 3 ? $0.violations : nil
      }
      #expect(Set(violations.map(\.kind)) == ["kInlineViolation", "kURLViolation", "kTrustedTypesSinkViolation"])
      #expect(violations.contains { $0.blockedURL == "https://stranger.example/script.js" })
      #expect(try await page.run("return window.ran ?? null").isNull)
    }
  }

  @Test func `clicks, typing and keys reach the page as those of a user do`() async throws {
    try await run { (page) in
      try await page.type("Ada", into: "#name")
      try await page.click("#send")
      try await page.wait(until: "document.title === 'true Ada'")
      try await page.run("document.title = ''; document.querySelector('#name').focus()")
      try await page.press(.tab)
      #expect(try await page.text("return document.activeElement.id") == "send")
      try await page.press(.enter)
      try await page.wait(until: "document.title === 'true Ada'")
      await #expect(throws: BrowserError.self) { try await page.click("#none") }
    }
  }

  @Test func `requests are recorded, and a test can change, answer and fail them`() async throws {
    try await run { (page) in
      try await page.intercept("https://raxx.app/second*") { (request) in
        request.url.hasSuffix("?gone") ? .fail : .answer(status: 418, body: "\(request.method) \(request.body ?? "")")
      }
      try await page.intercept("https://raxx.app/api/auth/login/*") { _ in .send(body: "not JSON") }
      let made = try await page.text(
        """
        const reply = await fetch('/second', {method: 'POST', body: 'tea'});
        const lost = await fetch('/second?gone').catch((error) => error.name);
        const refused = await fetch('/api/auth/login/options', {
          method: 'POST', headers: {'content-type': 'application/json'}, body: '{}'});
        return [reply.status, await reply.text(), lost, (await refused.json()).code].join();
        """)
      #expect(made == "418,POST tea,TypeError,http.body-not-json")
      try await page.endInterceptions()
      #expect(try await page.run("return (await fetch('/second')).status").int64 == 200)
      let exchanges = page.records.exchanges
      #expect(exchanges.first?.path == "/")
      #expect(exchanges.filter { $0.path.hasPrefix("/second") }.map(\.status) == [418, nil, 200])
      #expect(exchanges.first { $0.path == "/second?gone" }?.failure != nil)
      #expect(exchanges.first { $0.path == "/page.css" }?.receivedByteCount ?? 0 > 60)
    }
  }

  @Test func `a page without a network gets network errors`() async throws {
    try await run { (page) in
      try await page.setOffline(true)
      #expect(try await page.text("return fetch('/second').then(() => 'there', (error) => error.name)") == "TypeError")
      #expect(try await page.run("return navigator.onLine").bool == false)
      try await page.setOffline(false)
      #expect(try await page.run("return (await fetch('/second')).status").int64 == 200)
    }
  }

  @Test func `the accessibility tree has names, roles and states`() async throws {
    try await run { (page) in
      let elements = try await page.accessibleElements()
      #expect(elements.contains { $0.role == "heading" && $0.name == "First" && $0.properties["level"] == "1" })
      #expect(elements.contains { $0.role == "textbox" && $0.name == "Name" && $0.properties["required"] == "true" })
      #expect(elements.contains { $0.role == "button" && $0.name == "Send" })
    }
  }

  @Test func `violations of accessibility rules are found`() async throws {
    try await run { (page) in
      #expect(try await page.accessibilityViolations().map(\.rule) == ["landmark-one-main", "region"])
      try await page.run(
        """
        const input = document.createElement('input');
        document.body.append(input);
        document.querySelector('h1').style.color = '#bbb';
        document.documentElement.removeAttribute('lang');
        """)
      let rules = try await page.accessibilityViolations().map(\.rule)
      #expect(rules == ["color-contrast", "html-has-lang", "label", "landmark-one-main", "region"])
    }
  }

  @Test func `window size, color scheme and motion are those that the test sets`() async throws {
    try await run { (page) in
      try await page.resize(width: 320, height: 480)
      try await page.setMedia(isDark: true, reducesMotion: true)
      let found = try await page.text(
        """
        const media = ['dark', 'light'].map((name) => matchMedia(`(prefers-color-scheme: ${name})`).matches);
        return [innerWidth, ...media, matchMedia('(prefers-reduced-motion)').matches,
          getComputedStyle(document.querySelector('h1')).display].join();
        """)
      #expect(found == "320,true,false,true,none")
      let image = try await page.screenshot()
      // The header of a PNG file: its signature, then the width and the height.
      #expect(image.prefix(8) == [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
      #expect(image[16..<24].elementsEqual([0, 0, 1, 64, 0, 0, 1, 224]))
    }
  }

  @Test func `a page without scripts shows its noscript elements`() async throws {
    try await run { (page) in
      #expect(try await page.run("return document.querySelector('#off')").isNull)
      try await page.setScripts(areAllowed: false)
      try await page.reload()
      let elements = try await page.accessibleElements()
      #expect(elements.contains { $0.name == "Scripts are off" })
    }
  }

  @Test func `a link that is broken into lines is clicked where it is`() async throws {
    try await run { (page) in
      try await page.run(
        """
        const link = document.querySelector('a');
        link.textContent = 'Second page';
        link.before(document.createElement('br'), 'x'.repeat(22) + ' ');
        Object.assign(link.parentElement.style, {font: '16px monospace', width: '30ch'});
        """)
      #expect(try await page.run("return document.querySelector('a').getClientRects().length").int64 == 2)
      try await page.click("a")
      try await page.wait(until: "document.title === 'Second'")
    }
  }

  @Test func `the back button leads to the page before`() async throws {
    try await run { (page) in
      try await page.click("a")
      try await page.wait(until: "document.title === 'Second'")
      try await page.goBack()
      try await page.wait(until: "document.querySelector('h1')?.textContent === 'First'")
    }
  }
}
