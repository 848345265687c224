// SPDX-License-Identifier: Apache-2.0

import BrowserTestSupport
import PasskeyService
import Testing
import WireFormats

/// Whether all people can use the pages: names and roles, contrast, sizes, keyboard, narrow screens, and no script.
struct PageAccessTests {
  /// A script that returns faults: text and fields with low contrast, small targets, repeated identifiers, and width beyond the screen.
  private static let audit = """
    const visible = [...document.querySelectorAll('body *')].filter((one) => one.checkVisibility());
    const parse = (color) => color.match(/[\\d.]+/g).map(Number);
    const luminance = (color) => parse(color).slice(0, 3).map((part) => part / 255)
      .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
      .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
    const contrast = (...colors) => {
      const [dark, light] = colors.map(luminance).sort((one, two) => one - two);
      return (light + 0.05) / (dark + 0.05);
    };
    const background = (one) => {
      for (; one; one = one.parentElement) {
        const color = getComputedStyle(one).backgroundColor;
        if ((parse(color)[3] ?? 1) === 1) return color;
      }
      return 'rgb(255, 255, 255)';
    };
    const name = (one) => one.tagName.toLowerCase() + (one.id && '#' + one.id) + ' ' + one.textContent.trim().slice(0, 30);
    const faults = [];
    for (const one of visible) {
      const style = getComputedStyle(one);
      const hasText = [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
      const size = parseFloat(style.fontSize);
      const needed = size >= 24 || size >= 18.66 && style.fontWeight >= 700 ? 3 : 4.5;
      if (hasText && contrast(style.color, background(one)) < needed) faults.push('contrast: ' + name(one));
      if (hasText && size < 14) faults.push('small text: ' + name(one));
      if (one.matches('input:not([type=checkbox]), select') && contrast(style.borderTopColor, background(one.parentElement)) < 3) {
        faults.push('border: ' + name(one));
      }
      const box = one.getBoundingClientRect();
      if (one.matches('a:not(.skip), button, input, select, summary') && (box.height < 24 || box.width < 24)) {
        faults.push('small target: ' + name(one));
      }
      if (box.right > innerWidth + 1 && !one.closest('.skip')) faults.push('too wide: ' + name(one));
    }
    const ids = [...document.querySelectorAll('[id]')].map((one) => one.id);
    faults.push(...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => 'repeated: ' + id));
    if (document.documentElement.scrollWidth > innerWidth) faults.push('scrolls sideways');
    if (document.querySelectorAll('h1').length && visible.filter((one) => one.tagName === 'H1').length !== 1) faults.push('h1');
    return faults.join('; ');
    """

  /// The roles that need a name.
  private static let named: Set<String> = [
    "button", "link", "textbox", "searchbox", "combobox", "checkbox", "dialog", "heading", "navigation", "region",
    "Date",
    "DisclosureTriangle",
  ]

  private func check(_ visitor: Visitor, _ place: String) async throws {
    #expect(try await visitor.page.text(Self.audit) == "", "\(place)")
    #expect(try await visitor.page.accessibilityViolations() == [], "\(place)")
    let elements = try await visitor.page.accessibleElements()
    let nameless = elements.filter { Self.named.contains($0.role) && $0.name.allSatisfy(\.isWhitespace) }
    #expect(nameless.map(\.role) == [], "\(place)")
    // Behind an open dialog the page is inert.
    guard !elements.contains(where: { $0.role == "dialog" }) else { return }
    #expect(elements.contains { $0.role == "main" } && elements.contains { $0.role == "banner" }, "\(place)")
  }

