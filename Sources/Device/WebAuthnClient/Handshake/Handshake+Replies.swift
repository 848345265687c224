// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
package import PasskeyFormats
package import PasskeyProfiles
package import WebAuthnBrowser

// Parsing of replies, used by all ceremonies.

extension Handshake {
  /// Returns the error for a refused request. After a 5xx status the outcome of a write is unknown, because the server
  /// or a proxy may have failed after the request was carried out.
  func refusal(_ reply: ServerReply, to request: ServerRequest) -> ClientError {
    let problem = Problem(reply, profile.errors.shape)
    let outcome: WriteOutcome? = request.isWrite && reply.status >= 500 ? .unknown : nil
    return ClientError(.refusedByServer, problem.description, outcome: outcome, problem: problem)
  }

  /// Returns the values in a reply of an endpoint. Missing members have no value, because another server may omit what
  /// the client does not need.
  package func values(
    _ reply: ServerReply, to request: ServerRequest, at endpoint: EndpointName
  ) throws(ClientError) -> ShapeValues {
    let contract = try profile.contract(endpoint)
    guard let shape = contract.response else { return ShapeValues() }
    let json = try reply.json(request, contract)
    do throws(ProfileError) {
      return try shape.withOptionalMembers.read(json)
    } catch {
      throw reply.malformed(request, "another shape than the profile's: \(error)")
    }
  }

  /// Returns the ceremony options in a reply.
  package func options(
    _ reply: ServerReply, to request: ServerRequest, at endpoint: EndpointName
  ) throws(ClientError) -> JSONValue {
    try options(in: values(reply, to: request, at: endpoint), of: reply, to: request, at: endpoint)
  }

  /// Returns the ceremony options among the values of a reply.
  package func options(
    in values: ShapeValues, of reply: ServerReply, to request: ServerRequest, at endpoint: EndpointName
  ) throws(ClientError) -> JSONValue {
    guard let options = values.object(.options) else {
      throw reply.malformed(request, "without options\(place(of: .options, in: reply, at: endpoint))")
    }
    // Some servers answer with the complete argument of `navigator.credentials`.
    return (try? options["publicKey"]?.unlessNull) ?? options
  }

  /// Says where the profile has a variable in a reply, and which members the reply has.
  func place(of variable: ShapeVariable, in reply: ServerReply, at endpoint: EndpointName) -> String {
    let path = profile[endpoint]?.response?.path(of: variable) ?? ""
    let place = path.isEmpty ? "the body" : path
    return ": the profile \(profile.name) has them in \(place)\(Self.members(reply))"
  }

  /// Returns the session that a reply opens, or nil if it opens none. Stores the mark in the reply.
  package func session(
    openedBy reply: ServerReply, _ values: ShapeValues, of user: String?
  ) -> ServerSession? {
    var (token, refreshToken): (SecretBytes?, SecretBytes?) = (nil, nil)
    switch profile.presentation {
    case .bearer:
      token = values.secret(.sessionToken)
      refreshToken = values.secret(.sessionRefreshToken)
      guard let token, Self.isToken(token) else { return nil }
    case .cookie(let name): guard reply.cookies.contains(name) else { return nil }
    case .nothing: break
    }
    let user = ServerAccount(values, of: user).address
    storeMark(in: reply, values, for: user)
    return ServerSession(
      server: http.server, profile: profile.name, user: user,
      expiry: values.time(.sessionExpiry) ?? reply.sessionExpiry(profile),
      renewalExpiry: values.time(.sessionRefreshExpiry), token: token, refreshToken: refreshToken,
      cookies: reply.cookies)
  }

  /// Returns the session that a reply opens. Throws if it opens none.
  func requiredSession(
    openedBy reply: ServerReply, to request: ServerRequest, at endpoint: EndpointName, of user: String?
  ) throws(ClientError) -> ServerSession {
    let values = try values(reply, to: request, at: endpoint)
    guard let session = session(openedBy: reply, values, of: user) else {
      throw reply.malformed(request, "without a session")
    }
    return session
  }
}

extension ShapeValues {
  /// Returns a string as a secret, or nil if it is missing.
  func secret(_ variable: ShapeVariable) -> SecretBytes? { text(variable).map { SecretBytes(utf8: $0) } }
}

extension JSONValue {
  /// Returns a time member, given as an RFC 3339 string or as seconds since 1970. Returns nil if it is missing or
  /// malformed.
  func time(_ name: String) -> UnixTime? {
    guard let value = try? self[name] else { return nil }
    if let text = try? value.string { return try? UnixTime(rfc3339: text) }
    return (try? value.int64).map { UnixTime(secondsSince1970: $0) }
  }
}
