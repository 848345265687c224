// SPDX-License-Identifier: Apache-2.0

internal import PasskeyProfiles
internal import WebAuthnClient

extension Check {
  /// Requests of pages of other sites.
  static let crossSiteChecks: [Check] = [
    crossSite(
      "http.csrf-origin", "refuses a request with cookies from a page of another origin",
      [HeaderField("origin", foreignOrigin)], "Fetch §3.2"),
    crossSite(
      "http.csrf-fetch-site", "refuses a request with cookies that a browser marks as cross-site",
      // Browsers send the field with every request, and Origin with every POST.
      [HeaderField("origin", "null"), HeaderField("sec-fetch-site", "cross-site")], "Fetch Metadata §2.3"),
    cors(
      "http.cors-reflected", "allows no foreign origin to read responses with cookies", foreignOrigin,
      "List the origins that may read responses, and compare all of the value."),
    cors(
      "http.cors-null", "does not allow the opaque origin `null` to read responses with cookies", "null",
      "Never allow `null`: pages in a sandbox and files have it."),
    Check(
      id: "http.cors-wildcard", title: "allows no foreign origin to read responses about an account",
      references: ["ASVS 5.0 3.4.2", "Fetch §3.3.5"], severity: .low,
      rationale:
        "Browsers send no cookies then, but a page can use a token that it has, and what it reads is personal.",
      advice: "Name the origins that may read responses about accounts."
    ) { (world) in
      let reply = try await world.me(from: foreignOrigin)
      let allowed = reply.header("access-control-allow-origin")
      let isOpen = allowed == "*" || allowed == foreignOrigin && !reply.allowsCredentials
      return isOpen ? .fail("Access-Control-Allow-Origin is \(allowed ?? "") at a response about an account") : .pass
    },
    Check(
      id: "http.cors-preflight", title: "grants no preflight request of a foreign origin with cookies",
      references: ["ASVS 5.0 3.5.2", "Fetch §4.8"], severity: .high,
      rationale: "A page of another site may then send JSON with the cookies of the user.",
      advice: "Answer preflight requests of listed origins only."
    ) { (world) in
      var request = ServerRequest("OPTIONS", try world.request(.signInVerify).path)
      request.headers = [
        HeaderField("origin", foreignOrigin), HeaderField("access-control-request-method", "POST"),
        HeaderField("access-control-request-headers", "content-type"),
      ]
      let reply = try await world.send(request)
      // Browsers accept no other status, and no wildcard together with cookies.
      return reply.isSuccess && reply.allowsCredentials && reply.header("access-control-allow-origin") == foreignOrigin
        ? .fail("the preflight request was granted") : .pass
    },
  ]

  private static let foreignOrigin = "https://evil.example"

  private static func crossSite(_ id: String, _ title: String, _ fields: [HeaderField], _ section: String) -> Check {
    Check(
      id: id, title: title, references: ["ASVS 5.0 3.5.1", section], severity: .high,
      rationale: "A page of another site makes the browser act in the session of its user.",
      advice:
        "Compare Origin with your origins, and Sec-Fetch-Site with `same-origin`, for all requests that change state."
    ) { (world) in
      let session = try await world.open(byCookie: true)
      guard try await world.isOpen(session) else { return .cannotTell("the cookie opens no session") }
      var request = try world.request(.signOut)
      guard request.method == "POST" else { return .cannotTell("a form cannot send \(request.method)") }
      try world.authorize(&request, session)
      // A form of another site sends no other fields, and has a type that needs no preflight request.
      request.headers = fields
      request.contentType = request.body.isEmpty ? nil : "text/plain"
      let reply = try await world.send(request)
      guard try await world.isOpen(session) else {
        let rule = session.reply.setCookies.first { $0.has(name: world.cookieName) }?.value("samesite") ?? ""
        let note = rule == "lax" || rule == "strict" ? "; only SameSite=\(rule), in browsers, stops such requests" : ""
        return .fail("a cross-site request signed the user out (\(reply.status))\(note)")
      }
      // Otherwise, the route may be the wrong one.
      try await world.signOut(session)
      return try await world.isOpen(session)
        ? .cannotTell("a sign-out of the server's own page has no effect, either") : .pass
    }
  }

  private static func cors(_ id: String, _ title: String, _ origin: String, _ advice: String) -> Check {
    Check(
      id: id, title: title, references: ["ASVS 5.0 3.4.2", "Fetch §3.3"], severity: .high,
      rationale: "The page reads the account of its visitor.", advice: advice
    ) { (world) in
      let reply = try await world.me(from: origin)
      return reply.header("access-control-allow-origin") == origin && reply.allowsCredentials
        ? .fail("Access-Control-Allow-Origin is \(origin), with credentials") : .pass
    }
  }
}

extension ServerReply {
  /// Whether pages of the allowed origin may send cookies and read the response.
  fileprivate var allowsCredentials: Bool { header("access-control-allow-credentials") == "true" }
}

extension AuditWorld {
  /// Sends a request of a page of another origin about the main account.
  fileprivate func me(from origin: String) async throws -> ServerReply {
    var request = try request(.me)
    try authorize(&request, try await open())
    request.headers.removeAll { ["origin", "sec-fetch-site"].contains($0.name) }
    request.headers.append(HeaderField("origin", origin))
    return try await send(request)
  }
}
