// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeyService
import PasskeyTestSupport
import Testing

/// The page at `/`: sign-in, new accounts, verification and recovery.
@Suite(.tags(.browser)) struct SignInPageTests {
  @Test(.tags(.sample)) func `a person creates an account, signs out, and signs in by autofill`() async throws {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.open(in: browser)
      #expect(try await ada.headings() == ["Sign in to Raxx"])
      try await ada.press("Create an account")
      try await ada.see("create")
      #expect(try await ada.headings() == ["Create an account"])
      #expect(try await ada.focus() == "create-title")
      try await ada.signUp("ada@raxx.app")
      try await ada.arrive(at: "/account")
      #expect(try await ada.text("#who") == "Signed in as ada@raxx.app.")
      // The device stays untouched, so that the autofill of the sign-in page waits.
      try await ada.device.setTouched(false)
      try await ada.press("Sign out")
      try await ada.see("sign-in")
      try await ada.hear("You are signed out.")
      try await ada.open("/account")
      try await ada.see("sign-in")
      #expect(try await ada.path() == "/?next=%2Faccount")
      // Elsewhere there is no autofill that the touch would end.
      try await ada.page.open("about:blank")
      try await ada.device.setTouched(true)
      let before = ada.page.records.exchanges.count
      try await ada.page.open("https://raxx.app/")
      try await ada.arrive(at: "/account")
      let calls = ada.page.records.exchanges.dropFirst(before).map(\.path)
      let services = calls.prefix { $0 != "/account" }.filter { $0.hasPrefix("/api/") }
      #expect(services == ["/api/auth/me", "/api/auth/login/options", "/api/auth/login/verify"])
      ada.expectOrder()
    }
  }

  @Test(arguments: ["", "ada@raxx.app"], ["Sign in with a passkey", "Use another device"])
  func `buttons sign in while the autofill waits`(address: String, button: String) async throws {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await ada.device.setTouched(false)
      try await ada.page.runInNewDocuments(
        """
        const get = navigator.credentials.get.bind(navigator.credentials);
        navigator.credentials.get = async (options) => {
          window.asked = options.mediation;
          if (!options.mediation) await new Promise((resolve) => { window.goOn = resolve; });
          return get(options);
        };
        """)
      try await ada.press("Sign out")
      try await ada.see("sign-in")
      try await ada.wait("the autofill") { "window.asked === 'conditional'" }
      if !address.isEmpty { try await ada.fill("Email address", address) }
      try await ada.press(button)
      // An earlier touch would end the autofill, and a later one would not end the dialog.
      try await ada.wait("the request") { "window.goOn" }
      try await ada.device.setTouched(true)
      try await ada.page.run("goOn()")
      try await ada.arrive(at: "/account")
      let bodies = ada.page.records.exchanges.filter { $0.path == "/api/auth/login/options" }.compactMap(\.body)
      #expect(bodies.last == (address.isEmpty ? "{}" : #"{"email":"ada@raxx.app"}"#))
      ada.expectOrder()
    }
  }

  @Test func `who declines hears what else there is, without an alert`() async throws {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await ada.disableAutofill()
      try await ada.press("Sign out")
      try await ada.see("sign-in")
      try await ada.device.setAcceptsUser(false)
      try await ada.press("Sign in with a passkey")
      try await ada.hear("Use another device, or create an account.")
      #expect(try await ada.text("#problem") == "")
      try await ada.press("What is a passkey?")
      try await ada.wait("the page") { "location.pathname === '/about-passkeys' && document.readyState === 'complete'" }
      #expect(try await ada.headings().first == "What is a passkey?")
      #expect(ada.page.records.exceptions == [] && ada.page.records.violations == [])
    }
  }

  @Test func `a passkey that the site does not know is refused in words, with a code for support`() async throws {
    try await TestSite.run({ $0.servePages() }) { (site, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await ada.disableAutofill()
      try await ada.press("Sign out")
      try await ada.see("sign-in")
      try await site.erase("ada@raxx.app")
      try await ada.press("Sign in with a passkey")
      let problem = try await ada.problem()
      #expect(problem.contains("The sign-in was refused.") && problem.contains("Code for support: sign-in.refused · "))
      ada.expectOrder()
    }
  }

  @Test func `a page leads to the sign-in and back, and the sign-in leads nowhere else`() async throws {
    try await TestSite.run({ $0.servePages() }) { (site, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await site.appoint("ada@raxx.app")
      try await ada.disableAutofill()
      try await ada.press("Sign out")
      try await ada.see("sign-in")
      try await ada.open("/admin")
      try await ada.see("sign-in")
      try await ada.press("Sign in with a passkey")
      try await ada.arrive(at: "/admin")
      // A signed-in person has no need of the sign-in page.
      for elsewhere in ["https://stranger.example/", "//stranger.example", "/api/auth/logout", "javascript:alert(1)"] {
        let query = try await ada.page.text("return encodeURIComponent(\(quoted(elsewhere)))")
        try await ada.open("/?next=\(query)")
        try await ada.arrive(at: "/account")
      }
      ada.expectOrder()
    }
  }

  @Test func `an account waits for approval, and the page says so`() async throws {
    try await TestSite.run({
      $0.servePages()
      $0.policy = { $0.signUp = .approval }
    }) { (site, browser) in
      let ada = try await Visitor.open("/", in: browser)
      try await ada.disableAutofill()
      try await ada.open("/#create")
      try await ada.signUp("ada@raxx.app")
      try await ada.see("waiting")
      #expect(try await ada.headings() == ["Your account is waiting for approval"])
      try await ada.press("Back to sign-in")
      try await ada.press("Sign in with a passkey")
      try await ada.see("waiting")
      try await site.approve("ada@raxx.app")
      try await ada.press("Back to sign-in")
      try await ada.press("Sign in with a passkey")
      try await ada.arrive(at: "/account")
      ada.expectOrder()
    }
  }

  @Test func `a service for invited people asks for the code`() async throws {
    try await TestSite.run({
      $0.servePages()
      $0.policy = { $0.signUp = .invitation }
    }) { (site, browser) in
      let ada = try await Visitor.open("/#create", in: browser)
      try await ada.fill("Email address", "ada@raxx.app")
      try await ada.fill("Invitation code", "AAAAA-AAAAA-AAAAA-AAAAA-AAAAA")
      try await ada.press("Create account with a passkey")
      #expect(try await ada.problem().contains("The code is wrong"))
      #expect(try await ada.page.run("return document.getElementById('invitation').required").bool)
      try await ada.fill("Invitation code", try await site.invite("ada@raxx.app"))
      try await ada.press("Create account with a passkey")
      try await ada.arrive(at: "/account")
      ada.expectOrder()
    }
  }
}
