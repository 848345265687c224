// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyProfiles
internal import PasskeyService
internal import WebAuthnTypes

// The signed-in user, for a proxy that asks before it forwards a request: nginx `auth_request`, Caddy `forward_auth`,
// Traefik ForwardAuth.

extension Endpoints {
  static let forwardAuth = [
    Endpoint(
      name: .forwardAuth,
      summary: "Tell a proxy whose a forwarded request is: parameters refusal, max_age, acr_values, role, audience",
      answers: [.init(.text(contentType: plainText)), .init(.redirect)],
      failures: [.badRequest, .unauthorized, .forbidden, .serviceUnavailable],
      access: .anonymous { try await $0.authenticateForwarded($1) })
  ]

  private static let plainText = "text/plain; charset=utf-8"

  private func authenticateForwarded(_ call: Call) async throws -> Reply {
    guard let site, let secret = call.request.headers.only("passkey-proxy-secret"),
      SiteAccess.SecretDigest.match(site.proxySecrets, secret)
    else { throw EndpointError(.proxyRefused) }
    let rule = try ForwardRule(call.request.target)
    do {
      return .complete(try await identity(by: rule, site, call))
    } catch {
      guard var response = errors.knownResponse(to: error, requestID: call.request.id) else { throw error }
      guard response.status == .unauthorized else { return .complete(response) }
      if rule.redirects, call.request.headers.forwardsNavigation {
        response = EndpointResponse(.found)
      }
      response.headers.set("location", signInAddress(after: error, site, call))
      return .complete(response)
    }
  }

  /// Returns the response with the signed-in user.
  private func identity(by rule: ForwardRule, _ site: SiteAccess, _ call: Call) async throws -> EndpointResponse {
    let session = try await session(of: call)
    try requireAllowedForwardedOrigin(site, call)
    try await require(rule.demand, of: session, for: call.request)
    if let role = rule.role { try service.require(role, of: session) }
    let account = session.account
    var response = EndpointResponse(.ok, contentType: Self.plainText, body: Array("ok\n".utf8))
    response.headers.set("remote-user", call.accountIDs.text(account.handle.bytes))
    response.headers.set("remote-name", account.name)
    if let email = account.email, account.emailVerified != nil { response.headers.set("remote-email", email.text) }
    let roles = account.roles.map(\.rawValue).sorted().joined(separator: ",")
    if !roles.isEmpty { response.headers.set("remote-groups", roles) }
    if let audience = rule.audience {
      response.headers.set("remote-token", try await signedToken(for: audience, of: session, site, call).text)
    }
    return response
  }

  /// Throws if a page of another origin sends a request that changes something, as ``requireAllowedOrigin(_:)`` does. The
  /// origins to which a sign-in leads back may send such requests.
  private func requireAllowedForwardedOrigin(_ site: SiteAccess, _ call: Call) throws(EndpointError) {
    let headers = call.request.headers
    // A WebSocket begins with a GET, to which no rule of the browser applies (RFC 6455 §10.2).
    let opensWebSocket = headers.has("sec-websocket-key")
    // A proxy that does not tell the method may forward any. Browsers tell the origin of a request that can change something.
    let mayChange = headers.has("x-forwarded-method") ? !headers.forwardedMethod.isSafe : headers.has("origin")
    guard mayChange || opensWebSocket, carriesCookie(call.request) else { return }
    try requireOrigin(of: headers, in: origins.union(site.returnTargets.map(\.origin)))
  }

  /// Returns the address of the sign-in page for the user of a refused request, who comes back if the page is one of the
  /// allowed targets.
  private func signInAddress(after error: any Error, _ site: SiteAccess, _ call: Call) -> String {
    var parameters: [(name: String, value: String)] = []
    if let page = call.request.headers.forwardedPage,
      site.returnTargets.contains(where: { $0.contains(page.target, of: page.origin) })
    {
      let query = page.target.query.map { "?\($0)" } ?? ""
      let next = page.origin.text + page.target.path + query
      if next.percentEncoded.utf8.count <= Self.maximumNextLength { parameters.append(("next", next)) }
    }
    if let demand = error as? SiteAccess.AuthenticationDemand {
      // Another passkey is needed, or the same one again.
      parameters.append(("again", demand.classes.isEmpty ? "verify" : "sign-in"))
    } else if (error as? ServiceError)?.code == .sessionVerificationRequired {
      parameters.append(("again", "verify"))
    }
    let query = parameters.map { "\($0.name)=\($0.value.percentEncoded)" }.joined(separator: "&")
    return query.isEmpty ? site.signInPage : "\(site.signInPage)?\(query)"
  }

  // 2,000 bytes  [nginx reads 4 KiB of header fields; a user of a longer address lands on the first page]
  private static let maximumNextLength = 2_000
}

/// The demands of a proxy on the user of one route, in the query of its request.
struct ForwardRule {
  /// Whether people without a session are sent to the sign-in page. Otherwise the proxy sends them, by `Location`.
  let redirects: Bool

  let demand: SiteAccess.AuthenticationDemand

  /// The role that the user needs; nil for any user.
  let role: Role?

  /// The service for which a token is signed; nil for none.
  let audience: String?

  /// Throws if a parameter is unknown or malformed: a misspelled one must not open a route.
  init(_ target: RequestTarget) throws(EndpointError) {
    let pairs = (target.query ?? "").split(separator: "&").map { $0.prefix { $0 != "=" } }
    guard Set(pairs).count == pairs.count, pairs.allSatisfy({ Self.names.contains(String($0)) }) else {
      throw EndpointError(.targetMalformed)
    }
    switch target.queryValue("refusal") {
    case nil, "status": redirects = false
    case "redirect": redirects = true
    default: throw EndpointError(.targetMalformed)
    }
    var demand = SiteAccess.AuthenticationDemand()
    if let text = target.queryValue("max_age") {
      guard let seconds = Int64(text), 1...31_536_000 ~= seconds else { throw EndpointError(.targetMalformed) }
      demand.maximumAge = .seconds(seconds)
    }
    if let text = target.queryValue("acr_values") {
      let classes = text.split(separator: " ").map { AccountSession.Strength.ContextClass(rawValue: String($0)) }
      guard !classes.isEmpty, !classes.contains(nil) else { throw EndpointError(.targetMalformed) }
      demand.classes = classes.compactMap(\.self)
    }
    self.demand = demand
    role = target.queryValue("role").map { Role(rawValue: $0) }
    audience = target.queryValue("audience")
  }

  private static let names: Set = ["refusal", "max_age", "acr_values", "role", "audience"]
}

extension String {
  /// The text with all bytes but the unreserved ones (RFC 3986 §2.3) as `%XX`.
  var percentEncoded: String {
    var text = ""
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default: text += "%" + Hex.encode(CollectionOfOne(byte)).uppercased()
      }
    }
    return text
  }
}
