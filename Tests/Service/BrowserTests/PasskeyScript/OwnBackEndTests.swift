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
}
