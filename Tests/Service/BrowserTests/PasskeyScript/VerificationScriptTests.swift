// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeyService
import PasskeyTestSupport
import Testing

/// Addresses that the codes of mails verify, and accounts that they recover.
@Suite(.tags(.browser)) struct VerificationScriptTests {
  private func run(
    _ rule: ServicePolicy.Contact.EmailVerification, recovery: ServicePolicy.Contact.EmailRecovery = .administrator,
    _ body: (TestSite, ScriptedPage, VirtualAuthenticator) async throws -> Void
  ) async throws {
    try await TestSite.run({
      $0.pages = ScriptedPage.files
      $0.policy = { TestSite.mailing(&$0, rule, recovery: recovery) }
    }) { (site, browser) in
      let (script, authenticator) = try await ScriptedPage.open(in: browser)
      try await body(site, script, try #require(authenticator))
      #expect(script.page.records.violations == [] && script.page.records.exceptions == [])
    }
  }

  /// The members of an error that concern a verification.
  private static let details =
    ".catch((error) => [error.code, error.status, error.attemptsLeft, error.verification?.token.length, error.notBefore].join())"

  private func wrong(_ code: String) -> String { code == "0000-0000" ? "0000-0001" : "0000-0000" }

  @Test func `a registration is finished with the code of the mail`() async throws {
    try await run(.required) { (site, script, _) in
      let begun = try await script.outcome("passkeys.signUp('ada@raxx.app', {name: 'Desk'})")
      #expect(begun == "extensions,verification")
      #expect(try await script.outcome("passkeys.session()") == "null")
      let code = try await site.mailedCode()
      let refused = try await script.text("await passkeys.verify('\(wrong(code))')\(Self.details)")
      #expect(refused == "email.code-refused,403,4,,")
      #expect(try await script.news() == "")
      // People type what they read.
      let typed = code.lowercased().replacing("-", with: " ")
      #expect(try await script.outcome("passkeys.verify(' \(typed)')") == "account,credential,session")
      #expect(try await script.news() == "started")
      #expect(try await script.text("(await passkeys.session()).account.email") == "ada@raxx.app")
      #expect(try await script.text("(await passkeys.passkeys())[0].name") == "Desk")
      #expect(try await script.outcome("passkeys.verify('\(code)')") == "email.verification-unknown")
    }
  }

  @Test func `a verification survives a reload with its token, and its code can be sent again`() async throws {
    try await run(.required) { (site, script, _) in
      let token = try await script.text("(await passkeys.signUp('ada@raxx.app')).verification.token")
      let first = try await site.mailedCode()
      try await script.page.reload()
      try await script.ready()
      #expect(try await script.outcome("passkeys.verify('\(first)')") == "email.verification-unknown")
      #expect(try await script.outcome("passkeys.resendCode()") == "email.verification-unknown")
      #expect(try await script.outcome("passkeys.resendCode({token: '\(token)'})") == "verification")
      // The reply's token is that of the page again.
      let latest = try await site.mailedCode()
      #expect(try await script.outcome("passkeys.verify('\(latest)')") == "account,credential,session")
    }
  }

  @Test func `a page cannot tell a taken address from a free one`() async throws {
    try await run(.required) { (site, script, authenticator) in
      _ = try await script.outcome("passkeys.signUp('ada@raxx.app')")
      _ = try await script.outcome("passkeys.verify('\(site.mailedCode())').then(() => passkeys.signOut())")
      // Another person's device.
      try await authenticator.clear()
      var answers: [String] = []
      for address in ["ada@raxx.app", "bob@raxx.app"] {
        let outcome = try await script.outcome("passkeys.signUp('\(address)')")
        let refusal = try await script.text("await passkeys.verify('0000-0000')\(Self.details)")
        answers.append("\(outcome) \(refusal)")
        try await authenticator.clear()
      }
      #expect(answers[0] == "extensions,verification email.code-refused,403,4,,")
      #expect(answers[0] == answers[1])
    }
  }

  @Test func `a sign-in before the verification begins another one`() async throws {
    try await run(.beforeFirstUse) { (site, script, _) in
      _ = try await script.outcome("passkeys.signUp('ada@raxx.app')")
      _ = try await site.mailedCode()
      try await script.page.reload()
      try await script.ready()
      let refused = try await script.text("await passkeys.signIn('ada@raxx.app')\(Self.details)")
      #expect(refused == "sign-in.email-unverified,403,,43,")
      // No session: the user signs in.
      #expect(try await script.outcome("passkeys.verify('\(site.mailedCode())')") == "account")
      #expect(try await script.news() == "")
      #expect(try await script.outcome("passkeys.signIn('ada@raxx.app')") == "account,extensions,session")
    }
  }

  @Test func `an address is changed after a confirmation, and the device shows the new one`() async throws {
    try await run(.off) { (site, script, authenticator) in
      _ = try await script.outcome("passkeys.signUp('ada@raxx.app')")
      try await script.page.run(
        """
        window.read = [];
        connect({beforeConfirmation: (request) => {
          read.push([request.method, request.path, request.body].join(' '));
          if (request.body.includes('eve')) throw new Error('not what I wanted');
        }});
        """)
      let stopped = try await script.text(
        "await passkeys.call('change-email', {'account.email': 'eve@raxx.app'}).catch((error) => error.message)")
      #expect(stopped == "not what I wanted")
      let begun = try await script.outcome("passkeys.call('change-email', {'account.email': 'lovelace@raxx.app'})")
      #expect(begun == "verification")
      #expect(try await script.text("read[1]") == #"POST /api/account/email {"email":"lovelace@raxx.app"}"#)
      #expect(try await script.text("read.length") == "2")
      let changed = try await script.text("(await passkeys.verify('\(site.mailedCode())')).account.email")
      #expect(changed == "lovelace@raxx.app")
      _ = try await script.page.wait(for: "the signal") { $0.changedCredentials.isEmpty ? nil : true }
      #expect(try await authenticator.passkeys().map(\.userName) == ["lovelace@raxx.app"])
    }
  }

  @Test func `an account is recovered with the code of a mail, after the waiting period`() async throws {
    try await run(.off, recovery: .email(waiting: .seconds(3_600))) { (site, script, authenticator) in
      let identifier = try await script.text("(await passkeys.signUp('ada@raxx.app')).account.id")
      #expect(try await script.outcome("passkeys.signOut()") == "")
      try await authenticator.clear()
      #expect(try await script.outcome("passkeys.call('request-recovery', {'account.email': 'ada@raxx.app'})") == "")
      let code = try await site.mailedCode(.recoveryRequested)
      let early = try await script.text("await passkeys.signUp('ada@raxx.app', {code: '\(code)'})\(Self.details)")
      #expect(early.hasPrefix("sign-up.code-too-early,403,,,20"))
      #expect(try await authenticator.passkeys().isEmpty)
      site.clock.pass(seconds: 3_601)
      let recovered = try await script.outcome("passkeys.signUp('ada@raxx.app', {code: '\(code)'})")
      #expect(recovered == "account,credential,extensions,session")
      #expect(try await script.text("(await passkeys.session()).account.id") == identifier)
    }
  }
}
