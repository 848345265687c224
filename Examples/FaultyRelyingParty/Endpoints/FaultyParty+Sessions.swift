// SPDX-License-Identifier: Apache-2.0

import PasskeyHTTP
import WireFormats

extension FaultyParty {
  static let cookieName = "raxx.session"
  static let refreshSuffix = ".refresh"
  static let ceremonySuffix = ".ceremony"

  /// Whether the client wants its tokens in cookies: if it says so, or if a page of this origin sends the request.
  func usesCookies(_ request: HTTPRequest) -> Bool {
    if let asked = request.headers["passkey-tokens"] { return asked == "cookie" }
    return request.headers["sec-fetch-site"] == "same-origin" && !request.headers.has("authorization")
  }

  /// Returns the value of a cookie whose name is that of the session cookie with a suffix.
  func cookie(_ suffix: String, of request: HTTPRequest) -> String? {
    request.headers.cookie(Self.cookieName + suffix, isSecure: request.isEncrypted)
  }

  func setCookie(_ suffix: String, _ value: String, _ request: HTTPRequest, in response: inout HTTPResponse) {
    let lifetime: Duration? = value.isEmpty ? .zero : nil
    let cookie = Cookie(Self.cookieName + suffix, value, isSecure: request.isEncrypted, maximumAge: lifetime)
    if let cookie { response.set(cookie) }
  }

  /// Returns the session of a request and its account. Throws if there is none.
  func signedIn(_ request: HTTPRequest) throws -> (Session, Account) {
    guard let token = request.headers.bearerToken ?? cookie("", of: request),
      var session = sessions.values.first(where: { $0.token == token }),
      request.receivedAt < session.expiry, let account = accounts[session.owner]
    else { throw Refusal.notSignedIn }
    session.lastSeen = request.receivedAt
    sessions[session.id] = session
    return (session, account)
  }

  /// Opens a session after a registration or a sign-in. It replaces the session whose cookie the request carries.
  func openSession(
    _ passkey: Passkey, _ request: HTTPRequest, _ rest: (inout JSONObjectWriter) -> Void
  ) throws -> HTTPResponse {
    if let old = cookie("", of: request) { end { $0.token == old } }
    let session = Session(
      id: try makeToken(), owner: passkey.owner, passkey: passkey.id, created: request.receivedAt,
      token: try makeToken(), refreshToken: try makeToken(), expiry: request.receivedAt + .seconds(settings.sessionSeconds),
      lastSeen: request.receivedAt)
    sessions[session.id] = session
    return try reply(session, request, rest)
  }

  /// Renews a session. A refresh token that was used before ends the session, because it was stolen once.
  func refresh(_ request: HTTPRequest) throws -> HTTPResponse {
    let fromCookie = cookie(Self.refreshSuffix, of: request)
    guard let token = try fromCookie ?? JSONBody(request).stringIfPresent("refreshToken") else {
      throw Refusal.notSignedIn
    }
    end { $0.usedRefreshTokens.contains(token) }
    guard var session = sessions.values.first(where: { $0.refreshToken == token }) else { throw Refusal.notSignedIn }
    session.usedRefreshTokens.insert(token)
    session.token = try makeToken()
    session.refreshToken = try makeToken()
    session.expiry = request.receivedAt + .seconds(settings.sessionSeconds)
    sessions[session.id] = session
    return try reply(session, request) { (_) in }
  }

  func signOut(_ request: HTTPRequest) throws -> HTTPResponse {
    let (session, _) = try signedIn(request)
    end { $0.id == session.id }
    return clearingCookies(request)
  }

  func listSessions(_ request: HTTPRequest) throws -> HTTPResponse {
    let (current, account) = try signedIn(request)
    let listed = sessions.values.filter { $0.owner == account.handle }.sorted { $0.created < $1.created }
    return HTTPResponse.json { (body: inout JSONObjectWriter) in
      body.writeArray("sessions") { (list: inout JSONArrayWriter) in
        for session in listed {
          list.writeObject { (object: inout JSONObjectWriter) in
            Self.write(session, isCurrent: session.id == current.id, to: &object)
          }
        }
      }
    }
  }

  func revokeSessions(_ request: HTTPRequest) throws -> HTTPResponse {
    let (current, account) = try signedIn(request)
    let keepsCurrent = request.target.queryValue("others") == "true"
    let count = end { $0.owner == account.handle && !(keepsCurrent && $0.id == current.id) }
    var response = keepsCurrent ? HTTPResponse(.ok) : clearingCookies(request)
    response.status = .ok
    response.headers.set("content-type", "application/json")
    response.body = JSON.writeObject { (body: inout JSONObjectWriter) in body.write("revoked", .integer(count)) }
    return response
  }

  func revokeSession(_ request: HTTPRequest) throws -> HTTPResponse {
    let (_, account) = try signedIn(request)
    let id = request.parameters["id"]
    guard end({ $0.id == id && $0.owner == account.handle }) > 0 else { throw Refusal(.notFound, "http.not-found") }
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

  func clearingCookies(_ request: HTTPRequest) -> HTTPResponse {
    var response = HTTPResponse.noContent
    for suffix in ["", Self.refreshSuffix] where cookie(suffix, of: request) != nil {
      setCookie(suffix, "", request, in: &response)
    }
    return response
  }

  /// Responds with the tokens of a session, in the body or in cookies.
  private func reply(
    _ session: Session, _ request: HTTPRequest, _ rest: (inout JSONObjectWriter) -> Void
  ) throws -> HTTPResponse {
    guard let account = accounts[session.owner] else { throw Refusal.notSignedIn }
    let isInCookies = usesCookies(request) || cookie(Self.refreshSuffix, of: request) != nil
    var response = HTTPResponse.json { (body: inout JSONObjectWriter) in
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
      setCookie("", session.token, request, in: &response)
      setCookie(Self.refreshSuffix, session.refreshToken, request, in: &response)
    }
    return response
  }
}
