// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyProfiles
internal import WebAuthnClient

extension Check {
  /// Checks of session tokens.
  static let sessionTokenChecks: [Check] = [
    Check(
      id: "session.sign-in-rotates", title: "issues a new session token at each sign-in",
      references: ["ASVS 5.0 7.2.4", "NIST SP 800-63B-4 §5.1"], severity: .high,
      rationale: "A token that outlives a sign-in stays useful to a thief after its owner has signed in again.",
      advice: "Generate a new token at each sign-in and never return an existing one."
    ) { (world) in
      let first = try await world.open()
      guard try await world.open().secret == first.secret else { return .pass }
      // A signed token has the second of its sign-in, so two within one second can be equal.
      try await Task.sleep(for: .milliseconds(1_100))
      return try await world.open().secret == first.secret ? .fail("two sign-ins returned the same token") : .pass
    },
    Check(
      id: "session.fixation-cookie", title: "ignores a session cookie that the client chose",
      references: ["ASVS 5.0 7.2.4", "CWE-384"], severity: .high,
      rationale:
        "An attacker who plants a cookie in a victim's browser knows the victim's session if the server adopts the cookie.",
      advice: "Generate the token on the server at sign-in and ignore the value of the cookie."
    ) { (world) in
      let chosen = "chosen0by0an0attacker0chosen0by0an0attacker"
      let session = try await world.open(byCookie: true) { world.add(cookie: chosen, to: &$0) }
      guard session.secret == chosen else { return .pass }
      guard try await world.isOpen(session) else { return .cannotTell("the cookie opens no session") }
      return .fail("the cookie of the client became the session")
    },
    Check(
      id: "session.fixation-anonymous", title: "replaces the cookie of an anonymous visitor at sign-in",
      references: ["ASVS 5.0 7.2.4", "CWE-384"], severity: .high,
      rationale:
        "An attacker plants the cookie of their own visit in a victim's browser, and has the victim's session after the sign-in.",
      advice: "Set a new session cookie at each sign-in, and delete the old one on the server."
    ) { (world) in
      let signIn = try await world.finishSignIn(byCookie: true)
      guard let before = signIn.request.cookies?.value(of: world.cookieName) else { return .pass }
      let session = try world.opened(signIn)
      guard session.secret == before else { return .pass }
      guard try await world.isOpen(session) else { return .cannotTell("the cookie opens no session") }
      return .fail("the cookie of the anonymous visitor became the session")
    },
    Check(
      id: "session.sign-in-replaces", title: "ends the browser's session at a new sign-in",
      references: ["ASVS 5.0 7.2.4", "NIST SP 800-63B-4 §5.1"], severity: .medium,
      rationale: "The replaced session has no cookie any more. Its owner cannot end it, but a thief can use it.",
      advice: "At sign-in, revoke the session whose cookie the request carries."
    ) { (world) in
      let old = try await world.open(byCookie: true)
      let new = try await world.open(byCookie: true) { $0.add(cookiesOf: old) }
      if new.secret == old.secret { return .fail("the sign-in keeps the session's cookie") }
      return try await world.isOpen(old) ? .fail("the replaced session is still open") : .pass
    },
    Check(
      id: "session.token-entropy", title: "issues tokens that cannot be guessed",
      references: ["ASVS 5.0 7.2.3", "NIST SP 800-63B-4 §5.1"], severity: .critical,
      rationale: "An attacker who guesses a token has the session.",
      advice: "Draw at least 128 bits from the operating system's random generator for each token."
    ) { (world) in
      var secrets: [String] = []
      for _ in 0..<4 { secrets.append(try await world.open().secret) }
      if let short = secrets.first(where: { $0.utf8.count < 22 }) {
        return .fail("a token has \(short.utf8.count) characters, too few for 128 bits")
      }
      if secrets[0] == secrets[1] { return .cannotTell("sign-ins continue one session") }
      // The parts of a signed token that all tokens share are no secret, so count those that differ.
      let differing = zip(Array(secrets[0].utf8), Array(secrets[1].utf8)).count { $0 != $1 }
      return differing < 16 ? .fail("two tokens differ in \(differing) characters only") : .pass
    },
    Check(
      id: "session.token-in-query", title: "accepts no token in the query of a URL",
      references: ["ASVS 5.0 14.2.1", "RFC 9700 §4.3.2"], severity: .medium,
      rationale: "URLs are logged by servers and proxies and stored in histories, and so are tokens in them.",
      advice: "Read tokens from `Authorization` or from a cookie only."
    ) { (world) in
      let session = try await world.open()
      if try world.shows(await world.send(world.request(.me)), at: .me) { return .cannotTell("no session is needed") }
      for name in ["access_token", "token", "session"] {
        var request = try world.request(.me)
        request.path += "?\(name)=\(session.secret)"
        if try world.shows(await world.send(request), at: .me) {
          return .fail("the query parameter \(name) opens the session")
        }
      }
      return .pass
    },
    Check(
      id: "session.token-in-url", title: "puts no token in a redirect or another URL of the response",
      references: ["ASVS 5.0 14.2.1", "RFC 9700 §4.3.2"], severity: .medium,
      rationale: "A token in a `Location` or `Link` field ends in histories, logs and `Referer` fields.",
      advice: "Send tokens in the body or in cookies."
    ) { (world) in
      let hasBoth = world.profile.presentation == .bearer && world.profile.sessions.allows(.cookie)
      for byCookie in hasBoth ? [false, true] : [false] {
        let signIn = try await world.finishSignIn(byCookie: byCookie)
        if let location = signIn.reply.header("location"), let name = tokenParameter(of: location) {
          return .fail("the redirect has the parameter \(name)")
        }
        let secret = try world.opened(signIn).secret
        let leaks = signIn.reply.headers.filter { $0.name != "set-cookie" && $0.value.contains(secret) }
        if let leak = leaks.first { return .fail("the field \(leak.name) has the token") }
      }
      return .pass
    },
    Check(
      id: "session.unknown-token", title: "refuses tokens that it did not issue",
      references: ["ASVS 5.0 7.2.1"], severity: .critical,
      rationale: "A server that takes an unknown token for a session lets anyone in.",
      advice: "Look tokens up in the table of sessions, and answer 401 to an unknown token."
    ) { (world) in
      for token in [
        "null", "undefined", "0", "admin", String(repeating: "A", count: 43), String(repeating: "a", count: 4_000),
      ] {
        var request = try world.request(.me)
        world.present(token, in: &request)
        let reply = try await world.send(request)
        if reply.status >= 500 {
          return .fail("the token \(token.prefix(16)) causes an internal error (\(reply.status))")
        }
        if try world.shows(reply, at: .me) { return .fail("the token \(token.prefix(16)) opens a session") }
      }
      return .pass
    },
    Check(
      id: "session.token-cut", title: "compares tokens in full",
      references: ["ASVS 5.0 7.2.1"], severity: .high,
      rationale: "If the beginning of a token is enough, an attacker has less to guess.",
      advice: "Compare all bytes, or hash the token and look the hash up."
    ) { (world) in
      let session = try await world.open()
      for token in [String(session.secret.dropLast(4)), session.secret + "A", session.secret.uppercased()]
      where token != session.secret {
        var request = try world.request(.me)
        world.present(token, in: &request)
        if try world.shows(await world.send(request), at: .me) { return .fail("a changed token opens the session") }
      }
      return .pass
    },
    Check(
      id: "session.missing", title: "refuses a request without a session",
      references: ["ASVS 5.0 8.3.1"], severity: .critical,
      rationale: "Without this check anyone reads the account.",
      advice: "Require a session for every endpoint that shows or changes an account."
    ) { (world) in
      _ = try await world.open()
      for endpoint in [EndpointName.me, .sessions, .credentials] where world.profile[endpoint] != nil {
        let reply = try await world.send(try world.request(endpoint))
        if try world.shows(reply, at: endpoint) {
          return .fail("\(endpoint.rawValue) answers \(reply.status) without a session")
        }
      }
      return .pass
    },
    Check(
      id: "session.expiry-declared", title: "limits the lifetime of sessions",
      references: ["ASVS 5.0 7.3.2", "NIST SP 800-63B-4 §5.2"], severity: .low,
      rationale: "A stolen token is useful until the session ends.",
      advice: "End sessions after a day at most, and renew them by a refresh token or another sign-in."
    ) { (world) in
      let session = try await world.open()
      guard let expiry = session.expiry else { return .cannotTell("the response does not say when the session ends") }
      let days = (expiry.secondsSince1970 - world.now.secondsSince1970) / 86_400
      return days > 30 ? .fail("sessions last \(days) days") : .pass
    },
    Check(
      id: "session.expiry", title: "refuses a session after its end",
      references: ["ASVS 5.0 7.3.2", "NIST SP 800-63B-4 §5.2"], severity: .high,
      rationale: "An end that only the client observes protects from no thief.",
      advice: "Compare the end with the clock on the server at each request."
    ) { (world) in
      let session = try await world.open()
      try await world.wait(until: session.expiry, "the session")
      return try await world.isOpen(session) ? .fail("the session is open after its end") : .pass
    },
  ]
}

/// Returns the name of the parameter in the query or the fragment of a URL that has a token.
private func tokenParameter(of url: String) -> String? {
  let names: Set<String> = [
    "token", "access_token", "accesstoken", "refresh_token", "refreshtoken", "id_token", "session", "session_id",
    "sessionid", "sid", "jwt",
  ]
  for part in url.drop(while: { $0 != "?" && $0 != "#" }).split(whereSeparator: { "?#&;".contains($0) }) {
    let pair = part.split(separator: "=", maxSplits: 1)
    // 16 characters [shorter values are no tokens]
    if pair.count == 2, names.contains(pair[0].lowercased()), pair[1].utf8.count >= 16 { return String(pair[0]) }
  }
  return nil
}
