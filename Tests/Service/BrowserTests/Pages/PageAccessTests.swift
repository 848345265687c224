// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeyService
import PasskeyTestSupport
import Testing

/// Whether all people can use the pages: keyboard, marked fields, no script, and less motion.
@Suite(.tags(.browser)) struct PageAccessTests {
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
      try await ada.wait("the dialog") { "document.querySelector('dialog[open] h2')" }
      // Reading begins with the title, the harmless button is next, and Tab stays in the dialog.
      #expect(try await ada.focus() == "dialog-title")
      try await ada.page.press(.tab)
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
      try await tab(to: "dialog .danger")
      try await ada.page.press(.enter)
      try await ada.see("sign-in")
      ada.expectOrder()
    }
  }

  @Test(arguments: ["en", "de", "fr", "es"])
  func `the first button of a part is in view on a small phone`(language: String) async throws {
    try await TestSite.run(Visitor.prepareTour) { (_, browser) in
      let ada = try await Visitor.open("/?language=\(language)", in: browser)
      try await ada.page.resize(width: 320, height: 640)
      for part in ["sign-in", "create", "recover"] {
        try await ada.open("/#\(part)")
        try await ada.see(part)
        let end: Int = try await ada.page.run(
          "return Math.ceil(document.querySelector('#\(part) .primary').getBoundingClientRect().bottom)"
        ).integer()
        #expect(end <= 640, "\(part)")
      }
    }
  }

  @Test func `a field that the server refused is marked and has the focus`() async throws {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.open("/#create", in: browser)
      try await ada.signUp("\(String(repeating: "x", count: 70))@raxx.app")
      // Who corrects an entry needs no support.
      #expect(try await ada.problem() == "This is not a valid email address.")
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
