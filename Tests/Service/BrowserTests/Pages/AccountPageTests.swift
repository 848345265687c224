// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeyService
import PasskeyTestSupport
import Testing

/// The page `/account`: passkeys, sessions, devices, export and erasure.
@Suite(.tags(.browser)) struct AccountPageTests {
  @Test(.tags(.sample)) func `passkeys are added, renamed and removed`() async throws {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      #expect(try await ada.text("#passkeys strong") == "Chromium, Linux")
      #expect(try await ada.text("#passkeys .badge:not(.info)") == "On one device only")
      #expect(try await ada.text("#passkeys .badge.info") == "Used to sign in now")
      #expect(try await ada.text("#nudge").hasPrefix("You have one passkey. If you lose it, you cannot sign in"))
      #expect(try await ada.text("#sessions strong") == "Chromium on Linux")
      #expect(try await ada.text("#sessions .meta").hasPrefix("Signed in with Chromium, Linux · Since today"))
      try await ada.press("Rename Chromium, Linux")
      #expect(try await ada.focus() == "ask-name")
      #expect(try await ada.page.run("return document.activeElement.maxLength").integer() == 64)
      try await ada.fill("New name", "Laptop")
      try await ada.press("Save")
      try await ada.hear("The passkey is renamed.")
      #expect(try await ada.text("#passkeys strong") == "Laptop")
      #expect(try await ada.focus() == "passkeys-title")

      var abilities = VirtualAuthenticator.Abilities.securityKey
      abilities.backsUp = true
      let key = try await ada.page.addAuthenticator(abilities)
      try await ada.press("Add a passkey")
      #expect(try await ada.answer("Confirm with a passkey").contains("Add a new passkey to your account."))
      try await ada.hear("The passkey is added.")
      #expect(try await key.passkeys().count == 1)
      #expect(try await ada.text("#nudge") == "")
      #expect(try await ada.text("#passkeys").contains("Backed up"))

      try await ada.press("Remove Laptop")
      let words = try await ada.answer("Confirm with a passkey")
      #expect(words.contains("Remove the passkey “Laptop” from your account.") && !words.contains("your last passkey"))
      // This session goes on without the passkey that began it.
      try await ada.hear("The passkey is removed.")
      #expect(try await ada.text("#sessions").contains("Signed in with a removed passkey"))
      ada.expectOrder()
    }
  }

  @Test func `a declined confirmation changes nothing`() async throws {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      for button in ["Cancel", "Confirm with a passkey"] {
        try await ada.device.setAcceptsUser(false)
        try await ada.press("Erase account")
        let words = try await ada.answer(button)
        #expect(words.contains("Erase your account ada@raxx.app with all its data."))
        #expect(words.contains("This cannot be undone."))
        if button == "Cancel" {
          #expect(try await ada.text("#problem") == "")
        } else {
          // Who declines has made no mistake: no alert, and no code for support.
          try await ada.hear("You declined, or there was no passkey to use. Nothing was changed.")
          #expect(try await ada.text("#problem") == "")
          #expect(try await ada.page.text("return document.getElementById('status').className") == "notice quiet")
        }
      }
      try await ada.page.reload()
      try await ada.arrive(at: "/account")
      ada.expectOrder()
    }
  }

  @Test func `sessions of other browsers are ended, one or all`() async throws {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      var others: [Visitor] = []
      for _ in 0..<2 {
        let other = try await Visitor.open("/#recover", in: browser, context: browser.newContext())
        try await ada.device.copyPasskeys(to: other.device)
        try await other.press("Back to sign-in")
        try await other.arrive(at: "/account")
        others.append(other)
      }
      try await ada.page.bringToFront()
      try await ada.page.reload()
      try await ada.arrive(at: "/account")
      let rows = "document.querySelectorAll('#sessions li')"
      #expect(try await ada.page.run("return \(rows).length").integer() == 3)
      #expect(try await ada.text("#sessions li:first-child .badge") == "This browser")
      #expect(try await ada.text("#sessions li:nth-child(2) .badge") == "")
      // The button of the first other session.
      try await ada.page.click("#sessions li:nth-child(2) button")
      try await ada.hear("The session has ended.")
      #expect(try await ada.page.run("return \(rows).length").integer() == 2)
      try await ada.press("End all others")
      try await ada.hear("All other sessions have ended.")
      #expect(try await ada.page.run("return \(rows).length").integer() == 1)
      for other in others {
        try await other.device.setTouched(false)
        try await other.page.bringToFront()
        try await other.press("Rename Chromium, Linux")
        try await other.fill("New name", "Other")
        try await other.press("Save")
        try await other.see("sign-in")
      }
      try await ada.page.bringToFront()
      try await ada.device.setTouched(false)
      try await ada.press("End all")
      #expect(try await ada.answer("End all sessions").contains("You have to sign in again."))
      try await ada.see("sign-in")
      try await ada.hear("You are signed out.")
      ada.expectOrder()
    }
  }

  @Test func `rows with the same name have names that a screen reader tells apart`() async throws {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await ada.page.addAuthenticator(.securityKey)
      try await ada.press("Add a passkey")
      try await ada.answer("Confirm with a passkey")
      try await ada.hear("The passkey is added.")
      try await ada.press("Rename Passkey")
      try await ada.fill("New name", "Chromium, Linux")
      try await ada.press("Save")
      try await ada.hear("The passkey is renamed.")
      let names = try await ada.page.accessibleElements().filter { $0.role == "button" }.map(\.name)
      for name in ["Rename Chromium, Linux", "Rename Chromium, Linux (2)", "Remove Chromium, Linux (2)"] {
        #expect(names.count { $0 == name } == 1, "\(name)")
      }
      #expect(Set(names).count == names.count, "\(names)")
      ada.expectOrder()
    }
  }

  @Test(arguments: [
    ("afterRecovery", "Your account has a new passkey."), ("addHere", "You used another device."),
  ])
  func `an account says what to do next`(reason: String, text: String) async throws {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await ada.page.run("sessionStorage.setItem('nudge', \(quoted(reason)))")
      try await ada.page.reload()
      try await ada.arrive(at: "/account")
      #expect(try await ada.text("#nudge").hasPrefix(text))
      // An empty list of devices is not shown.
      #expect(try await ada.headings() == ["Your account", "Passkeys", "Sessions", "Your data"])
      ada.expectOrder()
    }
  }

  @Test func `devices are listed and removed`() async throws {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await ada.page.run(
        """
        const body = JSON.stringify({token: 'ab'.repeat(32), service: 'apns', platform: 'iPhone', timeZone: 'Europe/Berlin'});
        const {status} = await fetch('/api/devices/apns', {method: 'POST', body, headers: {'content-type': 'application/json'}});
        if (status >= 300) throw new Error(status);
        """)
      try await ada.page.reload()
      try await ada.arrive(at: "/account")
      #expect(try await ada.text("#devices strong") == "iPhone")
      #expect(try await ada.text("#devices .meta") == "notified by Apple · Created today · Europe/Berlin")
      // The list has no token of a push service.
      let replies = try await ada.page.text("return (await fetch('/api/notifications/devices')).text()")
      #expect(replies.contains("iPhone") && !replies.contains("abab"))
      try await ada.press("Remove iPhone")
      try await ada.hear("The device gets no more notifications.")
      #expect(try await ada.text("#devices") == "No device gets notifications.")
      #expect(try await ada.focus() == "devices-title")
      ada.expectOrder()
    }
  }

  @Test func `the data is exported, and the account erased`() async throws {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      // The test keeps the file of the download.
      try await ada.page.run(
        """
        const create = URL.createObjectURL.bind(URL);
        URL.createObjectURL = (blob) => { blob.text().then((text) => { window.exported = text; }); return create(blob); };
        """)
      try await ada.press("Export data")
      try await ada.answer("Confirm with a passkey")
      try await ada.hear("The file is in your downloads.")
      try await ada.page.wait(until: "window.exported")
      let exported = try JSON.parse([UInt8](try await ada.page.text("return exported").utf8))
      #expect(try exported.require("account").require("email").string == "ada@raxx.app")
      try await ada.press("Erase account")
      try await ada.answer("Confirm with a passkey")
      try await ada.see("sign-in")
      #expect(try await ada.page.run("return (await fetch('/api/auth/me')).status").integer() == 401)
      ada.expectOrder()
    }
  }

  @Test func `a session that ended elsewhere leads to the sign-in of every tab`() async throws {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      let second = try await Visitor.open("/account", in: browser)
      try await second.arrive(at: "/account")
      try await ada.page.bringToFront()
      try await ada.device.setTouched(false)
      try await ada.page.open("https://raxx.app/confirm")
      try await ada.arrive(at: "/confirm")
      try await second.page.bringToFront()
      try await second.press("Sign out")
      try await second.see("sign-in")
      try await ada.page.bringToFront()
      try await ada.see("sign-in")
      // A page from the back/forward cache shows no data of the ended session.
      try await ada.page.goBack()
      try await ada.see("sign-in")
      ada.expectOrder()
    }
  }

  @Test func `a user who was away confirms with the passkey, and the work goes on`() async throws {
    try await TestSite.run({
      $0.servePages()
      $0.policy = { $0.sessions.verificationLimit = .seconds(120) }
    }) { (site, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      site.clock.pass(seconds: 121)
      try await ada.press("Rename Chromium, Linux")
      try await ada.fill("New name", "Laptop")
      try await ada.press("Save")
      #expect(try await ada.answer("Cancel").contains("You were away for a while."))
      #expect(try await ada.problem().contains("Code for support: session.verification-required"))
      try await ada.page.reload()
      try await ada.answer("Confirm that it is you")
      try await ada.arrive(at: "/account")
      #expect(try await ada.text("#passkeys strong") == "Chromium, Linux")
      ada.expectOrder()
    }
  }

  @Test func `an expired session leads to the sign-in and back`() async throws {
    try await TestSite.run({ $0.servePages() }) { (site, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await ada.disableAutofill()
      site.clock.pass(seconds: 901)
      try await ada.press("Rename Chromium, Linux")
      try await ada.fill("New name", "Laptop")
      try await ada.press("Save")
      try await ada.see("sign-in")
      #expect(try await ada.path() == "/?next=%2Faccount")
      try await ada.hear("Your session has expired. Sign in again.")
      try await ada.press("Sign in with a passkey")
      try await ada.arrive(at: "/account")
      ada.expectOrder()
    }
  }
}