  /// Visits every part of the pages.
  private func tour(_ site: TestSite, _ ada: Visitor, _ body: (String) async throws -> Void) async throws {
    for part in ["sign-in", "create", "recover", "waiting"] {
      try await ada.open("/#\(part)")
      try await ada.page.reload()
      try await ada.see(part)
      try await ada.page.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
      try await body(part)
    }
    try await ada.open("/#create")
    try await ada.page.reload()
    try await ada.see("create")
    try await ada.page.run("document.getElementById('new-email').value = 'ada@raxx.app'")
    try await ada.page.run("document.querySelector('#create form .primary').click()")
    try await ada.arrive(at: "/account")
    try await site.appoint("ada@raxx.app")
    try await ada.page.reload()
    try await ada.arrive(at: "/account")
    try await body("account")
    try await ada.page.click("#passkeys .danger")
    try await ada.wait("the dialog") { "document.querySelector('dialog[open] dl')" }
    try await body("dialog")
    try await ada.page.run("document.querySelector('dialog').close()")
    for part in ["approvals", "users", "audit", "outbox", "health"] {
      try await ada.open("/admin#\(part)")
      try await ada.page.reload()
      try await ada.arrive(at: "/admin")
      if part == "users" {
        try await ada.page.run("document.querySelector('#people details').open = true")
        try await ada.wait("the passkeys") { "document.querySelector('#people .rows strong')" }
      }
      try await body(part)
    }
    try await ada.page.run(
      """
      sessionStorage.setItem('action', JSON.stringify({path: '/api/orders', body: {symbol: 'RAXX', note: 'x'.repeat(200)}}))
      """)
    try await ada.open("/confirm")
    try await ada.wait("the order") { "document.querySelector('#action dl')" }
    try await body("confirm")
    try await ada.open("/faults")
    try await ada.wait("the effects") { "document.querySelector('#effects section:last-child li')" }
    try await ada.page.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    try await body("faults")
  }

  @Test(arguments: [(320, false, "en"), (320, true, "de"), (1200, true, "en"), (1200, false, "de")])
  func `every part has names, contrast, and room on a narrow screen`(
    width: Int, isDark: Bool, language: String
  ) async throws {
    try await TestSite.run({
      $0.servePages()
      $0.sendMails(.off, recovery: .email(waiting: .seconds(60)))
    }) { (site, browser) in
      let ada = try await Visitor.open("/?language=\(language)", in: browser)
      try await ada.page.resize(width: width, height: 800)
      try await ada.page.setMedia(isDark: isDark)
      try await tour(site, ada) { (place) in
        try await check(ada, "\(place) \(width) \(language) \(isDark ? "dark" : "light")")
        #expect(try await ada.page.text("return document.documentElement.lang") == language)
      }
      ada.expectOrder()
    }
  }

  @Test func `every text of the pages is German for people who prefer German`() async throws {
    try await TestSite.run({
      $0.servePages()
      $0.sendMails(.off, recovery: .email(waiting: .seconds(60)))
    }) { (site, browser) in
      let ada = try await Visitor.open("/", in: browser)
      try await ada.press("Deutsch")
      try await ada.wait("the German page") { "document.documentElement?.lang === 'de'" }
      #expect(try await ada.headings() == ["Anmelden"])
      try await tour(site, ada) { (place) in
        // The audit feed has the texts of the server.
        guard place != "audit" else { return }
        let text = try await ada.page.text("return document.body.innerText")
        for word in [" the ", "Sign ", "Passkey is ", "Last ", "Remove", "Account", "Loading"] {
          #expect(!text.contains(word), "\(place): \(word)")
        }
      }
      try await ada.open("/account")
      try await ada.arrive(at: "/account")
      try await ada.page.intercept("https://raxx.app/api/auth/credentials/*") { (_) in .fail }
      try await ada.press("Passkey umbenennen")
      try await ada.fill("Neuer Name", "Rechner")
      try await ada.press("Speichern")
      #expect(try await ada.problem().hasPrefix("Keine Verbindung."))
      try await ada.page.endInterceptions()
    }
  }

