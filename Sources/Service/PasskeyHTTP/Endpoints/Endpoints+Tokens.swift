// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyProfiles
internal import PasskeyService
internal import WebAuthnRelyingParty

extension Endpoints {
  /// Returns how the client of a request gets and presents tokens: as it asks, in a cookie for a browser's same-origin
  /// request, otherwise by the first delivery that the profile allows.
  func delivery(of request: EndpointRequest) -> ServiceProfile.Sessions.Delivery {
    let allowed = profile.sessions.deliveries
    guard allowed.count > 1 else { return allowed.first ?? .bearer }
    if let asked = request.headers[profile.headers.tokens].flatMap({ ServiceProfile.Sessions.Delivery(rawValue: $0) }) {
      return asked
    }
    let isSameOrigin = request.headers["sec-fetch-site"] == "same-origin" && !request.headers.has("authorization")
    return isSameOrigin ? .cookie : allowed[0]
  }

  /// Returns the session of a request; throws if the request is not authenticated.
  func session(of call: Call, allowing allowance: AccountSession.Allowance = []) async throws -> AuthenticatedSession {
    let token = try presentedToken(call.request).flatMap { Token($0) }
    return try await service.authenticate(token, allowing: allowance, in: call.context)
  }

  /// Returns the session of a request to an endpoint with optional authentication; nil if the request is anonymous.
  ///
  /// An invalid bearer token is an error. An invalid cookie is not, because it can be a ceremony binding or belong to
  /// an expired session.
  func sessionIfAny(of call: Call) async throws -> AuthenticatedSession? {
    if profile.sessions.allows(.bearer), call.request.headers.has("authorization") {
      return try await session(of: call)
    }
    guard carriesCookie(call.request) else { return nil }
    do {
      return try await session(of: call)
    } catch let error as ServiceError {
      if case .storage? = error.cause { throw error }
      return nil
    }
  }

  /// Returns the ceremony binding of the browser. If the browser has none, returns a new secret and the cookie to set.
  func binding(
    _ call: Call, isNew: Bool
  ) throws(PasskeyCryptoError) -> (binding: CeremonyBinding?, cookie: EndpointCookie?) {
    guard call.delivery == .cookie else { return (nil, nil) }
    if !isNew, let binding = binding(of: call) { return (binding, nil) }
    let secret = Base64URL.encode(try RandomSource.system.bytes(32))
    let isShared = profile.sessions.cookie.carriesCeremony
    let cookie = cookie(
      isShared ? "" : Self.ceremonySuffix, secret, call,
      maximumAge: isShared ? profile.sessions.cookie.maximumAge : nil)
    return (CeremonyBinding(secret), cookie)
  }

  /// Returns the ceremony binding that the request carries.
  func binding(of call: Call) -> CeremonyBinding? {
    guard call.delivery == .cookie else { return nil }
    let suffix = profile.sessions.cookie.carriesCeremony ? "" : Self.ceremonySuffix
    return cookie(suffix, in: call.request).flatMap { CeremonyBinding($0) }
  }

  /// Returns the refresh token, from the body or from its cookie.
  func refreshToken(of call: Call) throws -> Token? {
    let value = cookie(Self.refreshSuffix, in: call.request)
    if call.delivery == .cookie || value != nil { return value.flatMap { Token($0) } }
    return try call.inputs().text(.sessionRefreshToken).flatMap { Token($0) }
  }

  /// Returns the reply to an opened or renewed session. A session that it replaces in the browser ends.
  func sessionReply(_ opened: OpenedSession, by endpoint: EndpointName, _ call: Call) async throws -> Reply {
    if endpoint != .refresh { try await endReplacedSession(call) }
    counters?.countOpenedSession(by: endpoint)
    let marks = marks(of: opened, call)
    // A session that a cookie renews stays in the cookie.
    let isInCookie =
      call.delivery == .cookie || endpoint == .refresh && cookie(Self.refreshSuffix, in: call.request) != nil
    var reply = Reply.values { (values) in
      if !isInCookie {
        values.set(.sessionToken, opened.token.exposedText)
        values.set(.sessionTokenType, "Bearer")
        values.set(.sessionRefreshToken, opened.refreshToken?.exposedText)
        values.set(.sessionClientToken, marks)
      }
      values.set(.sessionExpiry, opened.session.expiry)
      let left = opened.session.expiry.secondsSince1970 - call.context.time.secondsSince1970
      values[.sessionLifetime] = .integer(max(0, left))
      values.set(.sessionRefreshExpiry, opened.refreshExpiry)
      values.set(.sessionConditionalCreate, opened.creationOffer?.exposedText)
      add(opened.account, to: &values)
    }
    if isInCookie { setCookies(of: opened, marks: marks, call, in: &reply.response) }
    addSessionExpiry(opened.session.expiry, call, in: &reply.response)
    return reply
  }

