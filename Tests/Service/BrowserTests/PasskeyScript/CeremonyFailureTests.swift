// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeyService
import PasskeyTestSupport
import Testing
import WebAuthnTypes

/// Sign-ins and registrations that fail, and the error that the page gets.
@Suite(.tags(.browser)) struct CeremonyFailureTests {
  /// Opens a page with a signed-out account `ada@raxx.app`, whose passkey is in the authenticator.
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
      try await body(site, script, try #require(authenticator))
      #expect(script.page.records.violations == [])
    }
  }

  @Test func `a declined prompt and one that timed out have different codes`() async throws {
    try await run { (_, script, authenticator) in
      try await authenticator.setAcceptsUser(false)
      #expect(try await script.outcome("passkeys.signIn()") == "browser.cancelled")
      #expect(try await script.outcome("passkeys.signUp('bob@raxx.app')") == "browser.cancelled")
      // The browser waits at least ten seconds, whatever the options say, so the test shortens the time in the page.
      try await script.page.run(
        """
        const get = navigator.credentials.get.bind(navigator.credentials);
        navigator.credentials.get = ({publicKey, ...others}) => {
          const now = performance.now.bind(performance);
          performance.now = () => now() + publicKey.timeout;
          return get({publicKey, ...others});
        };
        """)
      #expect(try await script.outcome("passkeys.signIn()") == "browser.timed-out")
      let sentence = try await script.text("(await passkeys.signUp('bob@raxx.app').catch((error) => error)).message")
      #expect(sentence == "You declined, or there was no passkey to use. Nothing was changed.")
      #expect(try await script.news() == "started,ended signed-out")
    }
  }

  @Test func `an aborted call fails, and the next one succeeds`() async throws {
    try await run { (_, script, authenticator) in
      try await authenticator.setTouched(false)
      try await script.page.run(
        """
        window.stop = new AbortController();
        window.pending = outcome(passkeys.signIn(undefined, {signal: stop.signal}));
        """)
      #expect(try await script.outcome("passkeys.signIn()") == "browser.busy")
      let ending = try await script.text("await (stop.abort(), pending)")
      #expect(ending == "browser.aborted")
      #expect(try await script.outcome("passkeys.signIn(undefined, {signal: stop.signal})") == "browser.aborted")
      try await authenticator.setTouched(true)
      #expect(try await script.outcome("passkeys.signIn()") == "account,extensions,session")
    }
  }

  @Test func `a call that is aborted in the middle of a reply fails like any other, and so does a lost connection`()
    async throws
  {
    try await run { (_, script, _) in
      // Replies whose bodies do not end.
      try await script.page.run(
        """
        const original = window.fetch;
        window.fetch = async (url, init) => {
          const reply = await original(url, init);
          if (!String(url).endsWith('/login/options')) return reply;
          const body = new ReadableStream({start(stream) {
            window.lose = () => stream.error(new TypeError('network error'));
            init.signal?.addEventListener('abort', () => stream.error(init.signal.reason));
          }});
          return new Response(body, {headers: reply.headers});
        };
        window.stop = new AbortController();
        window.pending = outcome(passkeys.signIn(undefined, {signal: stop.signal}));
        """)
      try await script.page.wait(until: "window.lose")
      let aborted = try await script.text("await (stop.abort(), pending)")
      #expect(aborted == "browser.aborted")
      try await script.page.run("window.lose = undefined; window.pending = outcome(passkeys.signIn())")
      try await script.page.wait(until: "window.lose")
      let lost = try await script.text("await (lose(), pending)")
      #expect(lost == "browser.unanswered")
    }
  }

  @Test func `each error of the browser has a code and a sentence`() async throws {
    try await run { (_, script, _) in
      let cases = [
        "NotAllowedError": "browser.cancelled", "TimeoutError": "browser.timed-out", "AbortError": "browser.aborted",
        "InvalidStateError": "browser.already-registered", "SecurityError": "browser.wrong-origin",
        "NotSupportedError": "browser.unsupported", "ConstraintError": "browser.unsupported",
        "OperationError": "browser.busy", "UnknownError": "browser.failed", "NotReadableError": "browser.failed",
        "EncodingError": "browser.failed", "DataError": "browser.failed",
      ]
      for (name, code) in cases {
        try await script.page.run(
          "navigator.credentials.get = async () => { throw new DOMException('of a test', '\(name)'); }")
        #expect(try await script.outcome("passkeys.signIn()") == code, "\(name)")
        let told = try await script.text(
          "await passkeys.signIn().catch((error) => error.message.length > 20 && error.cause.name)")
        #expect(told == name)
      }
    }
  }

  @Test func `a device with a passkey of the account makes no second one`() async throws {
    try await run { (_, script, _) in
      _ = try await script.outcome("passkeys.signIn()")
      #expect(try await script.outcome("passkeys.addPasskey()") == "browser.already-registered")
      #expect(try await script.text("(await passkeys.passkeys()).length") == "1")
    }
  }

  @Test func `a passkey that the server does not know is removed from the authenticator`() async throws {
    try await run { (site, script, authenticator) in
      try await site.erase("ada@raxx.app")
      #expect(try await script.outcome("passkeys.signIn()") == "sign-in.refused")
      _ = try await script.page.wait(for: "the signal") { $0.deletedCredentials.isEmpty ? nil : true }
      #expect(try await authenticator.passkeys().isEmpty)
    }
  }

  @Test func `a response after the end of the ceremony is refused as too late`() async throws {
    try await run { (site, script, _) in
      try await script.page.intercept("https://raxx.app/api/auth/login/verify") { (_) in
        site.clock.pass(seconds: 301)
        return .send()
      }
      #expect(try await script.outcome("passkeys.signIn()") == "sign-in.ceremony-unknown")
      #expect(try await script.news() == "started,ended signed-out")
    }
  }

  @Test func `without a network nothing is sent, and nothing is sent later`() async throws {
    try await run { (site, script, _) in
      try await script.page.setOffline(true)
      #expect(try await script.outcome("passkeys.signIn()") == "browser.offline")
      try await script.page.setOffline(false)
      #expect(try await script.outcome("passkeys.session()") == "null")
      await site.stop()
      // With a network nothing tells a stopped server from a lost answer. A question can be asked again.
      #expect(try await script.outcome("passkeys.signIn()") == "browser.unanswered")
      #expect(try await script.outcome("passkeys.session()") == "browser.offline")
    }
  }

  @Test func `a change whose answer is lost is unanswered, and not called unsent`() async throws {
    try await run { (_, script, _) in
      _ = try await script.outcome("passkeys.signIn()")
      try await script.page.run("window.one = (await passkeys.passkeys())[0].id")
      try await script.page.intercept("https://raxx.app/api/auth/credentials/*") { (_) in .sendAndLoseAnswer }
      let told = try await script.text(
        "await passkeys.renamePasskey(one, 'Laptop').catch(({code, message}) => code + ' ' + message)")
      #expect(
        told == "browser.unanswered There is no answer from the server. We do not know whether it arrived: "
          + "check before you try again.")
      try await script.page.endInterceptions()
      #expect(try await script.text("(await passkeys.passkeys())[0].name") == "Laptop")
    }
  }

  @Test func `a service that does not allow the origin of the page gives no answer`() async throws {
    try await run({
      $0.pages["/"]?.policy = SitePage.strictPolicy.replacing(
        "connect-src 'self'", with: "connect-src 'self' https://api.raxx.app")
    }) { (_, script, _) in
      try await script.page.run("connect({base: 'https://api.raxx.app'})")
      // The service answers its description without a header field for other origins.
      try await script.page.intercept("https://api.raxx.app/*") { (_) in .answer(status: 200, body: "{}") }
      let told = try await script.text("await passkeys.signIn().catch(({code, message}) => code + ' ' + message)")
      #expect(
        told == "browser.offline There is no answer from the server. Nothing was changed; "
          + "check your connection and try again.")
    }
  }

  @Test func `an answer that is not the service's is an error with its status`() async throws {
    try await run { (_, script, _) in
      try await script.page.intercept("https://raxx.app/api/auth/login/options") { (_) in
        .answer(status: 502, headers: ["content-type": "text/html"], body: "<h1>Bad gateway</h1>")
      }
      let found = try await script.text(
        "await passkeys.signIn().catch((error) => [error.code, error.status, error.message].join())")
      let place = "(sign-in-options https://raxx.app/api/auth/login/options 502)"
      #expect(found == "page.reply-unreadable,502,The server gave an unexpected answer. Try again later. \(place)")
      try await script.page.intercept("https://raxx.app/api/auth/login/options") { (_) in
        .answer(status: 200, body: "[")
      }
      #expect(try await script.outcome("passkeys.signIn()") == "page.reply-unreadable")
    }
  }

  @Test func `a browser without passkeys gets an error, not an exception of another kind`() async throws {
    try await run { (_, script, _) in
      try await script.page.run("delete window.PublicKeyCredential")
      #expect(try await script.text("Passkeys.isSupported") == "false")
      #expect(try await script.outcome("passkeys.signIn()") == "browser.unsupported")
      #expect(try await script.outcome("passkeys.signInWithAutofill()") == "null")
      #expect(try await script.outcome("passkeys.upgradeToPasskey()") == "null")
    }
  }

  @Test func `a browser without the conversions of JSON works too`() async throws {
    try await run { (_, script, authenticator) in
      try await script.page.run(
        """
        delete PublicKeyCredential.parseCreationOptionsFromJSON;
        delete PublicKeyCredential.parseRequestOptionsFromJSON;
        delete PublicKeyCredential.prototype.toJSON;
        """)
      #expect(try await script.outcome("passkeys.signIn('ada@raxx.app')") == "account,extensions,session")
      try await authenticator.clear()
      #expect(try await script.outcome("passkeys.signOut()") == "")
      #expect(try await script.outcome("passkeys.signUp('bob@raxx.app')") == "account,credential,extensions,session")
      #expect(try await script.text("(await passkeys.passkeys())[0].transports") == "internal")
    }
  }
}
