// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeyHTTP
import PasskeyTestSupport
import Testing
import WebAuthnTypes

/// Passkeys of `https://raxx.app` on a page of another domain, which `/.well-known/webauthn` lists (WebAuthn Level 3, 5.11).
@Suite(.tags(.browser)) struct RelatedOriginTests {
  private func run(_ host: String, _ body: (ScriptedPage, VirtualAuthenticator) async throws -> Void) async throws {
    let related = try RelatedOrigins([try WebOrigin("https://raxx.example")], registeredDomains: ["raxx.example"])
    try await TestSite.run({
      $0.pages = ScriptedPage.files.mapValues { (file) in
        var file = file
        file.policy = file.policy.replacing("connect-src 'self'", with: "connect-src https://raxx.app")
        return file
      }
      $0.origins = ["https://raxx.app", "https://raxx.example", "https://stranger.example"]
      $0.documents.relatedOrigins = related
    }) { (_, browser) in
      let (script, device) = try await ScriptedPage.open(in: browser, at: "https://\(host)/")
      try await script.page.run("connect({base: 'https://raxx.app'})")
      try await body(script, try #require(device))
      #expect(script.page.records.violations == [])
    }
  }

  @Test func `a page of a related origin registers, signs in and confirms`() async throws {
    try await run("raxx.example") { (script, device) in
      let made = try await script.outcome("passkeys.signUp('ada@raxx.app')")
      #expect(made == "account,credential,extensions,session")
      #expect(try await device.passkeys().map(\.rpID) == ["raxx.app"])
      #expect(try await script.outcome("passkeys.signOut()") == "")
      #expect(try await script.outcome("passkeys.signIn()") == "account,extensions,session")
      #expect(try await script.outcome("passkeys.call('erase-account')") == "")
      #expect(try await script.outcome("passkeys.session()") == "null")
    }
  }

  @Test func `the browser refuses a page that the list does not name, even if the service knows it`() async throws {
    try await run("stranger.example") { (script, device) in
      let refused = try await script.outcome("passkeys.signUp('ada@raxx.app')")
      #expect(refused == "browser.wrong-origin")
      #expect(try await script.outcome("passkeys.signIn()") == "browser.wrong-origin")
      #expect(try await device.passkeys().isEmpty)
    }
  }
}
