// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeyTestSupport
import Testing

/// Virtual authenticators, with calls of the browser's own API.
@Suite(.tags(.browser)) struct VirtualAuthenticatorTests {
  /// Creates a credential; returns what the page sees of it.
  private static let create = """
    const credential = await navigator.credentials.create({publicKey: {
      challenge: new Uint8Array(32), rp: {name: 'Raxx'}, user: {id: new Uint8Array([1]), name: 'ada', displayName: 'Ada'},
      pubKeyCredParams: [{type: 'public-key', alg: -7}], timeout: 60000,
      authenticatorSelection: {residentKey: 'preferred', userVerification: 'preferred'},
      extensions: {prf: {}, largeBlob: {support: 'preferred'}}}});
    const made = credential.toJSON();
    const bytes = Uint8Array.from(atob(made.response.authenticatorData.replace(/-/g, '+').replace(/_/g, '/')),
      (character) => character.charCodeAt(0));
    return [made.authenticatorAttachment, made.response.transports.join('+'), bytes[32] & 4 ? 'UV' : '',
      bytes[32] & 8 ? 'BE' : '', bytes[32] & 16 ? 'BS' : '', made.clientExtensionResults.prf?.enabled ?? false,
      made.clientExtensionResults.largeBlob?.supported ?? false].join();
    """

  private static func securityKey(
    _ change: (inout VirtualAuthenticator.Abilities) -> Void
  ) -> VirtualAuthenticator.Abilities {
    var abilities = VirtualAuthenticator.Abilities.securityKey
    change(&abilities)
    return abilities
  }

  private static let cases: [(VirtualAuthenticator.Abilities, String)] = [
    (.platform, "platform,internal,UV,,,false,false"),
    (.securityKey, "cross-platform,usb,UV,,,false,false"),
    (securityKey { ($0.verifiesUsers, $0.storesPasskeys) = (false, false) }, "cross-platform,usb,,,,false,false"),
    (securityKey { $0.transport = "nfc" }, "cross-platform,nfc,UV,,,false,false"),
    (
      {
        var abilities = VirtualAuthenticator.Abilities.platform
        (abilities.backsUp, abilities.hasPRF, abilities.hasLargeBlobs) = (true, true, true)
        return abilities
      }(), "platform,internal,UV,BE,BS,true,true"
    ),
  ]

  @Test(arguments: cases.indices)
  func `an authenticator has the abilities that the test gives it`(_ index: Int) async throws {
    let (abilities, expected) = Self.cases[index]
    try await TestSite.run({ $0.pages = ["/": .html("<title>page</title>")] }) { (_, browser) in
      let page = try await browser.newPage("https://raxx.app/")
      let authenticator = try await page.addAuthenticator(abilities)
      #expect(try await page.text(Self.create) == expected)
      let stored = try #require(try await authenticator.passkeys().first)
      #expect(stored.rpID == "raxx.app" && stored.isBackedUp == abilities.backsUp)
      #expect(page.records.createdCredentials.count == 1)
    }
  }

  @Test func `a device without a touch waits until the page gives up`() async throws {
    try await TestSite.run({ $0.pages = ["/": .html("<title>page</title>")] }) { (_, browser) in
      let page = try await browser.newPage("https://raxx.app/")
      let authenticator = try await page.addAuthenticator()
      try await authenticator.setTouched(false)
      let outcome = try await page.text(
        """
        const controller = new AbortController();
        const pending = navigator.credentials.create({signal: controller.signal, publicKey: {
          challenge: new Uint8Array(32), rp: {name: 'Raxx'}, user: {id: new Uint8Array([1]), name: 'a', displayName: 'A'},
          pubKeyCredParams: [{type: 'public-key', alg: -7}]}}).then(() => 'made', (error) => error.name);
        const first = await Promise.race([pending, new Promise((done) => setTimeout(done, 80, 'waiting'))]);
        controller.abort();
        return first + ' ' + await pending;
        """)
      #expect(outcome == "waiting AbortError")
      #expect(try await authenticator.passkeys().isEmpty)
    }
  }

  @Test func `a passkey moves to the authenticator of another tab`() async throws {
    try await TestSite.run({ $0.pages = ["/": .html("<title>page</title>")] }) { (_, browser) in
      let (page, other) = (
        try await browser.newPage("https://raxx.app/"), try await browser.newPage("https://raxx.app/")
      )
      let (first, second) = (try await page.addAuthenticator(), try await other.addAuthenticator())
      try await page.bringToFront()
      _ = try await page.text(Self.create)
      try await other.bringToFront()
      try await first.copyPasskeys(to: second)
      #expect(try await first.passkeys().map(\.identifier) == second.passkeys().map(\.identifier))
      try await first.clear()
      #expect(try await first.passkeys().isEmpty)
      #expect(
        try await other.text(
          "return (await navigator.credentials.get({publicKey: {challenge: new Uint8Array(32)}})).type") == "public-key"
      )
      #expect(other.records.usedCredentials.count == 1)
    }
  }
}
