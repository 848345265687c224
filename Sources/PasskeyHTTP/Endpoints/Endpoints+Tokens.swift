// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import SystemCrypto
internal import WebAuthnRelyingParty
internal import WireFormats

extension Endpoints {
  /// Returns the session of a request; throws if the request is not authenticated.
  func session(of call: Call) async throws(ServiceError) -> AuthenticatedSession {
    try await service.authenticate(presentedToken(call.request).flatMap { Token($0) }, in: call.context)
  }

  /// Returns the session of a request to an endpoint with optional authentication; nil if the request is anonymous.
  ///
  /// An invalid bearer token is an error. An invalid cookie is not, because it can be a ceremony binding or belong to
  /// an expired session.
  func sessionIfAny(of call: Call) async throws -> AuthenticatedSession? {
    switch profile.tokens {
    case .bearer:
      return call.request.headers.values("authorization").isEmpty ? nil : try await session(of: call)
    case .cookie:
      do throws(ServiceError) {
        return try await session(of: call)
      } catch {
        if case .storage? = error.cause { throw error }
        return nil
      }
    }
  }

  /// Returns the ceremony binding of the browser. If the browser has none, returns a new secret and the cookie to set.
  func binding(
    _ call: Call, isNew: Bool
  ) throws(CryptoError) -> (binding: CeremonyBinding?, cookie: Cookie?) {
    guard case .cookie(let name, let keepsPlainName) = profile.tokens else { return (nil, nil) }
    if !isNew, let binding = binding(of: call) { return (binding, nil) }
    let secret = Base64URL.encode(try RandomSource.system.bytes(32))
    let cookie = Cookie(
      name, secret, isSecure: isSecure(call.request), keepsPlainName: keepsPlainName)
    return (CeremonyBinding(secret), cookie)
  }

  /// Returns the ceremony binding that the request carries.
  func binding(of call: Call) -> CeremonyBinding? {
    guard case .cookie = profile.tokens, let value = presentedToken(call.request) else { return nil }
    return CeremonyBinding(value)
  }

  /// Returns the refresh token, from the body or from its cookie.
  func refreshToken(of call: Call) throws -> Token? {
    switch profile.tokens {
    case .bearer: return Token(try JSONBody(call.request).string("refreshToken"))
    case .cookie(let name, let keepsPlainName):
      let value = call.request.headers.cookie(
        name + Self.refreshSuffix, isSecure: isSecure(call.request), keepsPlainName: keepsPlainName)
      return value.flatMap { Token($0) }
    }
  }

  /// Returns the response to an opened or renewed session.
  func sessionResponse(
    _ opened: OpenedSession, by endpoint: EndpointName, _ call: Call,
    _ more: (inout JSONObjectWriter) -> Void = { _ in }
  ) -> HTTPResponse {
    counters?.countOpenedSession(by: endpoint)
    let marks = marks(of: opened, call)
    var response = HTTPResponse.json { (object: inout JSONObjectWriter) in
      if profile.saysVerified { object.write("verified", true) }
      if case .bearer = profile.tokens {
        object.write("token", opened.token.exposedText)
        object.write("tokenType", "Bearer")
        if let refreshToken = opened.refreshToken {
          object.write("refreshToken", refreshToken.exposedText)
        }
        if let marks { object.write("clientToken", marks) }
      }
      object.write("expiresAt", opened.session.expiry)
      if let refreshExpiry = opened.refreshExpiry {
        object.write("refreshExpiresAt", refreshExpiry.description)
      }
      write(opened.account, to: &object)
      more(&object)
    }
    setCookies(of: opened, marks: marks, call, in: &response)
    addSessionExpiry(opened.session.expiry, call, in: &response)
    return response
  }

  /// Deletes the session cookies; with `forgettingClient`, also the known-client mark.
  func clearCookies(_ call: Call, forgettingClient: Bool = false, in response: inout HTTPResponse) {
    guard case .cookie(let name, let keepsPlainName) = profile.tokens else { return }
    for name in [name, name + Self.refreshSuffix] + (forgettingClient ? [name + Self.clientSuffix] : []) {
      let cookie = Cookie.expired(name, isSecure: isSecure(call.request), keepsPlainName: keepsPlainName)
      if let cookie { response.set(cookie) }
    }
  }

  private func setCookies(
    of opened: OpenedSession, marks: String?, _ call: Call, in response: inout HTTPResponse
  ) {
    guard case .cookie(let name, let keepsPlainName) = profile.tokens else { return }
    let isSecure = isSecure(call.request)
    let cookie = Cookie(name, opened.token.exposedText, isSecure: isSecure, keepsPlainName: keepsPlainName)
    if let cookie { response.set(cookie) }
    let client = marks.flatMap {
      Cookie(
        name + Self.clientSuffix, $0, isSecure: isSecure, maximumAge: knownClients.lifetime, sameSite: .strict,
        keepsPlainName: keepsPlainName)
    }
    if let client { response.set(client) }
    guard let refreshToken = opened.refreshToken else { return }
    let refresh = Cookie(
      name + Self.refreshSuffix, refreshToken.exposedText, isSecure: isSecure,
      maximumAge: opened.refreshExpiry.map {
        .seconds($0.secondsSince1970 - call.context.time.secondsSince1970)
      }, sameSite: .strict,
      keepsPlainName: keepsPlainName)
    if let refresh { response.set(refresh) }
  }

  /// Returns whether the cookies of this request are `Secure`.
  func isSecure(_ request: HTTPRequest) -> Bool { cookieSecurity.isSecure(request) }

  private func presentedToken(_ request: HTTPRequest) -> String? {
    switch profile.tokens {
    case .bearer: request.headers.bearerToken
    case .cookie(let name, let keepsPlainName):
      request.headers.cookie(name, isSecure: isSecure(request), keepsPlainName: keepsPlainName)
    }
  }

  static let refreshSuffix = ".refresh"
}

/// When cookies have the `Secure` attribute.
public enum CookieSecurity: Hashable, Sendable {
  /// Always. Choose this for every server that browsers reach over HTTPS, whether the server or a proxy terminates TLS.
  case always

  /// Always, except in responses to plain HTTP requests that name a loopback host in `Host` and carry no proxy header.
  /// Use it only for a development server that listens on a loopback address, without TLS and without a trusted proxy.
  case development

  /// Returns whether the response to a request sets `Secure` cookies.
  func isSecure(_ request: HTTPRequest) -> Bool {
    switch self {
    case .always: true
    case .development:
      request.isEncrypted || request.headers.containProxyField || !request.headers.nameThisMachine
    }
  }
}
