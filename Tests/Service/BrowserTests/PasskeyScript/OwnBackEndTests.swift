// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeyTestSupport
import Testing

/// `passkey.js` with a back end that is not ours, and only the description in the article.
@Suite(.tags(.browser)) struct OwnBackEndTests {
  /// The description in the article "Signing in from a page".
  private static func documentedService() throws -> String {
    let article = String(
      decoding: try File.bytes("\(projectFolder)/Sources/Service/PasskeyPages/PasskeyPages.docc/SigningInFromAPage.md"),
      as: UTF8.self)
    let start = try #require(article.firstRange(of: "const service = {"))
    let rest = article[start.lowerBound...]
    return String(rest[..<(try #require(rest.firstRange(of: "\n};\n"))).upperBound])
  }

  private static func json(_ text: String, _ status: Int = 200) -> PausedRequestDecision {
    .answer(status: status, headers: ["content-type": "application/json"], body: text)
  }

  /// The answers of the back end, which judges nothing.
  private static func answer(_ request: PausedRequest) -> PausedRequestDecision {
    let challenge = String(repeating: "A", count: 43)
    switch "\(request.method) \(request.url.dropFirst("https://raxx.app".count))" {
    case "POST /passkeys/options":
      return json(
        """
        {"rp": {"id": "raxx.app", "name": "Shop"}, "user": {"id": "QUJD", "name": "ada", "displayName": "Ada"},
          "challenge": "\(challenge)", "pubKeyCredParams": [{"type": "public-key", "alg": -7}],
          "authenticatorSelection": {"residentKey": "required", "userVerification": "required"}}
        """)
    case "POST /passkeys": return json(#"{"user": {"email": "ada@raxx.app"}}"#)
    case "POST /login/options":
      return json(#"{"challenge": "\#(challenge)", "rpId": "raxx.app", "userVerification": "required"}"#)
    // An end within the default time of the warning.
    case "POST /login": return json(#"{"user": {"email": "ada@raxx.app"}, "until": "2100-01-01T00:00:00Z"}"#)
    case "GET /login": return json("{}", 401)
    default: return json(#"{"code": "shop.closed", "message": "The shop is closed."}"#, 403)
    }
  }

  @Test func `the documented description is enough for another back end`() async throws {
    try await TestSite.run({ $0.pages = ScriptedPage.files }) { (_, browser) in
      let (script, _) = try await ScriptedPage.open(in: browser)
      for path in ["passkeys*", "login*"] {
        try await script.page.intercept("https://raxx.app/\(path)") { Self.answer($0) }
      }
      try await script.page.run("\(Self.documentedService()) connect({service});")
      #expect(try await script.outcome("passkeys.session()") == "null")
      #expect(try await script.outcome("passkeys.signUp('ada@raxx.app')") == "account,extensions")
      #expect(try await script.outcome("passkeys.signIn()") == "account,extensions,session")
      #expect(try await script.text("passkeys.expiresAt.getFullYear() >= 2099") == "true")
      #expect(try await script.news() == "started")
      // The back end's own errors have their code and their sentence.
      let refusal = "passkeys.signOut().then(() => '', (error) => error.code + ': ' + error.message)"
      #expect(try await script.text("await \(refusal)") == "shop.closed: The shop is closed.")
      #expect(try await script.outcome("passkeys.passkeys()") == "page.endpoint-missing")
      let bodies = script.page.records.exchanges.filter { $0.path == "/passkeys/options" }.compactMap(\.body)
      #expect(bodies.first == #"{"email":"ada@raxx.app"}"#)
      #expect(script.page.records.violations == [] && script.page.records.exceptions == [])
    }
  }

  @Test func `a description without errors and names of header fields expects problem details`() async throws {
    try await TestSite.run({ $0.pages = ScriptedPage.files }) { (_, browser) in
      let (script, _) = try await ScriptedPage.open(in: browser)
      try await script.page.intercept("https://raxx.app/login") { (_) in
        Self.json(#"{"code": "shop.closed", "title": "The shop is closed."}"#, 403)
      }
      try await script.page.run(
        "connect({tokens: 'bearer', service: {endpoints: {'sign-out': {route: 'DELETE /login'}}}})")
      let refusal = "passkeys.signOut().then(() => '', (error) => error.code + ': ' + error.message)"
      #expect(try await script.text("await \(refusal)") == "shop.closed: The shop is closed.")
    }
  }

  @Test func `options as JSON are enough, without a service and a description`() async throws {
    try await TestSite.run({ $0.pages = ScriptedPage.files }) { (_, browser) in
      let (script, device) = try await ScriptedPage.open(in: browser)
      try await script.page.run(
        """
        window.challenge = 'A'.repeat(43);
        window.creation = {rp: {id: 'raxx.app', name: 'Shop'}, user: {id: 'QUJD', name: 'ada', displayName: 'Ada'}, challenge,
          pubKeyCredParams: [{type: 'public-key', alg: -7}], authenticatorSelection: {residentKey: 'required'}};
        window.made = await passkeys.create(creation);
        window.used = await passkeys.get({publicKey: {challenge, rpId: 'raxx.app'}});
        """)
      #expect(
        try await script.text("JSON.parse(JSON.stringify(made)).response.attestationObject.length > 100") == "true")
      #expect(try await script.text("used.id === made.id && used.response.signature.length > 90") == "true")
      #expect(try await script.text("'extensions' in JSON.parse(JSON.stringify(made))") == "false")
      #expect(try await script.text("typeof made.extensions") == "object")
      #expect(try await device?.passkeys().count == 1)
      let excluded = "passkeys.create({...creation, excludeCredentials: [{type: 'public-key', id: made.id}]})"
      #expect(try await script.outcome(excluded) == "browser.already-registered")
      // No service was asked for anything.
      #expect(!script.page.records.exchanges.contains { $0.path.hasPrefix("/api/") || $0.path.contains("well-known") })
      #expect(script.page.records.violations == [] && script.page.records.exceptions == [])
    }
  }

  @Test func `a mistake in a description or a reply names its place`() async throws {
    try await TestSite.run({ $0.pages = ScriptedPage.files }) { (_, browser) in
      let (script, _) = try await ScriptedPage.open(in: browser)
      try await script.page.intercept("https://raxx.app/login/options") { (_) in Self.json("{}") }
      try await script.page.intercept("https://raxx.app/html") { (_) in .answer(status: 200, body: "<h1>Shop</h1>") }
      try await script.page.intercept("https://raxx.app/gone") { (_) in .answer(status: 405, body: "<h1>No</h1>") }
      let options = "request: {}, response: '$options'"
      let cases = [
        ("{}", "page.endpoint-missing", "(sign-in-options)"),
        ("{endpoints: {}}", "page.endpoint-missing", "(sign-in-options)"),
        ("{endpoints: {'sign-in-options': {route: '/login'}}}", "page.endpoint-missing", "(sign-in-options /login)"),
        (
          "{endpoints: {'sign-in-options': {route: 'POST /login/options', request: {}, response: {publicKey: '$options'}}}}",
          "page.reply-unreadable", "(sign-in-options https://raxx.app/login/options 200)"
        ),
        (
          "{endpoints: {'sign-in-options': {route: 'POST /html', \(options)}}}", "page.reply-unreadable",
          "(sign-in-options https://raxx.app/html 200)"
        ),
        (
          "{endpoints: {'sign-in-options': {route: 'POST /gone', \(options)}}}", "page.reply-unreadable",
          "(sign-in-options https://raxx.app/gone 405)"
        ),
      ]
      for (service, code, place) in cases {
        try await script.page.run("connect({service: \(service)})")
        let error =
          "passkeys.signIn().then(() => ({}), ({code, endpoint, message}) => `${code} ${endpoint} ${message}`)"
        let text = try await script.text("await \(error)")
        #expect(text.hasPrefix("\(code) sign-in-options ") && text.hasSuffix(place), "\(service): \(text)")
      }
      // The words of a code that objects have by themselves are not shown.
      try await script.page.intercept("https://raxx.app/login") { (_) in
        Self.json(#"{"code": "constructor", "title": "Closed."}"#, 403)
      }
      try await script.page.run("connect({service: {endpoints: {'sign-out': {route: 'DELETE /login'}}}})")
      #expect(try await script.text("await passkeys.signOut().catch(({message}) => message)") == "Closed.")
    }
  }

  @Test func `a description cannot change the objects of the page`() async throws {
    try await TestSite.run({ $0.pages = ScriptedPage.files }) { (_, browser) in
      let (script, _) = try await ScriptedPage.open(in: browser)
      try await script.page.intercept("https://raxx.app/login") { (_) in
        Self.json(#"{"one": true, "two": "x", "three": [{"four": true}]}"#)
      }
      try await script.page.run(
        """
        connect({service: {endpoints: {me: {route: 'GET /login', response: JSON.parse(`{"one": "$__proto__.isAdmin",
          "two": "$constructor.name", "three": {"$each": "$list", "as": {"four": "$__proto__.isAdmin"}}}`)}}}});
        window.found = await passkeys.session();
        """)
      #expect(try await script.text("String(({}).isAdmin)") == "undefined")
      #expect(try await script.text("Object.name") == "Object")
      #expect(try await script.text("Object.keys(found).sort().join()") == "__proto__,constructor,list")
      #expect(script.page.records.exceptions == [])
    }
  }
}
