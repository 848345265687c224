// SPDX-License-Identifier: Apache-2.0

import BrowserTestSupport
import PasskeyService
import TestSupport
import Testing
import WebAuthnTypes
import WireFormats

/// Pictures of all pages, in both themes and two widths: `.build/screenshots/PAGE-WIDTH-THEME.png`. Documentation/Pages.md shows
/// some of them.
struct ScreenshotTests {
  private static let folder = "\(projectFolder)/.build/screenshots"

  @Test(arguments: [(320, false), (320, true), (1200, false), (1200, true)])
  func `every page has a picture`(width: Int, isDark: Bool) async throws {
    _ = try await waiting { try Shell.run("mkdir -p '\(Self.folder)'", in: "/") }
    try await TestSite.run({
      $0.servePages()
      $0.policy = { $0.signUp = .approval }
      $0.sendMails(.off, recovery: .email(waiting: .seconds(259_200)))
    }) { (site, browser) in
      let ada = try await Visitor.open(in: browser)
      try await ada.page.resize(width: width, height: 800)
      try await ada.page.setMedia(isDark: isDark)

      /// Takes a picture; checks that it is one, with the width of the window.
      func take(_ name: String, isWhole: Bool = true) async throws {
        let height: Int =
          isWhole
          ? try await ada.page.run("return Math.max(600, document.documentElement.scrollHeight)").integer() : 800
        try await ada.page.resize(width: width, height: height)
        let image = try await ada.page.screenshot(isWhole: isWhole)
        try await ada.page.resize(width: width, height: 800)
        let wide = image.dropFirst(16).prefix(4).reduce(0) { $0 << 8 | Int($1) }
        #expect(image.starts(with: [0x89, 0x50, 0x4E, 0x47]) && wide == width && image.count > 4_000, "\(name)")
        try File.write(image, to: "\(Self.folder)/\(name)-\(width)-\(isDark ? "dark" : "light").png")
      }

      try await ada.see("sign-in")
      try await take("sign-in")
      for part in ["create", "recover"] {
        try await ada.open("/#\(part)")
        try await ada.see(part)
        try await take(part)
      }
      try await ada.open("/#create")
      try await ada.page.reload()
      try await ada.signUp("ada@raxx.app")
      try await ada.see("waiting")
      try await take("waiting")
      try await site.approve("ada@raxx.app")
      try await site.appoint("ada@raxx.app")
      try await ada.press("Back to sign-in")
      try await ada.arrive(at: "/account")
      try await ada.press("Rename Passkey")
      try await ada.fill("New name", "Ada’s laptop")
      try await ada.press("Save")
      try await ada.hear("The passkey is renamed.")
      var abilities = VirtualAuthenticator.Abilities.securityKey
      abilities.backsUp = true
      try await ada.page.addAuthenticator(abilities)
      try await ada.press("Add a passkey")
      try await ada.answer("Confirm with a passkey")
      try await ada.hear("The passkey is added.")
      for name in ["grace", "konrad"] {
        let other = try await Visitor.open("/#create", in: browser, context: browser.newContext())
        try await other.signUp("\(name)@raxx.app")
        try await other.see("waiting")
        try await other.page.close()
      }
      try await ada.page.bringToFront()
      try await ada.page.reload()
      try await ada.arrive(at: "/account")
      try await take("account")
      try await ada.press("Remove Ada’s laptop")
      try await ada.wait("the dialog") { "document.querySelector('dialog[open] dl')" }
      try await take("dialog", isWhole: false)
      try await ada.press("Cancel")
      try await ada.page.run(
        """
        sessionStorage.setItem('action', JSON.stringify({path: '/api/orders', words: {text: 'Buy 500 RAXX at 101.25 or less.'},
          body: {symbol: 'RAXX', side: 'buy', quantity: 500, limit: '101.25'}}));
        """)
      try await ada.open("/confirm")
      try await ada.wait("the order") { "document.querySelector('#action dl')" }
      try await take("confirm")
      for part in ["approvals", "users", "audit", "outbox", "health"] {
        try await ada.open("/admin#\(part)")
        try await ada.page.reload()
        try await ada.arrive(at: "/admin")
        if part == "users" {
          try await ada.page.run("document.querySelector('#people details').open = true")
          try await ada.wait("the passkeys") { "document.querySelector('#people .rows strong')" }
        }
        try await take(part)
      }
      try await ada.open("/faults")
      try await ada.wait("the effects") { "document.querySelector('#effects section:last-child li')" }
      try await take("faults")
      ada.expectOrder()
    }
  }
}
