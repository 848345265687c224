// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeyTestSupport
import Testing

/// Registration and sign-in with `passkey.js`.
@Suite(.tags(.browser)) struct SignInScriptTests {
  @Test(.tags(.sample)) func `a user registers, signs out and signs in`() async throws {
    try await TestSite.run({ $0.pages = ScriptedPage.files }) { (_, browser) in
      let (script, authenticator) = try await ScriptedPage.open(in: browser)
      #expect(try await script.outcome("passkeys.session()") == "null")
      #expect(
        try await script.outcome("passkeys.signUp('ada@raxx.app', {name: 'Desk'})")
          == "account,credential,extensions,session")
      #expect(try await script.text("(await passkeys.session()).account.email") == "ada@raxx.app")
      #expect(try await script.text("(await passkeys.passkeys())[0].name") == "Desk")
      #expect(try await script.outcome("passkeys.signOut()") == "")
      #expect(try await script.outcome("passkeys.session()") == "null")
      #expect(try await script.outcome("passkeys.signIn('ada@raxx.app')") == "account,extensions,session")
      #expect(try await script.outcome("passkeys.signOut()") == "")
      #expect(try await script.outcome("passkeys.signIn()") == "account,extensions,session")
      #expect(try await script.news() == "started,ended signed-out,started,ended signed-out,started")
      #expect(try await authenticator?.passkeys().map(\.userName) == ["ada@raxx.app"])
      let records = script.page.records
      #expect(records.violations == [] && records.exceptions == [] && records.unreadEvents == [])
      // The session is in a cookie that scripts cannot read.
      #expect(try await script.text("document.cookie") == "")
      #expect(try await script.page.cookies()["__Host-raxx.session"] != nil)
    }
  }
}
