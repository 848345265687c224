// SPDX-License-Identifier: Apache-2.0

internal import ServiceProfiles
internal import WebAuthnClient

extension Check {
  static let httpChecks: [Check] =
    crossSiteChecks + headerChecks + tlsChecks + plainChecks + methodChecks + framingChecks + bodyChecks

  /// Requests of pages of other sites.
  private static let crossSiteChecks: [Check] = [
    crossSite(
      "http.csrf-origin", "refuses a request with cookies from a page of another origin",
      HeaderField("origin", "https://evil.example"), "Fetch §3.2"),
    crossSite(
      "http.csrf-fetch-site", "refuses a request with cookies that a browser marks as cross-site",
      HeaderField("sec-fetch-site", "cross-site"), "Fetch Metadata §2.3"),
    cors(
      "http.cors-reflected", "allows no foreign origin to read responses", "https://evil.example", .high,
      "List the origins that may read responses, and compare all of the value."),
    cors(
      "http.cors-null", "does not allow the opaque origin `null` to read responses", "null", .high,
      "Never allow `null`: pages in a sandbox and files have it."),
    Check(
      id: "http.cors-wildcard", title: "does not allow all origins to read responses with credentials",
      references: ["ASVS 5.0 3.4.2", "Fetch §3.3.5"], severity: .medium,
      rationale: "Any page reads what the API answers.",
      advice: "Name the origins, and allow credentials only where they are needed."
    ) { (world) in
      let reply = try await world.me(from: "https://evil.example")
      let isOpen = reply.header("access-control-allow-origin") == "*"
      return isOpen ? .fail("Access-Control-Allow-Origin is * at a response about an account") : .pass
    },
    Check(
      id: "http.cors-preflight", title: "grants no preflight request of a foreign origin",
      references: ["ASVS 5.0 3.5.2", "Fetch §4.8"], severity: .high,
      rationale: "A page of another site may then send JSON with the cookies of the user.",
      advice: "Answer preflight requests of listed origins only."
    ) { (world) in
      var request = ServerRequest("OPTIONS", try world.request(.signInVerify).path)
      request.headers = [
        HeaderField("origin", "https://evil.example"), HeaderField("access-control-request-method", "POST"),
        HeaderField("access-control-request-headers", "content-type"),
      ]
      let allowed = try await world.send(request).header("access-control-allow-origin")
      return ["*", "https://evil.example"].contains(allowed) ? .fail("the preflight request was granted") : .pass
    },
  ]

  private static func crossSite(_ id: String, _ title: String, _ field: HeaderField, _ section: String) -> Check {
    Check(
      id: id, title: title, references: ["ASVS 5.0 3.5.1", section], severity: .high,
      rationale: "A page of another site makes the browser act in the session of its user.",
      advice:
        "Compare Origin with your origins, and Sec-Fetch-Site with `same-origin`, for all requests that change state."
    ) { (world) in
      let session = try await world.open(byCookie: true)
      guard try await world.isOpen(session) else { return .cannotTell("the cookie opens no session") }
      var request = try world.request(.signOut)
      try world.authorize(&request, session)
      request.headers.removeAll { ["origin", "sec-fetch-site"].contains($0.name) }
      request.headers.append(field)
      let reply = try await world.send(request)
      return try await world.isOpen(session)
        ? .pass : .fail("a cross-site request signed the user out (\(reply.status))")
    }
  }

  private static func cors(
    _ id: String, _ title: String, _ origin: String, _ severity: Severity, _ advice: String
  ) -> Check {
    Check(
      id: id, title: title, references: ["ASVS 5.0 3.4.2", "Fetch §3.3"], severity: severity,
      rationale: "The page reads the account of its visitor.", advice: advice
    ) { (world) in
      let allowed = try await world.me(from: origin).header("access-control-allow-origin")
      return allowed == origin ? .fail("Access-Control-Allow-Origin is \(origin)") : .pass
    }
  }

