// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeyService
import PasskeyTestSupport
import Testing

/// The last passkey of an account: the page does not let its owner lock the account by accident.
@Suite(.tags(.browser)) struct LastPasskeyPageTests {
  /// Presses the button of the last passkey, and chooses what to do.
  private func remove(_ visitor: Visitor, _ choice: String, named name: String = "Chromium, Linux") async throws {
    try await visitor.press("Remove \(name)")
    let words = try await visitor.answer(choice)
    #expect(words.contains("This is your last passkey. Without it you cannot sign in"))
  }

  private func removeAnyway(_ visitor: Visitor) async throws {
    try await remove(visitor, "Remove it anyway")
    let words = try await visitor.answer("Confirm with a passkey")
    #expect(words.contains("DELETE /api/auth/credentials/") && words.contains("?allowLast=true"))
    try await visitor.hear("The passkey is removed.")
    #expect(try await visitor.text("#passkeys") == "There are no passkeys.")
  }

  @Test func `before the last passkey is removed, the page offers to add another one or to erase the account`()
    async throws
  {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await remove(ada, "Cancel")
      #expect(try await ada.text("#problem") == "")
      #expect(try await ada.text("#passkeys strong") == "Chromium, Linux")
      let key = try await ada.page.addAuthenticator(.securityKey)
      try await remove(ada, "Add another one first")
      try await ada.answer("Confirm with a passkey")
      try await ada.hear("The passkey is added.")
      #expect(try await key.passkeys().count == 1)
      // Now it is not the last one.
      try await ada.press("Remove Chromium, Linux")
      #expect(try await !ada.answer("Confirm with a passkey").contains("your last passkey"))
      try await ada.hear("The passkey is removed.")
      try await ada.disableAutofill()
      try await remove(ada, "Erase account", named: "Passkey")
      #expect(try await ada.answer("Confirm with a passkey").contains("Erase your account ada@raxx.app"))
      try await ada.see("sign-in")
      try await ada.hear("Your account and all its data are erased.")
      ada.expectOrder()
    }
  }

  @Test func `a session without a passkey exports its data and adds a passkey`() async throws {
    try await TestSite.run({ $0.servePages() }) { (site, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await removeAnyway(ada)
      #expect(try await ada.text("#no-passkey").hasPrefix("Your account has no passkey. Add one until "))
      site.clock.pass(seconds: 500)
      try await ada.page.reload()
      try await ada.arrive(at: "/account")
      try await ada.press("Export data")
      let words = try await ada.answer("Export data")
      #expect(words.contains("Download all data of your account.") && !words.contains("Your passkey signs"))
      try await ada.hear("The file is in your downloads.")
      try await ada.press("Add a passkey")
      #expect(try await !ada.answer("Add a passkey").contains("with one that you have"))
      try await ada.hear("The passkey is added.")
      #expect(try await !ada.page.run("return document.getElementById('no-passkey').checkVisibility()").bool)
      #expect(try await ada.device.passkeys().count == 1)
      // From now on the new passkey confirms.
      try await remove(ada, "Erase account")
      try await ada.answer("Confirm with a passkey")
      try await ada.see("sign-in")
      let paths = ada.page.records.exchanges.filter { $0.path == "/api/auth/step-up/options" }
      #expect(paths.map(\.status) == [200, 200])
      ada.expectOrder()
    }
  }

  @Test func `a session without a passkey erases the account`() async throws {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await removeAnyway(ada)
      try await ada.disableAutofill()
      try await ada.press("Erase account")
      #expect(try await ada.answer("Erase account").contains("This cannot be undone."))
      try await ada.see("sign-in")
      try await ada.hear("Your account and all its data are erased.")
      ada.expectOrder()
    }
  }

  @Test func `later the page leads to the recovery, from each action`() async throws {
    try await TestSite.run({
      $0.servePages()
      $0.sendMails(recovery: .email(waiting: .seconds(60)))
    }) { (site, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await removeAnyway(ada)
      site.clock.pass(seconds: 601)
      // The page was open all the time, and learns it from the service.
      for (button, answer) in [("Add a passkey", "Add a passkey"), ("Export data", "Export data")] {
        try await ada.press(button)
        try await ada.answer(answer)
        let problem = try await ada.problem()
        #expect(problem.hasPrefix("Your account has no passkey that can confirm this."))
        #expect(problem.contains("Sign out and recover the account"))
      }
      // Another page leads to the account.
      try await ada.page.run(
        "sessionStorage.setItem('action', JSON.stringify({path: '/api/orders', body: {}}))")
      try await ada.open("/confirm")
      try await ada.press("Confirm with a passkey")
      #expect(try await ada.problem().hasPrefix("Your account has no passkey that can confirm this."))
      try await ada.page.click("#problem a")
      try await ada.arrive(at: "/account")
      #expect(try await ada.text("#no-passkey").contains("With a recovery you create a new one."))
      #expect(try await !ada.page.run("return document.getElementById('add').checkVisibility()").bool)
      try await ada.press("Sign out and recover the account")
      try await ada.see("recover")
      // And the recovery brings the account back.
      try await ada.fill("Email address", "ada@raxx.app")
      try await ada.press("Send recovery code")
      try await ada.hear("an email with a code is on its way")
      try await ada.fill("Recovery code", site.mailedCode(.recoveryRequested))
      site.clock.pass(seconds: 61)
      try await ada.press("Create a new passkey")
      try await ada.arrive(at: "/account")
      #expect(try await ada.text("#passkeys strong") == "Chromium, Linux")
      #expect(ada.page.records.exceptions == [])
    }
  }

  @Test func `the page says so in German too`() async throws {
    try await TestSite.run({ $0.servePages() }) { (site, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await ada.open("/account?language=de")
      try await ada.arrive(at: "/account")
      try await ada.press("Chromium, Linux entfernen")
      #expect(try await ada.answer("Trotzdem entfernen").contains("Das ist Ihr letzter Passkey."))
      try await ada.answer("Mit Passkey bestätigen")
      try await ada.hear("Der Passkey ist entfernt.")
      #expect(try await ada.text("#no-passkey").hasPrefix("Ihr Konto hat keinen Passkey. Fügen Sie einen hinzu: bis "))
      site.clock.pass(seconds: 601)
      try await ada.press("Daten exportieren")
      try await ada.answer("Daten exportieren")
      #expect(try await ada.problem().hasPrefix("Ihr Konto hat keinen Passkey, der das bestätigen kann."))
      ada.expectOrder()
    }
  }
}
