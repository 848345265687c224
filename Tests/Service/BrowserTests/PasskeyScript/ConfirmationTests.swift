// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeyHTTP
import PasskeyService
import PasskeyTestSupport
import PasskeyTransparencyLog
import Testing

/// Confirmations of single requests, and what happens to them on the way.
@Suite(.tags(.browser)) struct ConfirmationTests {
  /// Opens a page with the signed-in account `ada@raxx.app`, on a site that requires a confirmation of orders.
  private func run(_ body: (TestSite, ScriptedPage, VirtualAuthenticator) async throws -> Void) async throws {
    try await TestSite.run({
      $0.pages = ScriptedPage.files
      $0.routes = { (endpoints) in
        [
          EndpointRoute(.post, "/api/orders") { (request) in
            let session = try await endpoints.authenticate(request)
            _ = try await endpoints.spendConfirmation(of: request, by: session)
            return EndpointResponse(.created, contentType: "application/json", body: Array(request.body))
          }
        ]
      }
    }) { (site, browser) in
      let (script, authenticator) = try await ScriptedPage.open(in: browser)
      _ = try await script.outcome("passkeys.signUp('ada@raxx.app')")
      try await body(site, script, try #require(authenticator))
      #expect(script.page.records.violations == [] && script.page.records.exceptions == [])
    }
  }

  private static let order = "{path: '/api/orders?dry=1', body: {symbol: 'RAXX', quantity: 500, note: 'naïve “π”'}}"

  private func send(_ script: ScriptedPage) async throws -> String {
    try await script.text(
      "await outcome((async () => { const r = await send(); throw Object.assign(new Error(), {name: 'PasskeyError', code: r.status + ' ' + await r.text()}) })())"
    )
  }

  @Test(.tags(.sample)) func `a confirmed request is done once`() async throws {
    try await run { (_, script, _) in
      try await script.page.run("window.send = await passkeys.confirm(\(Self.order))")
      #expect(try await send(script) == #"201 {"symbol":"RAXX","quantity":500,"note":"naïve “π”"}"#)
      #expect(try await send(script) == "page.confirmation-used")
      #expect(script.page.records.exchanges.count { $0.path == "/api/orders?dry=1" } == 1)
      // Without a receipt, the action is not named a second time.
      let verified = script.page.records.exchanges.last { $0.path == "/api/auth/step-up/verify" }
      #expect(verified?.body?.contains("receipt") == false)
    }
  }

  @Test func `a confirmation comes with a receipt for exactly this request, if the page asks for it`() async throws {
    try await run { (site, script, _) in
      let (key, signing) = try await site.signAuditLog()
      defer { signing.cancel() }
      let file = try await script.text(
        "(window.send = await passkeys.confirm({...\(Self.order), receipt: true})).receipt")
      let verified = try ActionReceipt(parsing: Array(file.utf8)[...]).verify(
        by: ReceiptPolicy(
          relyingPartyID: "raxx.app", log: LogPolicy(logs: [try NoteKey(key)]),
          action: ProtectedAction(
            method: "POST", path: "/api/orders?dry=1",
            body: Array(#"{"symbol":"RAXX","quantity":500,"note":"naïve “π”"}"#.utf8))))
      #expect(verified.origin == "https://raxx.app")
      #expect(try await send(script).hasPrefix("201 "))
    }
  }

  @Test func `a service without a signed log confirms without a receipt`() async throws {
    try await run { (_, script, _) in
      try await script.page.run("window.send = await passkeys.confirm({...\(Self.order), receipt: true})")
      #expect(try await script.text("send.receipt") == "undefined")
      #expect(try await send(script).hasPrefix("201 "))
    }
  }

  @Test func `a confirmed request without an answer is sent again, and done once`() async throws {
    try await run { (_, script, _) in
      try await script.page.run("window.send = await passkeys.confirm(\(Self.order))")
      try await script.page.intercept("https://raxx.app/api/orders*") { (_) in .fail }
      for _ in 0..<2 { #expect(try await send(script) == "browser.unanswered") }
      try await script.page.endInterceptions()
      try await script.page.intercept("https://raxx.app/api/orders*") { (_) in .sendAndLoseAnswer }
      #expect(try await send(script) == "browser.unanswered")
      try await script.page.endInterceptions()
      // This server keeps no answers, and the spent confirmation does not say what became of the request.
      #expect(try await send(script) == "browser.unanswered")
    }
  }

  @Test func `after a lost answer, a refusal and an interruption leave it open what happened`() async throws {
    try await run { (_, script, _) in
      func send(deciding decision: PausedRequestDecision) async throws -> String {
        try await script.page.intercept("https://raxx.app/api/orders*") { (_) in decision }
        let outcome = try await self.send(script)
        try await script.page.endInterceptions()
        return outcome
      }
      try await script.page.run("window.send = await passkeys.confirm(\(Self.order))")
      #expect(try await send(deciding: .sendAndLoseAnswer) == "browser.unanswered")
      for status in [401, 429] {
        #expect(try await send(deciding: .answer(status: status)) == "browser.unanswered")
      }
      try await script.page.run("Object.defineProperty(navigator, 'onLine', {value: false, configurable: true})")
      #expect(try await send(deciding: .fail) == "browser.unanswered")
    }
  }

  @Test func `a request without a confirmation, or with a used one, is refused`() async throws {
    try await run { (_, script, _) in
      let bare =
        "(await passkeys.fetch('/api/orders', {method: 'POST', body: '{}', headers: {'content-type': 'application/json'}})).status"
      #expect(try await script.text(bare) == "401")
      try await script.page.run("window.send = await passkeys.confirm(\(Self.order))")
      // A page that keeps the grant and sends it twice.
      try await script.page.run(
        """
        const original = window.fetch;
        window.fetch = async (...all) => { await original(...all); return original(...all); };
        """)
      #expect(try await send(script).hasPrefix("401 "))
      // A refused request does not end the session.
      #expect(try await script.outcome("passkeys.session()") == "account,session")
    }
  }

  @Test(arguments: ["body", "path"])
  func `a request that was changed after its confirmation is refused`(_ changed: String) async throws {
    try await run { (_, script, _) in
      try await script.page.run("window.send = await passkeys.confirm(\(Self.order))")
      if changed == "body" {
        try await script.page.intercept("https://raxx.app/api/orders*") { (request) in
          .send(body: request.body.map { $0.replacing("500", with: "501") })
        }
      } else {
        try await script.page.run(
          "const original = window.fetch; window.fetch = (url, init) => original(String(url).replace('dry=1', 'dry=0'), init)"
        )
      }
      let answer = try await send(script)
      #expect(answer.hasPrefix("401 ") && answer.contains("step-up.grant-refused"))
    }
  }

  @Test(arguments: ["options", "verify"])
  func `an action that was changed on the way to its confirmation gives no usable grant`(_ place: String) async throws {
    try await run { (_, script, _) in
      try await script.page.intercept("https://raxx.app/api/auth/step-up/\(place)") { (request) in
        .send(body: request.body.map { $0.replacing("dry=1", with: "dry=2") })
      }
      try await script.page.run("window.send = await passkeys.confirm(\(Self.order))")
      let answer = try await send(script)
      // The verification carries no action, so a change there has nothing to change.
      #expect(place == "options" ? answer.contains("step-up.grant-refused") : answer.hasPrefix("201 "))
    }
  }

  @Test func `a page does not confirm another action than its own, even if the server asks for it`() async throws {
    try await run { (_, script, _) in
      let problem = #"""
        {"type":"urn:passkey:problem:step-up.required","title":"The action requires confirmation","status":401,
        "code":"step-up.required","stepUp":{"method":"DELETE","path":"/api/account","bodySha256":"x","header":"passkey-step-up"},
        "requestId":"r"}
        """#
      try await script.page.intercept("https://raxx.app/api/auth/add-passkey/options") { (_) in
        .answer(status: 401, headers: ["content-type": "application/problem+json"], body: problem)
      }
      #expect(try await script.outcome("passkeys.addPasskey()") == "page.confirmation-differs")
      #expect(!script.page.records.exchanges.contains { $0.path.contains("step-up") })
    }
  }

  @Test func `a declined confirmation sends nothing`() async throws {
    try await run { (_, script, authenticator) in
      try await authenticator.setAcceptsUser(false)
      #expect(try await script.outcome("passkeys.confirm(\(Self.order))") == "browser.cancelled")
      #expect(!script.page.records.exchanges.contains { $0.path.hasPrefix("/api/orders") })
    }
  }

  @Test func `a confirmation in an expired session sends nothing, and the page learns of the end`() async throws {
    try await run { (site, script, _) in
      site.clock.pass(seconds: 901)
      let outcome = try await script.outcome("passkeys.confirm(\(Self.order))")
      #expect(outcome == "session.expired")
      #expect(try await script.news() == "started,ended expired")
      #expect(!script.page.records.exchanges.contains { $0.path.hasPrefix("/api/orders") })
    }
  }

  @Test func `a confirmation that is not used within a minute is refused`() async throws {
    try await run { (site, script, _) in
      try await script.page.run("window.send = await passkeys.confirm(\(Self.order))")
      site.clock.pass(seconds: 61)
      #expect(try await send(script).contains("step-up.grant-refused"))
    }
  }

  @Test func `a passkey is added after a confirmation, renamed and removed, and the browser learns of each change`()
    async throws
  {
    try await run { (_, script, first) in
      #expect(try await script.outcome("passkeys.removePasskey((await passkeys.passkeys())[0].id)") == "passkey.last")
      // Another device for the second passkey; the first one confirms.
      let key = try await script.page.addAuthenticator(.securityKey)
      #expect(try await script.outcome("passkeys.addPasskey({name: 'Key'})") == "account,credential,extensions")
      #expect(try await key.passkeys().count == 1)
      #expect(
        try await script.text(
          "(await passkeys.renamePasskey((await passkeys.passkeys()).find(({name}) => name === 'Key').id, 'Blue key')).name"
        )
          == "Blue key")
      let identifier = try #require(try await first.passkeys().first?.identifier)
      #expect(try await script.outcome("passkeys.removePasskey('\(identifier)')") == "")
      #expect(try await script.text("(await passkeys.passkeys()).map(({name}) => name)") == "Blue key")
      // The signal removes the passkey from the device too.
      _ = try await script.page.wait(for: "the signal") { $0.deletedCredentials.isEmpty ? nil : true }
      #expect(try await first.passkeys().isEmpty)
      #expect(try await key.passkeys().count == 1)
    }
  }
}
