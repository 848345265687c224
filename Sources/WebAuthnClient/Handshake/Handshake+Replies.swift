// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WireFormats

// How replies are read, for all that a handshake does.

extension Handshake {
  /// What a server's no is told as. Where it was the server that failed, or one before it, the request may have been
  /// carried out all the same.
  static func refusal(_ reply: ServerReply, to request: ServerRequest) -> ClientError {
    let problem = Problem(reply)
    let outcome: WriteOutcome? = request.isWrite && reply.status >= 500 ? .unknown : nil
    return ClientError(.refusedByServer, problem.description, outcome: outcome, problem: problem)
  }

  /// The options of a ceremony, in a reply.
  func options(_ reply: ServerReply, to request: ServerRequest) throws(ClientError) -> Bytes {
    let object = try reply.json(request)
    guard let name = profile.optionsMember else {
      // Some servers answer with all that `navigator.credentials` takes.
      return (try? object["publicKey"]?.unlessNull)?.encoded ?? object.encoded
    }
    guard let options = try? object[name], options.kind == .object else {
      throw reply.malformed(request, "without \(name)")
    }
    return options.encoded
  }

  /// The session that a reply opens; nil where there is none in it. The mark that comes with it is kept.
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
    let user = ServerAccount(object, profile).address ?? user
    keepMark(of: reply, object, for: user)
    return ServerSession(
      server: http.server, profile: profile.name, user: user,
      expiry: object.time(profile.expiryMember) ?? reply.sessionExpiry,
      renewalExpiry: object.time(profile.renewalExpiryMember), token: token, refreshToken: refreshToken,
      cookies: reply.cookies)
  }

  /// The session that a reply has to open.
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
  /// A member that is a secret text; nil where there is none.
  func secret(_ name: String) -> SecretBytes? { (try? self[name]?.string).map { SecretBytes(utf8: $0) } }
}
