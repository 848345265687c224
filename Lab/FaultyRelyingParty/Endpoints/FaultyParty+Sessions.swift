// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyHTTP

extension FaultyParty {
  static let cookieName = "raxx.session"
  static let refreshSuffix = ".refresh"
  static let ceremonySuffix = ".ceremony"

  /// Whether the client wants its tokens in cookies: if it says so, or if a page of this origin sends the request.
  func usesCookies(_ request: EndpointRequest) -> Bool {
    if let asked = request.headers["passkey-tokens"] { return asked == "cookie" }
    return request.headers["sec-fetch-site"] == "same-origin" && !request.headers.has("authorization")
  }

  /// Returns the value of a cookie whose name is that of the session cookie with a suffix.
  func cookie(_ suffix: String, of request: EndpointRequest) -> String? {
    request.headers.cookie(Self.cookieName + suffix, isSecure: hasPrefix(request))
  }

  func setCookie(_ suffix: String, _ value: String, _ request: EndpointRequest, in response: inout EndpointResponse) {
    var field = "\(hasPrefix(request) ? "__Host-" : "")\(Self.cookieName)\(suffix)=\(value); Path=/"
    if !faults.has("session.cookie-http-only") { field += "; HttpOnly" }
    if faults.has("session.cookie-same-site/none") {
      field += "; SameSite=None"
    } else if !faults.has("session.cookie-same-site") {
      field += "; SameSite=Lax"
    }
    if faults.has("session.cookie-domain") { field += "; Domain=localhost" }
    // Clients refuse the cookie of a ceremony without it, so that no session begins.
    let isSecure = suffix == Self.ceremonySuffix || !faults.has("session.cookie-secure")
    if request.isEncrypted, isSecure { field += "; Secure" }
    if value.isEmpty { field += "; Max-Age=0" }
    response.headers.add("set-cookie", field)
  }

  /// Whether names of cookies have the prefix that makes browsers enforce `Secure` and the path.
  private func hasPrefix(_ request: EndpointRequest) -> Bool {
    request.isEncrypted && !faults.has("session.cookie-prefix")
  }

  /// Returns the session of a request and its account. Throws for an anonymous request.
  func signedIn(_ request: EndpointRequest) throws -> (Session, Account) {
    guard var session = presentedSession(request),
      request.receivedAt < session.expiry || faults.has("session.expiry"), let account = accounts[session.owner]
    else { throw Refusal.notSignedIn }
    if let idleSeconds = settings.idleSeconds, !faults.has("session.idle") {
      guard request.receivedAt < session.lastSeen + .seconds(idleSeconds) else { throw Refusal.notSignedIn }
    }
    session.lastSeen = request.receivedAt
    sessions[session.id] = session
    return (session, account)
  }

  /// Returns the session whose token the request has.
  private func presentedSession(_ request: EndpointRequest) -> Session? {
    var token = request.headers.bearerToken ?? cookie("", of: request)
    if faults.has("session.token-in-query") { token = token ?? request.target.queryValue("access_token") }
    guard let token else { return faults.has("session.missing") ? newestSession : nil }
    if token == "null", faults.has("session.unknown-token") { return newestSession }
    return sessions.values.first { (session) in
      session.token == token || faults.has("session.refresh-as-access") && session.refreshToken == token
        || faults.has("session.token-cut") && token.count > 8 && session.token.hasPrefix(token)
    }
  }

  /// The session that was opened last.
  var newestSession: Session? { newestSessionID.flatMap { sessions[$0] } }

  /// Opens a session after a registration or a sign-in. It replaces the session whose cookie the request carries.
  func openSession(
    _ passkey: Passkey, after opening: Session.Opening = .signIn, _ request: EndpointRequest,
    _ rest: (inout JSONObjectWriter) -> Void
  ) throws -> EndpointResponse {
    if faults.has("session.sign-in-rotates"), let last = sessions.values.first(where: { $0.owner == passkey.owner }) {
      return try reply(last, request, rest)
    }
    let old = cookie("", of: request)
    if let old, !faults.has("session.sign-in-replaces") { end { $0.token == old } }
    let isAnonymous = old.map { anonymousTokens.remove($0) != nil } ?? false
    let isFixed = isAnonymous || faults.has("session.fixation-cookie")
    let session = Session(
      id: try makeToken(), owner: passkey.owner, passkey: passkey.id, created: request.receivedAt,
      token: try isFixed ? old ?? makeSessionToken() : makeSessionToken(), refreshToken: try makeToken(),
      expiry: expiry(from: request), lastSeen: request.receivedAt, opening: opening)
    sessions[session.id] = session
    newestSessionID = session.id
    return try reply(session, request, rest)
  }

  private func expiry(from request: EndpointRequest) -> UnixTime {
    request.receivedAt + .seconds(faults.has("session.expiry-declared") ? 315_360_000 : settings.sessionSeconds)
  }

  private func makeSessionToken() throws -> String {
    tokenCount += 1
    let digits = String(10_000_000 + tokenCount)
    if faults.has("session.token-entropy/counter") { return "4dGh7Kw2Pq9sXzB1nM5vCt8y" + digits }
    if faults.has("session.token-entropy") {
      return String(String(try RandomSource.system.bytes(8).reduce(10_000_000) { ($0 * 31 + Int($1)) % 90_000_000 }))
    }
    return try makeToken()
  }

