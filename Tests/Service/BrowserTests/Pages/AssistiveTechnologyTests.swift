// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeyTestSupport
import Testing

/// The pages for screen readers, large text and the colors of the system, beyond names and contrast.
@Suite(.tags(.browser)) struct AssistiveTechnologyTests {
  @Test func `live regions exist before their first message`() async throws {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      let empty = try await ada.page.accessibleElements().filter { ["status", "alert"].contains($0.role) }
      // The connection, the end of the session and messages of success; a problem.
      #expect(empty.map(\.role).sorted() == ["alert", "status", "status", "status"])
      #expect(empty.allSatisfy { $0.name.isEmpty })
      try await ada.page.setOffline(true)
      try await ada.wait("the notice") { "document.getElementById('offline').textContent" }
      #expect(try await ada.text("#offline").hasPrefix("No connection."))
      ada.expectOrder()
    }
  }

  @Test func `a dialog says what it confirms, and what to beware of, together with its title`() async throws {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await ada.press("Remove Chromium, Linux")
      try await ada.answer("Remove it anyway")
      try await ada.wait("the dialog") { "document.querySelector('dialog[open] dl')" }
      let dialog = try #require(try await ada.page.accessibleElements().first { $0.role == "dialog" })
      #expect(dialog.name == "Remove passkey")
      #expect(dialog.description.hasPrefix("Remove the passkey “Chromium, Linux” from your account."))
      #expect(dialog.description.contains("This is your last passkey."))
    }
  }

  @Test func `a dialog that is higher than the window opens at its top`() async throws {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await ada.page.resize(width: 320, height: 400)
      let state = """
        const dialog = document.querySelector('dialog[open]');
        const {top} = dialog.querySelector('h2').getBoundingClientRect();
        return [dialog.scrollTop, dialog.scrollHeight > dialog.clientHeight, 0 <= top && top < 100].join();
        """
      try await ada.press("Remove Chromium, Linux")
      try await ada.answer("Remove it anyway")
      try await ada.wait("the dialog") { "document.querySelector('dialog[open] dl')" }
      #expect(try await ada.page.text(state) == "0,true,true")
      #expect(try await ada.focus() == "dialog-title")
      try await ada.page.press(.escape)
      try await ada.wait("no dialog") { "!document.querySelector('dialog')" }
      try await ada.page.resize(width: 320, height: 160)
      try await ada.press("Rename Chromium, Linux")
      try await ada.wait("the dialog") { "document.querySelector('dialog[open] input')" }
      #expect(try await ada.page.text(state) == "0,true,true")
      #expect(try await ada.focus() == "ask-name")
    }
  }

  @Test func `a message is visible wherever the user has scrolled`() async throws {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await ada.page.resize(width: 320, height: 480)
      try await ada.page.run("scrollTo({top: 1e6, behavior: 'instant'})")
      try await ada.press("Export data")
      try await ada.answer("Confirm with a passkey")
      try await ada.hear("The file is in your downloads.")
      let place = "document.getElementById('status').getBoundingClientRect()"
      #expect(
        try await ada.page.run("return scrollY > 200 && \(place).top >= 0 && \(place).bottom <= innerHeight").bool)
      ada.expectOrder()
    }
  }

  @Test func `text of twice the size needs no scrolling sideways, and the colors of the system keep all signs`()
    async throws
  {
    try await TestSite.run({ $0.servePages() }) { (site, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await site.appoint("ada@raxx.app")
      try await ada.page.setTextSize(32)
      try await ada.page.resize(width: 640, height: 800)
      try await ada.page.setMedia(isDark: false, forcesColors: true)
      for path in ["/account", "/admin", "/confirm"] {
        try await ada.open(path)
        try await ada.arrive(at: path)
        #expect(try await ada.page.text("return getComputedStyle(document.documentElement).fontSize") == "32px")
        #expect(try await ada.page.run("return document.documentElement.scrollWidth <= innerWidth").bool, "\(path)")
      }
      // A part of the turning ring stays open, and a primary button differs.
      let ring = """
        const button = document.getElementById('sign-out');
        button.setAttribute('aria-busy', 'true');
        const style = getComputedStyle(button, '::after');
        return String(style.borderRightColor !== style.borderLeftColor);
        """
      #expect(try await ada.page.text(ring) == "true")
      ada.expectOrder()
    }
  }
}
