// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeyPages
import PasskeyService
import PasskeyTestSupport
import Testing
import WebAuthnTypes

/// The page `/admin`.
@Suite(.tags(.browser)) struct AdministrationPageTests {
  @Test func `accounts are approved and rejected after a confirmation`() async throws {
    try await TestSite.run({
      $0.servePages()
      $0.policy = { $0.signUp = .approval }
    }) { (site, browser) in
      let ada = try await Visitor.administrator(site, browser)
      #expect(try await ada.text("#pending") == "No account waits for approval.")
      var visitors: [String: Visitor] = [:]
      for name in ["bob", "eve"] {
        let other = try await Visitor.open("/#create", in: browser, context: browser.newContext())
        try await other.signUp("\(name)@raxx.app")
        try await other.see("waiting")
        visitors[name] = other
      }
      try await ada.page.bringToFront()
      try await ada.page.reload()
      try await ada.arrive(at: "/admin")
      #expect(try await ada.text("#pending-count") == "2")
      try await ada.press("Approve: bob@raxx.app")
      let words = try await ada.answer("Confirm with a passkey")
      #expect(words.contains("Approve the account bob@raxx.app. Its owner can sign in.") && words.contains("/approve"))
      try await ada.hear("Done.")
      #expect(try await ada.focus() == "approvals-title")
      try await ada.press("Reject: eve@raxx.app")
      #expect(try await ada.answer("Confirm with a passkey").contains("Reject the account eve@raxx.app."))
      try await ada.hear("Done.")
      #expect(try await ada.text("#pending") == "No account waits for approval.")
      // A rejection can be taken back.
      try await ada.openPart("Users")
      try await ada.press("eve@raxx.app Rejected Created today")
      try await ada.press("Approve")
      try await ada.answer("Confirm with a passkey")
      try await ada.hear("Done.")
      try await ada.press("eve@raxx.app Active Created today")
      let approved = try #require(visitors["bob"])
      try await approved.page.bringToFront()
      try await approved.press("Back to sign-in")
      try await approved.arrive(at: "/account")
      // People without the role see no link, and the server refuses them.
      #expect(try await approved.page.run("return document.getElementById('menu-admin').hidden").bool)
      try await approved.open("/admin")
      #expect(try await approved.problem().contains("You do not have permission for this."))
      for visitor in [ada, approved] { visitor.expectOrder() }
    }
  }

  @Test func `users get roles, are disabled, and lose sessions and passkeys`() async throws {
    try await TestSite.run({ $0.servePages() }) { (site, browser) in
      let bob = try await Visitor.signedUp("bob@raxx.app", in: browser, context: browser.newContext())
      let ada = try await Visitor.administrator(site, browser)
      try await ada.openPart("Users")
      let row = "[...document.querySelectorAll('#people details')].find((one) => one.innerText.includes('bob@'))"
      /// Opens the row of Bob, which each change closes.
      func openRow() async throws {
        try await ada.arrive(at: "/admin")
        try await ada.wait("the row of Bob", allowsProblem: true) { row }
        try await ada.page.run("\(row).querySelector('summary').setAttribute('data-row', '')")
        try await ada.page.click("[data-row]")
        try await ada.wait("the passkeys of Bob") { "\(row).querySelector('.rows strong')" }
      }
      try await openRow()
      try await ada.fill("Roles, separated by commas", "trader, auditor")
      try await ada.press("Save roles")
      #expect(
        try await ada.answer("Confirm with a passkey")
          .contains("Set the roles of bob@raxx.app to: trader, auditor. Until now: none."))
      try await ada.hear("Done.")
      #expect(try await ada.text("#people").contains("auditor"))
      try await openRow()
      try await ada.press("Recovery code")
      try await ada.answer("Confirm with a passkey")
      try await ada.wait("the code") { "document.querySelector('dialog .issued')" }
      #expect(try await ada.text("dialog .issued").wholeMatch(of: /([0-9A-Z]{5}-){4}[0-9A-Z]{5}/) != nil)
      try await ada.press("Close")
      try await ada.press("End sessions")
      #expect(try await ada.answer("End sessions").contains("End all sessions of bob@raxx.app."))
      try await ada.hear("Done.")
      try await ada.press("Disable")
      #expect(try await ada.answer("Confirm with a passkey").contains("Disable the account bob@raxx.app"))
      try await ada.hear("Done.")
      try await bob.page.bringToFront()
      try await bob.disableAutofill()
      try await bob.page.reload()
      try await bob.see("sign-in")
      try await bob.press("Sign in with a passkey")
      #expect(try await bob.problem().contains("This account is disabled."))
      try await ada.page.bringToFront()
      try await openRow()
      try await ada.press("Enable")
      try await ada.answer("Confirm with a passkey")
      try await ada.hear("Done.")
      try await openRow()
      try await ada.press("Remove Chromium, Linux")
      let words = try await ada.answer("Confirm with a passkey")
      #expect(words.contains("This is the last passkey of the account. Its owner then needs a recovery code."))
      try await ada.hear("The passkey is removed.")
      for visitor in [ada, bob] { visitor.expectOrder() }
    }
  }

  @Test func `an invitation is issued, and its code opens an account`() async throws {
    try await TestSite.run({
      $0.servePages()
      $0.policy = { $0.signUp = .approval }
    }) { (site, browser) in
      let ada = try await Visitor.administrator(site, browser)
      try await ada.openPart("Users")
      try await ada.press("Invite")
      try await ada.fill("Email address (optional)", "eve@raxx.app")
      try await ada.fill("Roles, separated by commas (optional)", "trader")
      try await ada.press("Invite")
      #expect(try await ada.answer("Confirm with a passkey").contains("Issue an invitation code for eve@raxx.app."))
      try await ada.wait("the code") { "document.querySelector('dialog .issued')" }
      let code = try await ada.text("dialog .issued")
      try await ada.press("Close")
      let eve = try await Visitor.open("/#create", in: browser, context: browser.newContext())
      try await eve.press("I have an invitation code")
      try await eve.fill("Invitation code", code)
      try await eve.signUp("eve@raxx.app")
      try await eve.arrive(at: "/account")
      for visitor in [ada, eve] { visitor.expectOrder() }
    }
  }

  @Test func `an invitation is mailed, and an account that mail cannot recover is marked`() async throws {
    try await TestSite.run({
      $0.servePages()
      $0.policy = {
        TestSite.mailing(&$0, .required, recovery: .email(waiting: .seconds(3_600)))
        $0.contact.invitations = .email
      }
    }) { (site, browser) in
      // A printed invitation does not verify the address.
      let link = SiteLinks(origin: "").invitation(try await site.invite("ada@raxx.app"), for: "ada@raxx.app")
      let ada = try await Visitor.open(link, in: browser)
      try await ada.press("Create account with a passkey")
      try await ada.arrive(at: "/account")
      try await site.appoint("ada@raxx.app")
      try await ada.open("/admin")
      try await ada.openPart("Users")
      #expect(try await ada.text("#people summary").contains("No recovery by email"))
      try await ada.press("Invite")
      try await ada.fill("Email address (optional)", "eve@raxx.app")
      try await ada.press("Invite")
      #expect(try await ada.answer("Confirm with a passkey").contains("Email an invitation to eve@raxx.app."))
      try await ada.hear("The invitation is on its way.")
      #expect(try await !site.mailedCode(.accountInvited).isEmpty)
      ada.expectOrder()
    }
  }

  @Test func `the audit feed names accounts, and filters by text and day`() async throws {
    try await TestSite.run({ $0.servePages() }) { (site, browser) in
      let ada = try await Visitor.administrator(site, browser)
      try await ada.openPart("Users")
      try await ada.press("Invite")
      try await ada.press("Invite")
      try await ada.answer("Confirm with a passkey")
      try await ada.press("Close")
      try await ada.openPart("Audit")
      let count = "document.querySelectorAll('#changes li:not(.empty)').length"
      #expect(try await ada.page.run("return \(count)").integer() as Int >= 2)
      #expect(try await ada.text("#changes li:first-child").contains("An invitation was issued."))
      #expect(try await ada.text("#changes li:first-child").contains("by ada@raxx.app"))
      try await ada.fill("Contains", "INVITATION")
      #expect(try await ada.page.run("return \(count)").integer() == 1)
      try await ada.page.run(
        "const field = document.getElementById('since'); field.value = '2999-01-01'; field.dispatchEvent(new Event('input'));"
      )
      #expect(try await ada.text("#changes") == "No change matches.")
      ada.expectOrder()
    }
  }

  @Test func `the audit feed filters by account, by actor and by kind`() async throws {
    try await TestSite.run({ $0.servePages() }) { (site, browser) in
      let ada = try await Visitor.administrator(site, browser)
      let bob = try await Visitor.signedUp("bob@raxx.app", in: browser, context: browser.newContext())
      try await ada.page.bringToFront()
      try await ada.openPart("Users")
      try await ada.press("bob@raxx.app Active Created today")
      try await ada.press("Disable")
      try await ada.answer("Confirm with a passkey")
      try await ada.hear("Done.")
      // From an account to its changes.
      try await ada.press("bob@raxx.app Disabled Created today")
      try await ada.press("Show changes")
      try await ada.wait("the changes") { "document.querySelectorAll('#changes strong').length === 2" }
      #expect(try await summaries(ada) == ["An account was disabled.", "An account was created."])
      /// Chooses an option of a filter by its text.
      func choose(_ option: String, in filter: String) async throws {
        try await ada.page.run(
          """
          const list = document.getElementById('\(filter)');
          list.value = [...list.options].find((one) => one.text === \(quoted(option))).value;
          for (const name of ['input', 'change']) list.dispatchEvent(new Event(name));
          """)
        try await ada.arrive(at: "/admin")
      }
      try await choose("ada@raxx.app", in: "change-actor")
      #expect(try await summaries(ada) == ["An account was disabled."])
      try await choose("All", in: "change-account")
      try await choose("the server", in: "change-actor")
      #expect(try await summaries(ada) == ["The roles of an account were set."])
      try await choose("All", in: "change-actor")
      try await ada.fill("Contains", "disabled")
      try await ada.press("Download CSV")
      try await ada.hear("The file with 1 rows is in your downloads.")
      try await ada.fill("Contains", "")
      try await choose("An account was created.", in: "kind")
      #expect(try await summaries(ada) == ["An account was created.", "An account was created."])
      // Others learn neither the changes nor the names of those who made them.
      try await bob.page.bringToFront()
      let status = "return (await fetch('/api/admin/changes?account=AAAA')).status"
      #expect(try await bob.page.run(status).integer() == 401)
      ada.expectOrder()
    }
  }

  private func summaries(_ visitor: Visitor) async throws -> [String] {
    try await visitor.page.run("return [...document.querySelectorAll('#changes strong')].map((one) => one.innerText)")
      .elements { (value) throws(WireError) in try value.string }
  }

  @Test func `the outbox shows waiting notices, and drops one`() async throws {
    try await TestSite.run({
      $0.servePages()
      $0.sendMails()
    }) { (site, browser) in
      let ada = try await Visitor.administrator(site, browser)
      try await ada.openPart("Outbox")
      let oldest = try #require(try await site.service.outboxItems(limit: 1).first).notice
      let account = try #require(oldest.account).description
      let facts = try await ada.text("#notices li:first-child .meta")
      #expect(facts.hasPrefix("about \(account) · \(oldest.event.rawValue) · mail"))
      #expect(try await ada.text("#notices li:first-child strong") == "An account was created.")
      // Nothing has failed.
      #expect(try await !ada.text("#outbox").contains("Drop all failed"))
      try await ada.press("Drop: An account was created.")
      let words = try await ada.answer("Confirm with a passkey")
      #expect(words.contains("Drop this notice about \(account). It is never delivered."))
      try await ada.hear("Done.")
      #expect(try await !site.service.outboxItems(limit: 1000).contains { $0.notice.id == oldest.id })
      try await ada.press("Deliver again: \(try await ada.text("#notices strong"))")
      try await ada.answer("Confirm with a passkey")
      try await ada.hear("Done.")
      ada.expectOrder()
    }
  }

  @Test func `the state of server and store is shown`() async throws {
    try await TestSite.run({ $0.servePages() }) { (site, browser) in
      let ada = try await Visitor.administrator(site, browser)
      try await ada.openPart("Health")
      #expect(try await ada.text("#checks").split(separator: "\n").filter { $0 == "Working" }.count == 2)
      try await ada.page.intercept("https://raxx.app/readyz") { (_) in .answer(status: 503) }
      try await ada.press("Refresh")
      try await ada.wait("the failure") { "document.querySelector('#checks .badge.bad')" }
      #expect(try await ada.text("#checks .badge.bad") == "Not working")
      try await ada.page.endInterceptions()
      ada.expectOrder()
    }
  }
}