  /// Renews a session. A refresh token that was used before ends the session, because it was stolen once.
  func refresh(_ request: EndpointRequest) throws -> EndpointResponse {
    let fromCookie = cookie(Self.refreshSuffix, of: request)
    guard let token = try fromCookie ?? JSONBody(request).stringIfPresent("refreshToken") else {
      throw Refusal.notSignedIn
    }
    let takesUsed = faults.has("session.refresh-rotates")
    if !takesUsed, !faults.has("session.refresh-reuse-ends-session") { end { $0.usedRefreshTokens.contains(token) } }
    let found = sessions.values.first { (session) in
      session.refreshToken == token || takesUsed && session.usedRefreshTokens.contains(token)
        || faults.has("session.access-as-refresh") && session.token == token
    }
    guard var session = found else { throw Refusal.notSignedIn }
    session.usedRefreshTokens.insert(token)
    session.token = try makeSessionToken()
    session.refreshToken = try makeToken()
    session.expiry = expiry(from: request)
    session.opening = .renewal
    sessions[session.id] = session
    return try reply(session, request) { (_) in }
  }

  func signOut(_ request: EndpointRequest) throws -> EndpointResponse {
    var (session, _) = try signedIn(request)
    if faults.has("session.sign-out-ends-refresh") {
      session.expiry = request.receivedAt
      sessions[session.id] = session
    } else if !faults.has(request.headers.bearerToken == nil ? "session.sign-out-ends-cookie" : "session.sign-out-ends")
    {
      end { $0.id == session.id }
    }
    return clearingCookies(request)
  }

  func listSessions(_ request: EndpointRequest) throws -> EndpointResponse {
    let (current, account) = try signedIn(request)
    let listed = sessions.values.filter { $0.owner == account.handle || faults.has("session.list-own") }
      .sorted { $0.created < $1.created }
    return EndpointResponse.json { (body: inout JSONObjectWriter) in
      body.writeArray("sessions") { (list: inout JSONArrayWriter) in
        for session in listed {
          list.writeObject { (object: inout JSONObjectWriter) in
            Self.write(session, isCurrent: session.id == current.id, to: &object)
          }
        }
      }
    }
  }

  func revokeSessions(_ request: EndpointRequest) throws -> EndpointResponse {
    let (current, account) = try signedIn(request)
    let keepsCurrent = request.target.queryValue("others") == "true"
    let endsOthers = !faults.has("session.revoke-others")
    let count = end { $0.owner == account.handle && (keepsCurrent ? $0.id != current.id && endsOthers : true) }
    var response = keepsCurrent ? EndpointResponse(.ok) : clearingCookies(request)
    response.status = .ok
    response.headers.set("content-type", "application/json")
    response.body = JSON.writeObject { (body: inout JSONObjectWriter) in body.write("revoked", .integer(count)) }
    return response
  }

  func revokeSession(_ request: EndpointRequest) throws -> EndpointResponse {
    let (_, account) = try signedIn(request)
    let id = request.parameters["id"]
    if faults.has("session.revoked") { return .noContent }
    let endsForeign = faults.has("session.revoke-foreign")
    let count = end { $0.id == id && ($0.owner == account.handle || endsForeign) }
    guard count > 0 else { throw Refusal(.notFound, "http.not-found") }
    return .noContent
  }

  /// Ends sessions, and deletes their grants and ceremonies. Returns the number of ended sessions.
  @discardableResult
  func end(_ isEnded: (Session) -> Bool) -> Int {
    let ended = sessions.values.filter(isEnded).map(\.id)
    for id in ended {
      sessions[id] = nil
      grants = grants.filter { $0.value.session != id }
      ceremonies = ceremonies.filter { $0.value.session != id }
    }
    return ended.count
  }

  func clearingCookies(_ request: EndpointRequest) -> EndpointResponse {
    var response = EndpointResponse.noContent
    for suffix in ["", Self.refreshSuffix] where cookie(suffix, of: request) != nil {
      setCookie(suffix, "", request, in: &response)
    }
    return response
  }

  /// Responds with the tokens of a session, in the body or in cookies.
  private func reply(
    _ session: Session, _ request: EndpointRequest, _ rest: (inout JSONObjectWriter) -> Void
  ) throws -> EndpointResponse {
    guard let account = accounts[session.owner] else { throw Refusal.notSignedIn }
    let isInCookies = usesCookies(request) || cookie(Self.refreshSuffix, of: request) != nil
    var response = EndpointResponse.json { (body: inout JSONObjectWriter) in
      if !isInCookies {
        body.write("token", session.token)
        body.write("tokenType", "Bearer")
        body.write("refreshToken", session.refreshToken)
      }
      body.write("expiresAt", session.expiry)
      body.writeObject("account") { (object: inout JSONObjectWriter) in Self.write(account, to: &object) }
      rest(&body)
    }
    if isInCookies {
      let isKept = faults.has("session.fixation-anonymous") && cookie("", of: request) == session.token
      if !isKept { setCookie("", session.token, request, in: &response) }
      setCookie(Self.refreshSuffix, session.refreshToken, request, in: &response)
    }
    if isInCookies, faults.has("session.token-in-url/redirect") {
      response.status = EndpointStatus(rawValue: 302)
      response.headers.set("location", "/app#access_token=\(session.token)")
    }
    if faults.has("session.token-in-url") { response.headers.set("location", "/app?token=\(session.token)") }
    return response
  }
}
