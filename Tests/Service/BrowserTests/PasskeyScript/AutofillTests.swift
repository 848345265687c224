// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeyService
import PasskeyTestSupport
import Testing

/// Sign-in from the autofill of an input field (conditional mediation), and passkeys that the browser makes by itself
/// (conditional create).
@Suite(.tags(.browser)) struct AutofillTests {
  /// Opens a page with the signed-out account `ada@raxx.app`, and an authenticator that waits for its user.
  private func run(
    _ configure: (inout TestSite.Settings) -> Void = { _ in },
    _ body: (TestSite, ScriptedPage, VirtualAuthenticator) async throws -> Void
  ) async throws {
    try await TestSite.run({
      $0.pages = ScriptedPage.files
      configure(&$0)
    }) { (site, browser) in
      let (script, authenticator) = try await ScriptedPage.open(in: browser)
      _ = try await script.outcome("passkeys.signUp('ada@raxx.app').then(() => passkeys.signOut())")
      let device = try #require(authenticator)
      try await script.page.run("news.length = 0")
      try await body(site, script, device)
      #expect(script.page.records.violations == [] && script.page.records.exceptions == [])
    }
  }

  /// Begins a sign-in with autofill in a browser whose user decides later: `choose()` chooses the passkey.
  private func begin(_ script: ScriptedPage) async throws {
    try await script.page.run(
      """
      window.asked = 0;
      const get = navigator.credentials.get.bind(navigator.credentials);
      navigator.credentials.get = async (options) => {
        if (options.mediation !== 'conditional') return get(options);
        await new Promise((done, fail) => {
          window.choose = done;
          options.signal.addEventListener('abort', () => fail(options.signal.reason));
          window.asked += 1;
        });
        return get(options);
      };
      window.stop = new AbortController();
      window.autofill = outcome(passkeys.signInWithAutofill({signal: stop.signal}));
      """)
    try await script.page.wait(until: "asked === 1")
  }

  @Test func `a passkey that the user chooses in autofill signs in`() async throws {
    try await run { (_, script, _) in
      try await begin(script)
      try await script.page.run("choose()")
      #expect(try await script.text("await autofill") == "account,extensions,session")
      #expect(try await script.news() == "started")
    }
  }

  @Test func `an aborted autofill ends without an error`() async throws {
    try await run { (_, script, device) in
      // The browser itself waits here, for a touch.
      try await device.setTouched(false)
      try await script.page.run(
        """
        window.stop = new AbortController();
        window.autofill = outcome(passkeys.signInWithAutofill({signal: stop.signal}));
        """)
      _ = try await script.page.wait(for: "options for autofill") { (records) in
        records.exchanges.contains { $0.body == #"{"mediation":"conditional"}"# && $0.status == 200 } ? true : nil
      }
      let early = try await script.text(
        "await Promise.race([autofill, new Promise((done) => setTimeout(done, 80, 'waiting'))])")
      #expect(early == "waiting")
      let ending = try await script.text("await (stop.abort(), autofill)")
      #expect(ending == "null")
      #expect(try await script.outcome("passkeys.signInWithAutofill({signal: stop.signal})") == "null")
      try await device.setTouched(true)
      #expect(try await script.outcome("passkeys.signInWithAutofill()") == "account,extensions,session")
    }
  }

  @Test func `autofill makes way for a sign-in with a button, which ends it`() async throws {
    try await run { (_, script, _) in
      try await begin(script)
      #expect(try await script.outcome("passkeys.signIn('ada@raxx.app')") == "account,extensions,session")
      #expect(try await script.text("await autofill") == "null")
      #expect(try await script.news() == "started")
    }
  }

  @Test func `autofill goes on after a sign-in that the user declined`() async throws {
    try await run { (_, script, device) in
      try await begin(script)
      try await device.setAcceptsUser(false)
      #expect(try await script.outcome("passkeys.signIn('ada@raxx.app')") == "browser.cancelled")
      try await script.page.wait(until: "asked === 2")
      try await device.setAcceptsUser(true)
      try await script.page.run("choose()")
      #expect(try await script.text("await autofill") == "account,extensions,session")
    }
  }

  @Test func `autofill fetches a new challenge before the old one expires`() async throws {
    try await run { (site, script, _) in
      try await script.makeClockFast()
      try await begin(script)
      for round in 2...3 {
        // The options live for 30 minutes; the script renews them five seconds before their end.
        site.clock.pass(seconds: 1_796)
        try await script.page.run("passTime(1796)")
        try await script.page.wait(until: "asked === \(round)")
      }
      try await script.page.run("choose()")
      #expect(try await script.text("await autofill") == "account,extensions,session")
    }
  }

  @Test func `a choice after the end of the challenge leads to a new offer`() async throws {
    try await run { (site, script, _) in
      try await begin(script)
      site.clock.pass(seconds: 1_801)
      try await script.page.run("choose()")
      try await script.page.wait(until: "asked === 2")
      try await script.page.run("choose()")
      #expect(try await script.text("await autofill") == "account,extensions,session")
      #expect(script.page.records.exchanges.contains { $0.path == "/api/auth/login/verify" && $0.status == 410 })
    }
  }

  @Test func `a browser that has nothing to offer ends autofill without an error`() async throws {
    try await run { (_, script, device) in
      try await device.clear()
      let outcome = try await script.outcome("passkeys.signInWithAutofill()")
      #expect(outcome == "null")
    }
  }

  @Test func `a second autofill replaces the first`() async throws {
    try await run { (_, script, _) in
      try await begin(script)
      try await script.page.run("window.second = outcome(passkeys.signInWithAutofill())")
      #expect(try await script.text("await autofill") == "null")
      try await script.page.wait(until: "asked === 2")
      try await script.page.run("choose()")
      #expect(try await script.text("await second") == "account,extensions,session")
    }
  }

  // MARK: Conditional create

  @Test func `the offer of a passkey for this device is used once, after a sign-in with another device`() async throws {
    try await TestSite.run({
      $0.pages = ScriptedPage.files
      $0.policy = { $0.creationOffer = .afterCrossDevice }
    }) { (_, browser) in
      let (script, key) = try await ScriptedPage.open(in: browser, .securityKey)
      _ = try await script.outcome("passkeys.signUp('ada@raxx.app').then(() => passkeys.signOut())")
      _ = try await script.outcome("passkeys.signIn('ada@raxx.app')")
      // This Chromium has no provider of passkeys, which would create one without a dialog: the page's own call stands for it.
      try await key?.remove()
      try await script.page.addAuthenticator()
      try await script.page.run(
        """
        const create = navigator.credentials.create.bind(navigator.credentials);
        navigator.credentials.create = ({mediation, ...others}) => {
          window.mediation = mediation;
          return create(others);
        };
        """)
      #expect(
        try await script.outcome("passkeys.upgradeToPasskey({name: 'This device'})") == "account,credential,extensions")
      #expect(try await script.text("mediation") == "conditional")
      #expect(try await script.text("(await passkeys.passkeys()).map(({name}) => name).sort().pop()") == "This device")
      #expect(try await script.outcome("passkeys.upgradeToPasskey()") == "null")
      #expect(try await script.news() == "started,ended signed-out,started")
    }
  }

  @Test func `a browser that declines to create a passkey by itself is no error`() async throws {
    try await TestSite.run({
      $0.pages = ScriptedPage.files
      $0.policy = { $0.creationOffer = .afterCrossDevice }
    }) { (_, browser) in
      let (script, _) = try await ScriptedPage.open(in: browser, .securityKey)
      _ = try await script.outcome("passkeys.signUp('ada@raxx.app').then(() => passkeys.signOut())")
      _ = try await script.outcome("passkeys.signIn('ada@raxx.app')")
      try await script.page.run(
        "navigator.credentials.create = async () => { throw new DOMException('declined', 'NotAllowedError'); }")
      #expect(try await script.outcome("passkeys.upgradeToPasskey()") == "null")
      #expect(try await script.text("(await passkeys.passkeys()).length") == "1")
    }
  }
}
