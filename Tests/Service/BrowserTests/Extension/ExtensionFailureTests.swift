// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyTestSupport
import Testing

/// The extension when something is missing: a PIN, the host, the vault's key, or the permission of an embedding page.
@Suite(.tags(.browser)) struct ExtensionFailureTests {
  @Test func `the window asks for the PIN, and again after a wrong one`() async throws {
    let vault = "--vault vault --no-passphrase"
    let setup = ExtensionSite.Setup(
      options: "--approve window",
      commands: """
        passkey authenticator --stdio \(vault) --vault-cost test </dev/null; echo 1234 >pin
        passkey keys pin set \(vault) --pin-file pin
        """)
    try await ExtensionSite.run(setup) { (world) in
      let page = world.script.page
      try await page.run("window.pending = outcome(passkeys.signUp('ada@raxx.app'));")
      let window = try await world.question("Type the PIN of the device")
      #expect(try await window.text("return document.activeElement.id + document.activeElement.type;") == "pinpassword")
      try await answer(window, pin: "0000")
      try await window.wait(until: "document.getElementById('pin-text').textContent.includes('7 attempts left')")
      try await answer(window, pin: "1234")
      try await world.approve(world.question("Create a passkey?"))
      #expect(try await page.text("return await pending;") == "account,credential,extensions,session")
      try await world.windowCloses()
    }
  }

  @Test func `a host that dies cancels its ceremony, and is started again`() async throws {
    try await ExtensionSite.run("--approve window") { (world) in
      let page = world.script.page
      try await page.run("window.pending = outcome(passkeys.signUp('ada@raxx.app'));")
      _ = try await world.question("Create a passkey?")
      try await world.killHost()
      #expect(try await page.text("return await pending;") == "browser.cancelled")
      try await world.windowCloses()
      try await world.attached(to: page)
      try await page.run("window.pending = outcome(passkeys.signUp('ada@raxx.app'));")
      try await world.approve(world.question("Create a passkey?"))
      #expect(try await page.text("return await pending;") == "account,credential,extensions,session")
    }
  }

  @Test func `without a host the browser's own passkeys work`() async throws {
    try await ExtensionSite.run(.init(hasHost: false)) { (world) in
      let page = world.script.page
      let own = try await world.extensionPage()
      let isDetached = try await HangGuard.waits {
        try await own.text("return await chrome.action.getTitle({});")
          .contains("host not found. Click to connect again.")
      }
      #expect(isDetached)
      #expect(try await own.text("return await chrome.action.getBadgeText({});") == "off")
      try await page.bringToFront()
      let device = try await page.addAuthenticator()
      #expect(try await world.script.outcome("passkeys.signUp('ada@raxx.app')").hasPrefix("account"))
      #expect(try await device.passkeys().count == 1)
    }
  }

  @Test func `a locked vault fails the ceremony, and the button says why`() async throws {
    let passphrase = "PASSKEY_PASSPHRASE=one"
    let setup = ExtensionSite.Setup(
      vault: "",
      commands: """
        \(passphrase) passkey authenticator --stdio --vault vault --vault-cost test </dev/null
        passkey agent start --locked
        """)
    try await ExtensionSite.run(setup) { (world) in
      do {
        #expect(try await world.script.outcome("passkeys.signUp('ada@raxx.app')") == "browser.cancelled")
        let own = try await world.extensionPage()
        #expect(try await own.text("return await chrome.action.getTitle({});").contains("vault"))
        #expect(try await own.text("return await chrome.action.getBadgeText({});") == "!")
        try await world.script.page.bringToFront()
        try await world.shell("\(passphrase) passkey agent unlock --vault vault")
        let made = try await world.script.outcome("passkeys.signUp('ada@raxx.app')")
        #expect(made == "account,credential,extensions,session")
        #expect(try await own.text("return await chrome.action.getBadgeText({});") == "")
        try await world.shell("passkey agent stop")
      } catch {
        _ = try? await world.shell("passkey agent stop")
        throw error
      }
    }
  }

  @Test func `a frame of another site needs its page's permission, and its client data says so`() async throws {
    try await ExtensionSite.run("--approve always", { $0.pages.merge(Self.framePages) { (first, _) in first } }) {
      (world) in
      #expect(try await world.script.outcome("passkeys.signUp('ada@raxx.app')").hasPrefix("account"))
      let page = try await world.browser.newPage("https://stranger.example/outer")
      try await page.bringToFront()
      try await page.wait(until: "ready === 2")
      let ask = { (frame: String, method: String) in
        "return await ask(document.getElementById('\(frame)'), '\(method)');"
      }
      // Chromium does not name the embedding page.
      #expect(try await page.text(ask("allowed", "get")) == "webauthn.get,https://raxx.app,true,undefined")
      #expect(try await page.text(ask("denied", "get")) == "NotAllowedError")
      #expect(try await page.text(ask("denied", "create")) == "NotAllowedError")
      // Browsers require a click in the frame before a registration.
      #expect(try await page.text(ask("allowed", "create on click")) == "waits")
      try await page.run("window.pending = next();")
      try await page.click("#allowed")
      #expect(try await page.text("return await pending;") == "webauthn.create,https://raxx.app,true,undefined")
    }
  }

  @Test func `a response that the browser cannot read ends the call`() async throws {
    try await ExtensionSite.run("--approve always --fault attestation-object-cut") { (world) in
      let create = { (algorithms: String) in
        """
        return await navigator.credentials.create({publicKey: {
          challenge: new Uint8Array(32), rp: {name: 'Raxx'}, user: {id: new Uint8Array([1]), name: 'a', displayName: 'A'},
          pubKeyCredParams: \(algorithms).map((alg) => ({type: 'public-key', alg}))}})
          .then(() => 'made', (error) => error.name);
        """
      }
      let unreadable = try await world.script.page.text(create("[-36, -7]"))
      #expect(unreadable == "NotAllowedError")
      // Chromium reads no key of this algorithm from an extension, so the host makes none.
      let unsupported = try await world.script.page.text(create("[-36]"))
      #expect(unsupported == "NotSupportedError")
    }
  }

  @Test func `a request that is too long fails alone`() async throws {
    try await ExtensionSite.run("--approve window") { (world) in
      let page = world.script.page
      let create = """
        navigator.credentials.create({publicKey: {
          challenge: new Uint8Array(32), rp: {name: 'Raxx'}, pubKeyCredParams: [{type: 'public-key', alg: -7}],
          user: {id: new Uint8Array([1]), name: 'a', displayName: 'A'.repeat(length)}}})
          .then(() => 'made', (error) => error.name)
        """
      // A page of the same browser, whose ceremony waits for its user.
      try await page.run("window.pending = outcome(passkeys.signUp('ada@raxx.app'));")
      let window = try await world.question("Create a passkey?")
      let other = try await world.browser.newPage("https://raxx.app/")
      try await other.bringToFront()
      #expect(try await other.text("const length = 400_000; return await \(create);") == "NotAllowedError")
      try await page.bringToFront()
      try await world.approve(window)
      #expect(try await page.text("return await pending;") == "account,credential,extensions,session")
      // A request that the host reads, and refuses.
      #expect(try await page.text("const length = 100_000; return await \(create);") == "NotAllowedError")
    }
  }

  @Test func `Chromium installs the packed extension`() async throws {
    try await ExtensionSite.run(.init(isPacked: true)) { (world) in
      let made = try await world.script.outcome("passkeys.signUp('ada@raxx.app')")
      #expect(made == "account,credential,extensions,session")
    }
  }

  private func answer(_ window: Page, pin: String) async throws {
    try await window.wait(until: "!document.getElementById('approve').disabled")
    try await window.run(
      "document.getElementById('pin').value = '\(pin)'; document.getElementById('approve').click();")
  }

  /// The page of `https://stranger.example` with two frames, one with the permission to use passkeys.
  private static let framePages: [String: SitePage] = [
    "/outer": .html(
      """
      <!doctype html><html lang="en"><title>Outer</title><script src="/outer.js"></script>
      <iframe id="allowed" title="Allowed" src="https://raxx.app/inner"
        allow="publickey-credentials-get https://raxx.app; publickey-credentials-create https://raxx.app"></iframe>
      <iframe id="denied" title="Denied" src="https://raxx.app/inner"></iframe>
      """, policy: "default-src 'none'; script-src 'self'; frame-src https://raxx.app"),
    "/outer.js": .script(
      """
      window.ready = 0;
      let answered;
      addEventListener('message', ({data}) => { if (data === 'ready') ready += 1; else answered(data); });
      window.next = () => new Promise((resolve) => { answered = resolve; });
      window.ask = (frame, method) => {
        frame.contentWindow.postMessage(method, 'https://raxx.app');
        return next();
      };
      """),
    "/inner": .html(
      "<!doctype html><html lang=\"en\"><title>Inner</title><script src=\"/inner.js\"></script>",
      policy: "default-src 'none'; script-src 'self'; frame-ancestors https://stranger.example"),
    "/inner.js": .script(
      """
      const answer = (text) => parent.postMessage(text, 'https://stranger.example');
      const challenge = new Uint8Array(16);
      const options = {
        get: {challenge, rpId: 'raxx.app'},
        create: {challenge, rp: {id: 'raxx.app', name: 'Raxx'}, pubKeyCredParams: [{type: 'public-key', alg: -7}],
          user: {id: new Uint8Array([1]), name: 'a', displayName: 'A'}},
      };
      const call = (method) => navigator.credentials[method]({publicKey: options[method]}).then(({response}) => {
        const data = JSON.parse(new TextDecoder().decode(response.clientDataJSON));
        answer([data.type, data.origin, data.crossOrigin, String(data.topOrigin)].join());
      }, (error) => answer(error.name));
      addEventListener('message', ({data}) => {
        if (!data.endsWith(' on click')) return call(data);
        addEventListener('click', () => call(data.split(' ')[0]), {once: true});
        answer('waits');
      });
      answer('ready');
      """),
  ]
}
