// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeyProfiles
import PasskeyService
import PasskeyTestSupport
import Testing

/// `passkey.js` with other profiles, other authenticators and other origins.
@Suite(.tags(.browser)) struct ProfileScriptTests {
  @Test func `Yapt: user names, a cookie for the ceremony, and another form of errors`() async throws {
    try await TestSite.run({
      $0.pages = ScriptedPage.files
      $0.profile = .yapt
    }) { (_, browser) in
      let (script, _) = try await ScriptedPage.open(in: browser)
      #expect(try await script.outcome("passkeys.signUp('ada')").hasPrefix("account"))
      #expect(try await script.text("(await passkeys.session()).account.username") == "ada")
      #expect(try await script.page.cookies()["yapt.sid"] != nil)
      // Adding a passkey takes no confirmation here. The same device is excluded.
      #expect(try await script.outcome("passkeys.addPasskey()") == "browser.already-registered")
      #expect(try await script.text("(await passkeys.passkeys()).length") == "1")
      #expect(try await script.outcome("passkeys.signOut()") == "")
      #expect(try await script.outcome("passkeys.signIn('ada')").hasPrefix("account"))
      #expect(try await script.outcome("passkeys.signOut()") == "")
      #expect(try await script.outcome("passkeys.signUp('ada')") == "sign-up.username-taken")
      #expect(script.page.records.violations == [] && script.page.records.exceptions == [])
    }
  }

  @Test func `Aiday: an account that waits for its approval`() async throws {
    try await TestSite.run({
      $0.pages = ScriptedPage.files
      $0.profile = .aiday
    }) { (site, browser) in
      let (script, _) = try await ScriptedPage.open(in: browser)
      let state = try await script.text(
        "(await passkeys.signUp({username: 'ada', email: 'ada@raxx.app'})).account.state")
      #expect(state == "pending")
      try await site.approve("ada@raxx.app")
      #expect(try await script.outcome("passkeys.signIn('ada')").contains("account"))
      #expect(try await script.text("(await passkeys.session()).account.username") == "ada")
    }
  }

  @Test func `a service with tokens only needs no other setting than its address`() async throws {
    try await TestSite.run({
      $0.pages = ScriptedPage.files.mapValues { (file) in
        var file = file
        file.policy = file.policy.replacing("connect-src 'self'", with: "connect-src https://raxx.app")
        return file
      }
      $0.profile = .aiday
      $0.policy = { $0.signUp = .open }
      $0.origins = ["https://raxx.app", "https://shop.raxx.app"]
    }) { (_, browser) in
      let (script, _) = try await ScriptedPage.open(in: browser, at: "https://shop.raxx.app/")
      try await script.page.run("connect({base: 'https://raxx.app'})")
      let names = "{username: 'ada', email: 'ada@raxx.app'}"
      #expect(try await script.outcome("passkeys.signUp(\(names))").hasPrefix("account"))
      #expect(try await script.text("(await passkeys.session()).account.username") == "ada")
      #expect(try await script.outcome("passkeys.signOut()") == "")
      #expect(try await script.outcome("passkeys.session()") == "null")
    }
  }

  /// Authenticators with which a user registers and signs in under Raxx's policy, or the code of the refusal.
  private static let devices: [(String, VirtualAuthenticator.Abilities, String)] = {
    var list: [(String, VirtualAuthenticator.Abilities, String)] = [
      ("platform", .platform, ""), ("security key with a PIN", .securityKey, ""),
    ]
    func add(_ name: String, _ refusal: String, _ change: (inout VirtualAuthenticator.Abilities) -> Void) {
      var abilities = VirtualAuthenticator.Abilities.securityKey
      change(&abilities)
      list.append((name, abilities, refusal))
    }
    add("phone", "") { $0.transport = "hybrid" }
    add("backed-up", "") { ($0.transport, $0.backsUp) = ("internal", true) }
    add("prf", "") { $0.hasPRF = true }
    add("large blobs", "") { $0.hasLargeBlobs = true }
    add("without verification of the user", "browser.cancelled") {
      ($0.verifiesUsers, $0.storesPasskeys) = (false, false)
    }
    add("without discoverable passkeys", "browser.cancelled") { $0.storesPasskeys = false }
    add("U2F", "browser.cancelled") { ($0.isU2F, $0.verifiesUsers, $0.storesPasskeys) = (true, false, false) }
    return list
  }()

  @Test(arguments: devices.indices)
  func `a device registers and signs in, or fails with a code`(_ index: Int) async throws {
    let (name, abilities, refusal) = Self.devices[index]
    try await TestSite.run({ $0.pages = ScriptedPage.files }) { (_, browser) in
      let (script, _) = try await ScriptedPage.open(in: browser, abilities)
      // A device that cannot fulfill the options waits for another one until the time-out.
      try await script.page.intercept("https://raxx.app/api/auth/register/options") { _ in .send() }
      let shortened = """
        const create = navigator.credentials.create.bind(navigator.credentials);
        navigator.credentials.create = (options) => {
          if ('\(refusal)') options.publicKey.timeout = 1;
          return create(options);
        };
        """
      try await script.page.run(shortened)
      let made = try await script.outcome(
        "passkeys.signUp('ada@raxx.app').then((made) => passkeys.signOut().then(() => made))")
      #expect(made == (refusal.isEmpty ? "account,credential,extensions,session" : refusal), "\(name)")
      guard refusal.isEmpty else { return }
      #expect(try await script.outcome("passkeys.signIn('ada@raxx.app')") == "account,extensions,session", "\(name)")
      #expect(
        try await script.text("(await passkeys.passkeys())[0].backedUp") == (abilities.backsUp ? "true" : "false"))
    }
  }

  @Test func `the outputs of prf and large blobs go to the page, and not to the server`() async throws {
    var abilities = VirtualAuthenticator.Abilities.platform
    (abilities.hasPRF, abilities.hasLargeBlobs) = (true, true)
    try await TestSite.run({ $0.pages = ScriptedPage.files }) { [abilities] (_, browser) in
      let (script, device) = try await ScriptedPage.open(in: browser, abilities)
      let enabled = try await script.text(
        """
        JSON.stringify((await passkeys.signUp('ada@raxx.app', {extensions: {prf: {}, largeBlob: {support: 'required'}}}))
          .extensions)
        """)
      #expect(enabled.contains(#""prf":{"enabled":true}"#) && enabled.contains(#""largeBlob":{"supported":true}"#))
      let salt = String(repeating: "A", count: 43)
      let length = try await script.text(
        "(await passkeys.signIn(undefined, {extensions: {prf: {eval: {first: '\(salt)'}}}})).extensions.prf.results.first.byteLength"
      )
      #expect(length == "32")
      _ = try await script.text(
        "(await passkeys.signIn('ada@raxx.app', {extensions: {largeBlob: {write: 'AQID'}}})).extensions.largeBlob.written"
      )
      #expect(try await device?.passkeys().first?.largeBlob == [1, 2, 3])
      let blob = try await script.text(
        "new Uint8Array((await passkeys.signIn('ada@raxx.app', {extensions: {largeBlob: {read: true}}})).extensions.largeBlob.blob)"
      )
      #expect(blob == "1,2,3")
      let sent = script.page.records.exchanges.filter { $0.path == "/api/auth/login/verify" }.compactMap(\.body)
      #expect(sent.count == 3 && !sent.contains { $0.contains("results") || $0.contains(#""blob""#) })
    }
  }

  @Test func `a page of another origin signs in with a token`() async throws {
    try await TestSite.run({
      $0.pages = ScriptedPage.files.mapValues { (file) in
        var file = file
        file.policy = file.policy.replacing("connect-src 'self'", with: "connect-src https://raxx.app")
        return file
      }
      $0.origins = ["https://raxx.app", "https://app.raxx.app"]
    }) { (_, browser) in
      let (script, _) = try await ScriptedPage.open(in: browser, at: "https://app.raxx.app/")
      try await script.page.run("connect({base: 'https://raxx.app'})")
      #expect(try await script.outcome("passkeys.signUp('ada@raxx.app')") == "account,credential,extensions,session")
      #expect(try await script.outcome("passkeys.session()") == "account,session")
      // A token is not for other sites, nor for other tabs.
      #expect(try await script.page.cookies() == [:])
      #expect(try await script.outcome("passkeys.signOut()") == "")
      #expect(try await script.outcome("passkeys.session()") == "null")
    }
  }

  @Test func `an origin that the service does not know cannot use its passkeys`() async throws {
    try await TestSite.run({
      $0.pages = ScriptedPage.files
      $0.origins = ["https://raxx.app"]
    }) { (_, browser) in
      // The browser allows the subdomain, and the service refuses it.
      let (script, _) = try await ScriptedPage.open(in: browser, at: "https://app.raxx.app/")
      #expect(try await script.outcome("passkeys.signUp('ada@raxx.app')") == "service.origin-mismatch")
    }
  }

  @Test func `an immediate sign-in is passed on to the browser`() async throws {
    try await TestSite.run({
      $0.pages = ScriptedPage.files
      $0.policy = { $0.uiMode = .immediate }
    }) { (_, browser) in
      let (script, _) = try await ScriptedPage.open(in: browser)
      try await script.page.run(
        """
        navigator.credentials.get = async ({uiMode}) => { window.uiMode = uiMode; throw new DOMException('', 'NotAllowedError'); };
        """)
      #expect(try await script.outcome("passkeys.signIn()") == "browser.no-passkey")
      #expect(try await script.text("uiMode") == "immediate")
      #expect(try await script.outcome("passkeys.signIn('ada@raxx.app')") == "browser.cancelled")
      #expect(try await script.text("uiMode") == "undefined")
    }
  }
}
