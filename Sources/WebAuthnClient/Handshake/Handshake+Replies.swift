// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WireFormats

// Parsing of replies, used by all ceremonies.

extension Handshake {
  /// Returns the error for a refused request. After a 5xx status the outcome of a write is unknown, because the server
  /// or a proxy may have failed after the request was carried out.
  static func refusal(_ reply: ServerReply, to request: ServerRequest) -> ClientError {
    let problem = Problem(reply)
    let outcome: WriteOutcome? = request.isWrite && reply.status >= 500 ? .unknown : nil
    return ClientError(.refusedByServer, problem.description, outcome: outcome, problem: problem)
  }

  /// Returns the ceremony options in a reply.
  func options(_ reply: ServerReply, to request: ServerRequest) throws(ClientError) -> Bytes {
    let object = try reply.json(request)
    guard let name = profile.optionsMember else {
      // Some servers answer with the complete argument of `navigator.credentials`.
      return (try? object["publicKey"]?.unlessNull)?.encoded ?? object.encoded
    }
    guard let options = try? object[name], options.kind == .object else {
      throw reply.malformed(request, "without \(name)")
    }
    return options.encoded
  }

  /// Returns the session that a reply opens, or nil if it opens none. Stores the mark in the reply.
  func session(
    openedBy reply: ServerReply, _ object: JSONValue, of user: String?
  ) -> ServerSession? {
    var (token, refreshToken): (SecretBytes?, SecretBytes?) = (nil, nil)
    switch profile.sessions {
    case .bearer:
      token = object.secret(profile.tokenMember)
      refreshToken = object.secret(profile.refreshTokenMember)
      guard let token, Self.isToken(token) else { return nil }
    case .cookie(let name): guard reply.cookies.contains(name) else { return nil }
    case .nothing: break
    }
    let user = ServerAccount(object, profile, of: user).address
    storeMark(in: reply, object, for: user)
    return ServerSession(
      server: http.server, profile: profile.name, user: user,
      expiry: object.time(profile.expiryMember) ?? reply.sessionExpiry,
      renewalExpiry: object.time(profile.renewalExpiryMember), token: token, refreshToken: refreshToken,
      cookies: reply.cookies)
  }

  /// Returns the session that a reply opens. Throws if it opens none.
  func requiredSession(
    openedBy reply: ServerReply, to request: ServerRequest, of user: String?
  ) throws(ClientError) -> ServerSession {
    guard let session = session(openedBy: reply, try reply.json(request), of: user) else {
      throw reply.malformed(request, "without a session")
    }
    return session
  }
}

extension JSONValue {
  /// Returns a string member as a secret, or nil if there is no such member.
  func secret(_ name: String) -> SecretBytes? { (try? self[name]?.string).map { SecretBytes(utf8: $0) } }
}

extension JSONValue {
  /// Returns a time member, given as an RFC 3339 string or as seconds since 1970. Returns nil if it is missing or
  /// malformed.
  func time(_ name: String) -> Timestamp? {
    guard let value = try? self[name] else { return nil }
    if let text = try? value.string { return try? Timestamp(rfc3339: text) }
    return (try? value.int64).map { Timestamp(secondsSince1970: $0) }
  }
}
