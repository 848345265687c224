// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeyHTTP
import PasskeyPages
import PasskeyTestSupport
import Testing

/// Our authenticator in a real browser, by way of the extension.
@Suite(.tags(.browser)) struct ExtensionTests {
  @Test func `a user registers and signs in with a passkey of the vault`() async throws {
    try await ExtensionSite.run { (world) in
      let script = world.script
      let made = try await script.outcome("passkeys.signUp('ada@raxx.app')")
      #expect(made == "account,credential,extensions,session")
      #expect(try await script.outcome("passkeys.signOut()") == "")
      #expect(try await script.outcome("passkeys.signIn('ada@raxx.app')") == "account,extensions,session")
      #expect(try await script.outcome("passkeys.signOut()") == "")
      #expect(try await script.outcome("passkeys.signIn()") == "account,extensions,session")
      let records = script.page.records
      #expect(records.violations == [] && records.exceptions == [])
    }
  }

  @Test func `extensions have their results`() async throws {
    try await ExtensionSite.run { (world) in
      let result = try await world.script.page.text(
        """
        const made = await navigator.credentials.create({publicKey: {
          challenge: new Uint8Array(32), rp: {name: 'Raxx'}, user: {id: new Uint8Array([1]), name: 'a', displayName: 'A'},
          pubKeyCredParams: [{type: 'public-key', alg: -7}],
          authenticatorSelection: {residentKey: 'required', userVerification: 'required'},
          extensions: {credProps: true, prf: {}, largeBlob: {support: 'required'}}}});
        const outputs = made.getClientExtensionResults();
        const allowCredentials = [{type: 'public-key', id: made.rawId}];
        const get = (extensions) => navigator.credentials.get({publicKey: {
          challenge: new Uint8Array(32), allowCredentials, userVerification: 'required', extensions}});
        const salt = {prf: {eval: {first: new Uint8Array([1, 2, 3])}}};
        const written = await get({largeBlob: {write: new Uint8Array([7, 8])}, ...salt});
        const read = await get({largeBlob: {read: true}, ...salt});
        const first = (result) => new Uint8Array(result.getClientExtensionResults().prf.results.first).join();
        return [outputs.credProps.rk, outputs.prf.enabled, outputs.largeBlob.supported,
          written.getClientExtensionResults().largeBlob.written,
          new Uint8Array(read.getClientExtensionResults().largeBlob.blob).join('+'),
          first(written) === first(read) && first(read).split(',').length === 32, made.authenticatorAttachment,
          made.response.getPublicKeyAlgorithm()].join();
        """)
      #expect(result == "true,true,true,true,7+8,true,platform,-7")
    }
  }

  @Test func `the window names page, relying party and user, and approves`() async throws {
    try await ExtensionSite.run("--approve window") { (world) in
      let page = world.script.page
      try await page.run("window.pending = outcome(passkeys.signUp('ada@raxx.app'));")
      let window = try await world.question("Create a passkey?")
      let shown = try await window.text(
        "return ['origin', 'rp', 'user'].map((id) => document.getElementById(id).textContent).join();")
      #expect(shown == "https://raxx.app,raxx.app,ada@raxx.app")
      // Enter meant for the page refuses nothing and approves nothing: the focus is on Cancel, so the test uses the mouse.
      #expect(try await window.text("return document.activeElement.id;") == "refuse")
      #expect(try await window.run("return document.getElementById('approve').disabled;", isUserAction: false).bool)
      try await world.approve(window)
      #expect(try await page.text("return await pending;") == "account,credential,extensions,session")
      try await world.windowCloses()
    }
  }

  @Test func `the window lists the passkeys that match`() async throws {
    try await ExtensionSite.run("--approve window") { (world) in
      let page = world.script.page
      for user in ["ada@raxx.app", "bob@raxx.app"] {
        try await page.run("window.pending = outcome(passkeys.signUp('\(user)').then(() => passkeys.signOut()));")
        try await world.approve(world.question("Create a passkey?"))
        #expect(try await page.text("return await pending;") == "")
      }
      try await page.run("window.pending = passkeys.signIn();")
      try await world.approve(world.question("Sign in?"))
      let window = try await world.question("Which passkey?")
      let names = try await window.text(
        "return [...document.querySelectorAll('#choices label')].map((label) => label.textContent.trim()).sort().join();"
      )
      #expect(names.contains("ada@raxx.app") && names.contains("bob@raxx.app"))
      try await window.run(
        """
        [...document.querySelectorAll('#choices label')].find((label) => label.textContent.includes('ada')).click();
        """)
      try await world.approve(window)
      #expect(try await page.text("return (await pending).account.email;") == "ada@raxx.app")
    }
  }

  @Test func `cancelling works from both sides`() async throws {
    try await ExtensionSite.run("--approve window") { (world) in
      let page = world.script.page
      try await page.run("window.pending = outcome(passkeys.signUp('ada@raxx.app'));")
      try await world.later("document.getElementById('refuse').click()", in: world.question("Create a passkey?"))
      #expect(try await page.text("return await pending;") == "browser.cancelled")
      try await world.windowCloses()

      try await page.run("window.pending = outcome(passkeys.signUp('ada@raxx.app'));")
      try await world.later(
        "document.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape'}))",
        in: world.question("Create a passkey?"))
      #expect(try await page.text("return await pending;") == "browser.cancelled")

      try await page.run("window.pending = outcome(passkeys.signUp('ada@raxx.app'));")
      try await world.question("Create a passkey?").close()
      #expect(try await page.text("return await pending;") == "browser.cancelled")

      try await page.run(
        """
        window.stop = new AbortController();
        window.pending = outcome(passkeys.signUp('ada@raxx.app', {signal: stop.signal}));
        """)
      _ = try await world.question("Create a passkey?")
      #expect(try await page.text("return await (stop.abort(), pending);") == "browser.aborted")
      try await world.windowCloses()

      // Nothing is left over.
      try await page.run("window.pending = outcome(passkeys.signUp('ada@raxx.app'));")
      try await world.approve(world.question("Create a passkey?"))
      #expect(try await page.text("return await pending;") == "account,credential,extensions,session")
    }
  }

  @Test func `a page cannot use the passkeys of another site`() async throws {
    try await ExtensionSite.run("--approve always") { (world) in
      let create = { (id: String) in
        """
        return await navigator.credentials.create({publicKey: {
          challenge: new Uint8Array(32), rp: {id: '\(id)', name: 'Raxx'}, pubKeyCredParams: [{type: 'public-key', alg: -7}],
          user: {id: new Uint8Array([1]), name: 'a', displayName: 'A'}}}).then(() => 'made', (error) => error.name);
        """
      }
      let stranger = try await world.browser.newPage("https://stranger.example/")
      try await stranger.bringToFront()
      #expect(try await stranger.text(create("login.stranger.example")) == "SecurityError")
      #expect(try await stranger.text(create("example")) == "SecurityError")
      let subdomain = try await world.browser.newPage("https://login.raxx.app/")
      try await subdomain.bringToFront()
      #expect(try await subdomain.text(create("raxx.app")) == "made")
    }
  }

  @Test(arguments: [
    "challenge-of-another-ceremony", "signature-bit-flipped", "user-not-present", "response-ids-disagree",
  ])
  func `our sign-in refuses a fault`(fault: String) async throws {
    try await ExtensionSite.run("--approve always --fault \(fault)") { (world) in
      let isInRegistration = fault != "signature-bit-flipped"
      let made = try await world.script.outcome("passkeys.signUp('ada@raxx.app').then(() => passkeys.signOut())")
      if isInRegistration {
        #expect(made != "")
      } else {
        #expect(made == "")
        let signedIn = try await world.script.outcome("passkeys.signIn()")
        #expect(signedIn == "sign-in.refused")
      }
      #expect(try await world.script.outcome("passkeys.session()") == "null")
    }
  }

  @Test func `the page of faults shows what a fault does to our sign-in`() async throws {
    let fault = "signature-bit-flipped"
    try await ExtensionSite.run(
      "--approve always --fault \(fault)",
      {
        // The other page at this path is that of the test.
        $0.routes = { try SitePages(for: $0, showsFaults: true).routes.filter { $0.pattern != "/" } }
      },
      { (world) in
        let page = try await world.browser.newPage("https://raxx.app/faults")
        try await page.bringToFront()
        try await page.wait(until: "document.querySelector('#fault option[value=\(fault)]')")
        try await page.run("document.getElementById('fault').focus()")
        try await page.run(
          """
          const choice = document.getElementById('fault');
          choice.value = \(quoted(fault));
          choice.dispatchEvent(new Event('change'));
          """)
        #expect(
          try await page.text("return document.getElementById('command').textContent").hasSuffix("--fault \(fault)"))
        try await page.type("ada@raxx.app", into: "#name")
        func attempt(_ button: String, _ number: Int) async throws -> String {
          try await page.click("#\(button)")
          try await page.wait(until: "document.querySelectorAll('#attempts li').length === \(number)")
          return try await page.text("return document.querySelector('#attempts li').innerText")
        }
        let registration = try await attempt("try-registration", 1)
        #expect(registration.contains("Registration: accepted") && registration.contains("As expected"))
        #expect(registration.contains("A session was opened"))
        let signIn = try await attempt("try-sign-in", 2)
        #expect(signIn.contains("Sign-in: refused") && signIn.contains("As expected"))
        #expect(signIn.contains("The sign-in was refused.") && signIn.contains("Code for support: sign-in.refused · "))
        #expect(signIn.contains("No session was opened"))
        #expect(page.records.violations == [] && page.records.exceptions == [])
      })
  }
}