  /// Header fields of responses.
  private static let headerChecks: [Check] = [
    header(
      "http.hsts", "tells browsers to use HTTPS only", ["ASVS 5.0 3.4.1", "RFC 6797 §6.1"], .medium,
      "The first request of a visit goes over plain HTTP, where an attacker answers it.",
      "Add Strict-Transport-Security with a max-age of a year.", needsTLS: true
    ) { (reply) in
      let value = reply.header("strict-transport-security")?.lowercased() ?? ""
      let age = value.firstRange(of: "max-age=").map {
        value[$0.upperBound...].drop { $0 == "\"" }.prefix { $0.isNumber }
      }
      return (age.flatMap { Int($0) } ?? 0) >= 31_536_000 ? nil : "no Strict-Transport-Security for a year or more"
    },
    header(
      "http.nosniff", "disables content sniffing", ["ASVS 5.0 3.4.4"], .low,
      "Browsers run a response as a script or a page if its bytes look like one.",
      "Add X-Content-Type-Options: nosniff."
    ) { (reply) in
      reply.header("x-content-type-options")?.lowercased() == "nosniff" ? nil : "no X-Content-Type-Options: nosniff"
    },
    header(
      "http.framing", "cannot be framed by other sites", ["ASVS 5.0 3.4.6"], .low,
      "A frame on another site makes users click where they do not see it.",
      "Add a Content-Security-Policy with frame-ancestors."
    ) { (reply) in
      let policies = reply.headers.filter { $0.name == "content-security-policy" }
      let isCovered = policies.contains { $0.value.contains("frame-ancestors") }
      guard !isCovered else { return nil }
      return reply.headers.contains { $0.name == "x-frame-options" }
        ? "X-Frame-Options without frame-ancestors, which replaced it"
        : "no Content-Security-Policy with frame-ancestors"
    },
    header(
      "http.cache-secrets", "keeps secrets out of caches", ["ASVS 5.0 14.3.2", "RFC 9111 §5.2.2.5"], .medium,
      "A cache keeps tokens and personal data, and may give them to others.",
      "Add Cache-Control: no-store to all responses of the API."
    ) { (reply) in
      reply.header("cache-control")?.lowercased().contains("no-store") == true ? nil : "no Cache-Control: no-store"
    },
    header(
      "http.version-header", "does not name the version of its software", ["ASVS 5.0 13.4.6"], .low,
      "A version tells which known vulnerabilities to try.", "Remove the version from Server and X-Powered-By."
    ) { (reply) in
      let names = ["server", "x-powered-by", "x-aspnet-version", "x-generator"]
      let found = reply.headers.first { names.contains($0.name) && $0.value.contains(where: \.isNumber) }
      return found.map { "\($0.name) is \($0.value)" }
    },
    Check(
      id: "http.error-details", title: "shows no internals in error responses",
      references: ["ASVS 5.0 16.5.1", "ASVS 5.0 13.4.2"], severity: .medium,
      rationale: "Stack traces, paths and statements show an attacker how the server works.",
      advice: "Log the details, and answer with a code."
    ) { (world) in
      var request = try world.request(.signInVerify)
      request.contentType = "application/json"
      for body in ["{", "[]", #"{"id":1}"#, #"{"credential":{"id":"%00"}}"#] {
        request.body = Array(body.utf8)
        let text = try await world.send(request).text
        if let sign = Self.internals.first(where: { text.contains($0) }) {
          return .fail("an error response has \(sign)")
        }
      }
      return .pass
    },
    Check(
      id: "http.reflected-markup", title: "does not repeat a path in a page",
      references: ["ASVS 5.0 1.2.1", "CWE-79"], severity: .high,
      rationale: "A link to the API runs a script in its origin.",
      advice: "Answer errors as JSON, and escape what pages repeat."
    ) { (world) in
      let reply = try await world.send(ServerRequest("GET", "/%3Cscript%3Eaudit%3C/script%3E"))
      let isPage =
        reply.mediaType.map { $0 != "application/json" && !$0.hasSuffix("+json") && $0 != "text/plain" } ?? true
      return isPage && reply.text.contains("<script>audit") ? .fail("the path is in a page unescaped") : .pass
    },
  ]

  private static let internals = [
    "Traceback (most", "\tat ", "    at ", "Fatal error:", "SQLSTATE", "SELECT ", "/usr/lib/", "node_modules",
    ".swift:",
    "stack trace", "Exception in thread",
  ]

  private static func header(
    _ id: String, _ title: String, _ references: [String], _ severity: Severity, _ rationale: String,
    _ advice: String, needsTLS: Bool = false, judge: @escaping @Sendable (ServerReply) -> String?
  ) -> Check {
    Check(
      id: id, title: title, references: references, severity: severity, rationale: rationale, advice: advice
    ) { (world) in
      if needsTLS { try world.requireTLS() }
      let session = try await world.open()
      for reply in [session.reply, try await world.call(.me, in: session)] {
        if let fault = judge(reply) { return .fail(fault) }
      }
      return .pass
    }
  }
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