  /// Ends the session whose cookies those of an opened session replace. The browser has no use for it, and a copy of its
  /// cookies must not outlive it.
  private func endReplacedSession(_ call: Call) async throws {
    guard call.delivery == .cookie else { return }
    if let token = cookie(Self.refreshSuffix, in: call.request).flatMap({ Token($0) }) {
      try await service.revoke(renewedBy: token, in: call.context)
    }
    guard let token = cookie("", in: call.request).flatMap({ Token($0) }) else { return }
    do throws(ServiceError) {
      let replaced = try await service.authenticate(
        token, allowing: [.pendingAccount, .unverifiedUser], in: call.context)
      try await service.revoke(replaced.session.id, by: replaced, in: call.context)
    } catch {
      // The cookie of no session, or of one that has ended. A store that fails is reported.
      if case .storage? = error.cause { throw error }
    }
  }

  /// Deletes the session cookies; with `forgettingClient`, also the known-client mark.
  func clearCookies(_ call: Call, forgettingClient: Bool = false, in response: inout EndpointResponse) {
    guard call.delivery == .cookie || carriesCookie(call.request) else { return }
    for suffix in ["", Self.refreshSuffix] + (forgettingClient ? [Self.clientSuffix] : []) {
      if let cookie = cookie(suffix, "", call, maximumAge: .zero) { response.set(cookie) }
    }
  }

  private func setCookies(
    of opened: OpenedSession, marks: String?, _ call: Call, in response: inout EndpointResponse
  ) {
    let session = cookie("", opened.token.exposedText, call, maximumAge: profile.sessions.cookie.maximumAge)
    if let session { response.set(session) }
    let client = marks.flatMap {
      cookie(Self.clientSuffix, $0, call, maximumAge: knownClients.lifetime, sameSite: .strict)
    }
    if let client { response.set(client) }
    guard let refreshToken = opened.refreshToken else { return }
    let refreshAge = opened.refreshExpiry.map {
      Duration.seconds($0.secondsSince1970 - call.context.time.secondsSince1970)
    }
    let refresh = cookie(
      Self.refreshSuffix, refreshToken.exposedText, call, maximumAge: refreshAge, sameSite: .strict)
    if let refresh { response.set(refresh) }
  }

  /// Returns a cookie whose name is that of the session cookie with a suffix.
  private func cookie(
    _ suffix: String, _ value: String, _ call: Call, maximumAge: Duration?, sameSite: EndpointCookie.SameSite? = nil
  ) -> EndpointCookie? {
    let attributes = profile.sessions.cookie
    var cookie = EndpointCookie(
      attributes.name + suffix, value, isSecure: isSecure(call.request), maximumAge: maximumAge,
      sameSite: sameSite ?? (attributes.sameSite == .strict ? .strict : .lax),
      keepsPlainName: hasPlainName(suffix))
    // Other hosts of the domain get the session, and neither the refresh token nor the mark of the client.
    if suffix.isEmpty {
      cookie?.domain = attributes.domain
      cookie?.path = attributes.path
    }
    return cookie
  }

  /// Returns the value of a cookie whose name is that of the session cookie with a suffix; nil in profiles without
  /// cookies.
  func cookie(_ suffix: String, in request: EndpointRequest) -> String? {
    guard profile.sessions.allows(.cookie) else { return nil }
    let cookie = profile.sessions.cookie
    return request.headers.cookie(
      cookie.name + suffix, isSecure: isSecure(request), keepsPlainName: hasPlainName(suffix))
  }

  /// Returns whether the cookie with this suffix has no prefix in its name. The session cookie of a domain cannot have one; the
  /// other cookies keep it, so that another host of the domain cannot set them.
  private func hasPlainName(_ suffix: String) -> Bool {
    let cookie = profile.sessions.cookie
    return cookie.prefix == .none && (suffix.isEmpty || cookie.domain == nil)
  }

  /// Whether a request carries a session cookie or a refresh cookie.
  func carriesCookie(_ request: EndpointRequest) -> Bool {
    guard profile.sessions.allows(.cookie), request.headers.has("cookie") else { return false }
    return cookie("", in: request) != nil || cookie(Self.refreshSuffix, in: request) != nil
  }

  /// Returns whether the cookies of this request are `Secure`.
  func isSecure(_ request: EndpointRequest) -> Bool { cookieSecurity.isSecure(request) }

  /// Returns the token of a request, from `Authorization` or from the session cookie. Throws if both are there and differ.
  private func presentedToken(_ request: EndpointRequest) throws(EndpointError) -> String? {
    let bearer = profile.sessions.allows(.bearer) ? request.headers.bearerToken : nil
    guard let cookie = cookie("", in: request) else { return bearer }
    guard let bearer else { return cookie }
    guard bearer == cookie else { throw EndpointError(.sessionAmbiguous) }
    return bearer
  }

  static let refreshSuffix = ".refresh"
  static let ceremonySuffix = ".ceremony"
  static let clientSuffix = ".client"
}

extension ServiceProfile.Sessions.Cookie {
  var maximumAge: Duration? { maximumAgeSeconds.map { .seconds($0) } }
}

extension ServiceProfile {
  /// The encoding of bytes in the responses of authenticators.
  var encoding: ResponseEncoding { ceremonies.acceptsAnyBase64 ? .anyBase64 : .base64URL }
}