  @Test func `the keyboard alone is enough`() async throws {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.open("/", in: browser)
      try await ada.see("sign-in")
      /// Presses Tab until the element with the focus matches a selector.
      func tab(to selector: String) async throws {
        for _ in 0..<40 {
          try await ada.page.press(.tab)
          if try await ada.page.run("return document.activeElement.matches(\(quoted(selector)))").bool { return }
        }
        Issue.record("Tab does not reach \(selector)")
      }
      try await ada.page.press(.tab)
      #expect(try await ada.page.text("return document.activeElement.className") == "skip")
      #expect(try await ada.page.run("return document.activeElement.getBoundingClientRect().top >= 0").bool)
      try await tab(to: "#to-create")
      try await ada.page.press(.enter)
      try await ada.see("create")
      try await tab(to: "#new-email")
      try await ada.page.send("Input.insertText") { $0.write("text", "ada@raxx.app") }
      try await ada.page.press(.enter)
      try await ada.arrive(at: "/account")
      try await tab(to: "#passkeys .danger")
      // The focus is visible.
      #expect(try await ada.page.text("return getComputedStyle(document.activeElement).outlineStyle") == "solid")
      try await ada.page.press(.space)
      try await ada.wait("the dialog") { "document.querySelector('dialog[open] dl')" }
      // The harmless button has the focus, and Tab stays in the dialog.
      #expect(try await ada.page.text("return document.activeElement.textContent") == "Cancel")
      for _ in 0..<4 {
        try await ada.page.press(.tab)
        #expect(
          try await ada.page.run(
            "return document.activeElement === document.body || !!document.activeElement.closest('dialog')"
          )
          .bool)
      }
      try await ada.page.press(.escape)
      try await ada.wait("no dialog") { "!document.querySelector('dialog')" }
      #expect(try await ada.page.run("return document.activeElement.matches('#passkeys .danger')").bool)
      #expect(try await ada.text("#problem") == "")
      try await tab(to: "#erase")
      try await ada.page.press(.enter)
      try await ada.wait("the dialog") { "document.querySelector('dialog[open] dl')" }
      try await ada.page.press(.tab)
      try await ada.page.press(.enter)
      try await ada.see("sign-in")
      ada.expectOrder()
    }
  }

  @Test func `a field that the server refused is marked and has the focus`() async throws {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.open("/#create", in: browser)
      try await ada.signUp("\(String(repeating: "x", count: 70))@raxx.app")
      #expect(try await ada.problem().contains("Code for support:"))
      #expect(try await ada.focus() == "new-email")
      let field = try #require(
        try await ada.page.accessibleElements().first { $0.role == "textbox" && $0.name == "Email address" })
      #expect(field.properties["invalid"] == "true")
      let alert = try await ada.page.accessibleElements().contains { $0.role == "alert" }
      #expect(alert)
    }
  }

  @Test(arguments: ["/", "/account", "/confirm", "/admin", "/faults"])
  func `a page without scripts is readable, and says what is missing`(path: String) async throws {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let page = try await browser.newPage()
      try await page.setScripts(areAllowed: false)
      try await page.open("https://raxx.app\(path)")
      let elements = try await page.accessibleElements()
      #expect(elements.contains { $0.role == "heading" && !$0.name.isEmpty })
      #expect(elements.contains { $0.name.contains("Passkeys need JavaScript.") })
      // Nothing that would have no effect.
      #expect(!elements.contains { ["button", "textbox"].contains($0.role) })
      #expect(page.records.violations == [])
    }
  }

  @Test func `people who want less motion get none`() async throws {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.open(in: browser)
      let animation = """
        const button = document.querySelector('#sign-in .primary');
        button.setAttribute('aria-busy', 'true');
        return getComputedStyle(button, '::after').animationName;
        """
      try await ada.page.setMedia(isDark: false)
      #expect(try await ada.page.text(animation) == "turn")
      try await ada.page.setMedia(isDark: false, reducesMotion: true)
      #expect(try await ada.page.text(animation) == "none")
    }
  }
}
