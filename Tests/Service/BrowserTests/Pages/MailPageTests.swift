// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeyPages
import PasskeyService
import PasskeyTestSupport
import Testing

/// The parts of the pages that need a mail. The tests read the codes where a deliverer reads them.
@Suite(.tags(.browser)) struct MailPageTests {
  @Test func `a new account begins with the code of the mail`() async throws {
    try await TestSite.run({
      $0.servePages()
      $0.sendMails(.required)
    }) { (site, browser) in
      let ada = try await Visitor.open("/#create", in: browser)
      #expect(try await ada.text("#create-lead").hasPrefix("We email a code to your address first."))
      try await ada.askForCode("ada@raxx.app")
      #expect(try await ada.text("#verify-lead") == "We sent a code to ada@raxx.app. Enter it here.")
      #expect(try await ada.device.passkeys().isEmpty)
      let code = try await site.mailedCode()
      try await ada.fill("Code from the email", code.first == "0" ? "1111-1111" : "0000-0000")
      try await ada.press("Verify")
      #expect(
        try await ada.problem() == "The code is wrong. Check the latest mail and try again. Attempts left: 4.")
      // A lost mail is sent again, and the page survives a reload.
      try await ada.press("Send another code")
      try await ada.hear("a new code is on its way")
      try await ada.page.reload()
      try await ada.see("verify")
      // Lowercase letters are accepted.
      try await ada.fill(
        "Code from the email", try await site.mailedCode().lowercased())
      try await ada.press("Verify")
      try await ada.arrive(at: "/account")
      #expect(try await ada.text("#email-state") == "Verified")
      #expect(try await ada.text("#email") == "ada@raxx.app")
      #expect(try await ada.device.passkeys().count == 1)
      #expect(try await ada.page.run("return sessionStorage.getItem('sign-up') === null").bool)
      ada.expectOrder()
    }
  }

  @Test(arguments: [true, false])
  func `after a registration whose answer is lost, the page leads on with its session, or says what is not known`(
    hasSession: Bool
  ) async throws {
    try await TestSite.run({
      $0.servePages()
      $0.sendMails(.required)
    }) { (site, browser) in
      let ada = try await Visitor.open("/", in: browser)
      try await ada.disableAutofill()
      try await ada.open("/#create")
      try await ada.askForCode("ada@raxx.app")
      try await ada.page.intercept("https://raxx.app/api/auth/register/verify") { (_) in .sendAndLoseAnswer }
      if !hasSession { try await ada.page.intercept("https://raxx.app/api/auth/me") { (_) in .fail } }
      try await ada.fill("Code from the email", try await site.mailedCode())
      try await ada.press("Verify")
      guard !hasSession else { return try await ada.arrive(at: "/account") }
      #expect(try await ada.problem().contains("We do not know whether it arrived"))
      #expect(try await ada.text("#create-lead").hasPrefix("ada@raxx.app is verified."))
      try await ada.page.endInterceptions()
      try await ada.page.send("Network.clearBrowserCookies")
      try await ada.press("Create account with a passkey")
      try await ada.see("sign-in")
      try await ada.hear("your account may exist already.")
      #expect(try await ada.device.passkeys().count == 1)
      try await ada.press("Sign in with a passkey")
      try await ada.arrive(at: "/account")
    }
  }

  @Test func `mails have the language and the time zone that their reader chooses`() async throws {
    try await TestSite.run({
      $0.servePages()
      $0.sendMails(.required)
    }) { (site, browser) in
      let ada = try await Visitor.open("/#create", in: browser)
      try await ada.askForCode("ada@raxx.app")
      try await ada.fill("Code from the email", try await site.mailedCode())
      try await ada.press("Verify")
      try await ada.arrive(at: "/account")
      let zone = try await ada.page.text("return Intl.DateTimeFormat().resolvedOptions().timeZone")
      #expect(try await ada.text("#mail-zone") == "Times in emails are those of the time zone \(zone).")
      #expect(try await ada.page.text("return document.getElementById('mail-language').value") == "en")
      try await ada.page.run("document.getElementById('mail-language').value = 'de'")
      try await ada.press("Save")
      try await ada.hear("Saved.")
      let kept = try await ada.page.text("return (await fetch('/api/notifications/preferences')).text()")
      #expect(kept == #"{"language":"de","timeZone":"\#(zone)"}"#)
      ada.expectOrder()
    }
  }

  @Test func `a mistyped address is corrected before there is a passkey`() async throws {
    try await TestSite.run({
      $0.servePages()
      $0.sendMails(.required)
    }) { (site, browser) in
      let ada = try await Visitor.open("/#create", in: browser)
      try await ada.askForCode("adda@raxx.app")
      try await ada.page.reload()
      try await ada.see("verify")
      try await ada.press("Wrong address?")
      try await ada.see("create")
      #expect(try await ada.page.run("return document.getElementById('new-email').value").string == "adda@raxx.app")
      #expect(try await ada.page.run("return localStorage.getItem('verification') === null").bool)
      _ = try await site.mailedCode()
      try await ada.askForCode("ada@raxx.app")
      #expect(try await ada.text("#verify-lead") == "We sent a code to ada@raxx.app. Enter it here.")
      try await ada.fill("Code from the email", try await site.mailedCode())
      try await ada.press("Verify")
      try await ada.arrive(at: "/account")
      #expect(try await ada.text("#email") == "ada@raxx.app")
      #expect(try await ada.device.passkeys().count == 1)
      ada.expectOrder()
    }
  }

  @Test func `a verified address waits for its passkey, also after a reload, until its code expires`() async throws {
    try await TestSite.run({
      $0.servePages()
      $0.sendMails(.required)
    }) { (site, browser) in
      let ada = try await Visitor.open("/#create", in: browser)
      try await ada.device.setTouched(false)
      try await ada.askForCode("ada@raxx.app")
      try await ada.fill("Code from the email", try await site.mailedCode())
      try await ada.press("Verify")
      try await ada.see("create")
      try await ada.page.reload()
      try await ada.see("create")
      #expect(try await ada.text("#create-lead").hasPrefix("ada@raxx.app is verified."))
      #expect(try await ada.page.run("return document.getElementById('new-email').value").string == "ada@raxx.app")
      try await ada.device.setTouched(true)
      site.clock.pass(seconds: 1_000)
      try await ada.press("Create account with a passkey")
      #expect(try await ada.problem().contains("The code has expired. Begin again."))
      try await ada.press("Continue")
      try await ada.see("verify")
      try await ada.fill("Code from the email", try await site.mailedCode())
      try await ada.press("Verify")
      try await ada.arrive(at: "/account")
      #expect(try await ada.text("#email-state") == "Verified")
      ada.expectOrder()
    }
  }

  @Test func `a sign-up with a mistyped address is given up, and its passkey with it`() async throws {
    try await TestSite.run({
      $0.servePages()
      $0.sendMails(.beforeFirstUse)
    }) { (site, browser) in
      let ada = try await Visitor.open("/#create", in: browser)
      try await ada.signUp("adda@raxx.app")
      try await ada.see("verify")
      #expect(try await ada.device.passkeys().count == 1)
      try await ada.page.reload()
      try await ada.see("verify")
      try await ada.press("Wrong address?")
      try await ada.see("create")
      _ = try await ada.page.wait(for: "the signal") { $0.deletedCredentials.isEmpty ? nil : true }
      #expect(try await ada.device.passkeys().isEmpty)
      #expect(try await ada.page.run("return document.getElementById('new-email').value").string == "adda@raxx.app")
      #expect(try await ada.page.run("return localStorage.getItem('verification') === null").bool)
      try await ada.signUp("ada@raxx.app")
      try await ada.see("verify")
      #expect(try await ada.text("#verify-lead") == "We sent a code to ada@raxx.app. Enter it here.")
      ada.expectOrder()
    }
  }

  @Test func `a sign-in before the verification continues with the code`() async throws {
    try await TestSite.run({
      $0.servePages()
      $0.sendMails(.beforeFirstUse)
    }) { (site, browser) in
      let ada = try await Visitor.open("/", in: browser)
      try await ada.disableAutofill()
      try await ada.open("/#create")
      try await ada.signUp("ada@raxx.app")
      try await ada.see("verify")
      try await ada.page.run("localStorage.clear()")
      try await ada.press("Back to sign-in")
      try await ada.see("sign-in")
      try await ada.press("Sign in with a passkey")
      try await ada.see("verify")
      try await ada.fill("Code from the email", try await site.mailedCode())
      try await ada.press("Verify")
      try await ada.see("sign-in")
      try await ada.hear("Your email address is verified.")
      try await ada.press("Sign in with a passkey")
      try await ada.arrive(at: "/account")
      ada.expectOrder()
    }
  }

  @Test func `a lost passkey is replaced with the code of the mail, after the waiting period`() async throws {
    try await TestSite.run({
      $0.servePages()
      $0.sendMails(.off, recovery: .email(waiting: .seconds(3_600)))
    }) { (site, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await ada.device.setTouched(false)
      try await ada.press("Sign out")
      try await ada.see("sign-in")
      try await ada.device.clear()
      try await ada.device.setTouched(true)
      try await ada.press("Lost your passkey?")
      try await ada.see("recover")
      try await ada.fill("Email address", "ada@raxx.app")
      try await ada.press("Send recovery code")
      try await ada.hear("If an account has this address, an email with a code is on its way.")
      #expect(try await ada.focus() == "recovery-code")
      let code = try await site.takeMail(.recoveryRequested)
      try await ada.fill("Recovery code", code.exposedText)
      try await ada.press("Create a new passkey")
      let problem = try await ada.problem()
      #expect(problem.contains("The recovery code is not valid yet. The code is valid from "))
      site.clock.pass(seconds: 3_700)
      try await ada.press("Create a new passkey")
      try await ada.arrive(at: "/account")
      #expect(try await ada.device.passkeys().count == 1)
      ada.expectOrder()
    }
  }

  @Test func `a recovery that a stranger requested is cancelled with its code, or in the account`() async throws {
    try await TestSite.run({
      $0.servePages()
      $0.sendMails(.off, recovery: .email(waiting: .seconds(3_600)))
    }) { (site, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      let stranger = try await Visitor.open("/#recover", in: browser, context: browser.newContext())
      for round in 0..<2 {
        try await stranger.page.bringToFront()
        try await stranger.fill("Email address", "ada@raxx.app")
        try await stranger.press("Send recovery code")
        try await stranger.hear("an email with a code is on its way")
        let code = try await site.takeMail(.recoveryRequested)
        if round == 1 {
          try await stranger.press("I did not ask for a recovery")
          try await stranger.fill("Cancellation code from the email", try #require(code.exposedCancellation))
          try await stranger.press("Cancel the recovery")
          try await stranger.hear("The recovery is cancelled.")
        } else {
          try await ada.page.bringToFront()
          try await ada.press("Cancel the recovery")
          try await ada.hear("The recovery is cancelled.")
          try await ada.press("Cancel the recovery")
          #expect(try await ada.problem().contains("No recovery is under way for this account."))
        }
        site.clock.pass(seconds: 3_700)
        try await stranger.page.bringToFront()
        try await stranger.fill("Recovery code", code.exposedText)
        try await stranger.press("Create a new passkey")
        #expect(try await stranger.problem().contains("The code is wrong"))
        try await stranger.open("/#recover")
        try await stranger.page.reload()
      }
      stranger.expectOrder()
    }
  }

  @Test func `the address is changed with a confirmation and the code`() async throws {
    try await TestSite.run({
      $0.servePages()
      $0.sendMails()
    }) { (site, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      #expect(try await ada.text("#email-state") == "Not verified")
      try await ada.fill("New email address", "ada@raxx.example")
      try await ada.press("Change")
      let words = try await ada.answer("Confirm with a passkey")
      #expect(words.contains("Change the email address of your account to ada@raxx.example."))
      #expect(words.contains(#"{"email":"ada@raxx.example"}"#) && words.contains("POST /api/account/email"))
      try await ada.hear("a new code is on its way")
      // On a phone, the way to the mail and back loads the page again.
      try await ada.page.reload()
      try await ada.arrive(at: "/account")
      #expect(try await ada.text("#verify-lead") == "We sent a code to ada@raxx.example. Enter it here.")
      // Another code goes to the same address, and a wrong address gives the field of the present one back.
      try await ada.press("Send another code")
      #expect(try await ada.answer("Confirm with a passkey").contains("to ada@raxx.example."))
      try await ada.hear("a new code is on its way")
      try await ada.press("Wrong address?")
      #expect(try await !ada.page.run("return document.getElementById('verify').checkVisibility()").bool)
      try await ada.press("Verify")
      try await ada.hear("a new code is on its way")
      #expect(try await ada.text("#verify-lead") == "We sent a code to ada@raxx.app. Enter it here.")
      try await ada.press("Send another code")
      try await ada.hear("a new code is on its way")
      try await ada.press("Wrong address?")
      try await ada.fill("New email address", "ada@raxx.example")
      try await ada.press("Change")
      try await ada.answer("Confirm with a passkey")
      try await ada.hear("a new code is on its way")
      try await ada.fill("Code from the email", try await site.mailedCode())
      try await ada.press("Verify")
      try await ada.hear("Your email address is verified.")
      #expect(try await !ada.page.run("return document.getElementById('verify').checkVisibility()").bool)
      #expect(try await ada.text("#who") == "Signed in as ada@raxx.example.")
      #expect(try await ada.text("#email-state") == "Verified")
      ada.expectOrder()
    }
  }

  @Test func `a service without mail has no form for codes and addresses`() async throws {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      #expect(try await ada.headings() == ["Your account", "Passkeys", "Sessions", "Your data"])
      try await ada.device.setTouched(false)
      try await ada.press("Sign out")
      try await ada.press("Lost your passkey?")
      try await ada.see("recover")
      let text = try await ada.text("#recover")
      #expect(text.contains("Ask an administrator for a recovery code.") && !text.contains("Send recovery code"))
      ada.expectOrder()
    }
  }

  @Test func `the link of an invitation fills in the form, and its account has a verified address`() async throws {
    try await TestSite.run({
      $0.servePages()
      $0.policy = {
        TestSite.mailing(&$0, .required, recovery: .email(waiting: .seconds(3_600)))
        $0.signUp = .invitation
        $0.contact.invitations = .email
      }
    }) { (site, browser) in
      try await site.mailInvitation("ada@raxx.app")
      let code = try await site.mailedCode(.accountInvited)
      let link = SiteLinks(origin: "").invitation(code, for: "ada@raxx.app")
      let ada = try await Visitor.open(link, in: browser)
      try await ada.see("create")
      // The code is not in the address, nor in the history, and nothing was sent.
      #expect(try await ada.page.run("return location.hash").string == "#create")
      #expect(try await ada.page.run("return document.getElementById('invitation').value").string == code)
      #expect(try await ada.page.run("return document.getElementById('new-email').value").string == "ada@raxx.app")
      try await ada.press("Create account with a passkey")
      try await ada.arrive(at: "/account")
      #expect(try await ada.text("#email-state") == "Verified")
      ada.expectOrder()
    }
  }

  @Test func `the link of a mail verifies an address in another tab of the browser, and in no other browser`()
    async throws
  {
    try await TestSite.run({
      $0.servePages()
      $0.sendMails(.required)
    }) { (site, browser) in
      let ada = try await Visitor.open("/#create", in: browser)
      try await ada.askForCode("ada@raxx.app")
      let link = SiteLinks(origin: "").verification(try await site.mailedCode())
      let stranger = try await Visitor.open(link, in: browser, context: browser.newContext())
      try await stranger.see("sign-in")
      try await stranger.hear("This browser waits for no code.")
      try await ada.page.bringToFront()
      // As in another tab: the page begins again.
      try await ada.page.run("sessionStorage.clear()")
      try await ada.open("/account")
      try await ada.open(link)
      try await ada.see("verify")
      try await ada.press("Verify")
      try await ada.arrive(at: "/account")
      #expect(try await ada.page.run("return localStorage.getItem('verification')").isNull)
      ada.expectOrder()
    }
  }

  @Test func `the links of a recovery fill in the forms`() async throws {
    try await TestSite.run({
      $0.servePages()
      $0.sendMails(.off, recovery: .email(waiting: .seconds(3_600)))
    }) { (_, browser) in
      let links = SiteLinks(origin: "")
      let ada = try await Visitor.open(links.recovery("AAAAA-BBBBB", of: "ada+1@raxx.app"), in: browser)
      try await ada.see("recover")
      #expect(
        try await ada.page.run("return document.getElementById('recovery-email').value").string == "ada+1@raxx.app")
      #expect(try await ada.page.run("return document.getElementById('recovery-code').value").string == "AAAAA-BBBBB")
      #expect(try await ada.page.run("return document.getElementById('have-recovery').open").bool)
      try await ada.open(links.cancellation("CCCCC-DDDDD"))
      #expect(try await ada.page.run("return document.getElementById('cancel-code').value").string == "CCCCC-DDDDD")
      #expect(try await ada.page.run("return document.getElementById('stop-recovery').open").bool)
      ada.expectOrder()
    }
  }
}
