// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

// How requests are made and replies are read, for all that a handshake does.

extension Handshake {
  /// A request to an endpoint. Without a session it shows nothing but these cookies.
  func request(
    _ endpoint: ServerEndpoint, id: String? = nil, query: String = "", body: [UInt8]? = nil,
    in session: ServerSession? = nil, cookies: CookieJar = CookieJar()
  ) throws(ClientError) -> ServerRequest {
    let route = try profile.route(endpoint)
    if let id {
      // It becomes a part of the path, and no more than that.
      guard !id.isEmpty, id.utf8.count <= 2_048, id.utf8.allSatisfy(Self.isUnreserved), id != ".", id != ".." else {
        throw ClientError(.requestMalformed, "an identifier of letters, digits, - and _")
      }
    }
    let path = id.map { route.filled(with: $0) } ?? route.path
    var request = ServerRequest(route.method, path + query, body: body ?? [])
    if body != nil { request.contentType = "application/json" }
    request.cookies = cookies
    if let session { try show(session, in: &request) } else { sayOrigin(in: &request) }
    return request
  }

  /// Lets a request show whose it is.
  func show(_ session: ServerSession, in request: inout ServerRequest) throws(ClientError) {
    guard session.server == http.server, session.profile == profile.name else {
      throw request.failure(.sessionInvalid, "the session is one with \(session.server.text), not \(http.server.text)")
    }
    request.bearer = session.token
    request.cookies = session.cookies
    sayOrigin(in: &request)
  }

  /// What a browser says by itself, and a server wants to know that goes by cookies.
  private func sayOrigin(in request: inout ServerRequest) {
    guard case .cookie = profile.sessions, request.isWrite else { return }
    request.headers.append(HeaderField("origin", client.origin.text))
  }

  /// Sends a request, once, and fails where the server says no.
  func ask(_ request: ServerRequest) async throws(ClientError) -> ServerReply {
    let reply = try await http.send(request)
    guard reply.isSuccess else { throw Self.refusal(reply, to: request) }
    return reply
  }

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

  /// The body that begins a ceremony.
  func beginning(of user: String?, _ members: [(name: String, value: String?)] = []) -> [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in
      if let user { object.write(profile.addressMember, .string(user)) }
      for (name, value) in members { if let value { object.write(name, .string(value)) } }
    }
  }

  /// The body that finishes a ceremony.
  func ending(with credential: [UInt8], of user: String?, name: String? = nil) throws(ClientError) -> [UInt8] {
    guard let response = try? JSON.parse(credential[...], maximumSize: credential.count) else {
      throw ClientError(.requestMalformed, "the credential is no JSON", outcome: .notSent)
    }
    return JSON.writeObject { (object: inout JSONObjectWriter) in
      if profile.repeatsAddress, let user { object.write(profile.addressMember, .string(user)) }
      if let name { object.write(profile.credentialNameMember, .string(name)) }
      if let member = profile.credentialMember {
        object.write(member, .verbatim(response))
      } else if let members = try? response.members {
        for member in members { object.write(member.name, .verbatim(member.value)) }
      }
    }
  }

  /// The session that a reply opens; nil where there is none in it.
  func session(
    openedBy reply: ServerReply, _ object: JSONValue, of user: String?
  ) -> ServerSession? {
    func secret(_ name: String) -> SecretBytes? { (try? object[name]?.string).map { SecretBytes(utf8: $0) } }
    var (token, refreshToken): (SecretBytes?, SecretBytes?) = (nil, nil)
    switch profile.sessions {
    case .bearer:
      token = secret(profile.tokenMember)
      refreshToken = secret(profile.refreshTokenMember)
      guard let token, Self.isToken(token) else { return nil }
    case .cookie(let name): guard reply.cookies.contains(name) else { return nil }
    case .nothing: break
    }
    return ServerSession(
      server: http.server, profile: profile.name, user: ServerAccount(object, profile).address ?? user,
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

  /// What can stand in a header behind `Bearer`: visible characters, and not more than servers take of a header.
  static func isToken(_ secret: SecretBytes) -> Bool {
    secret.withBytes { !$0.isEmpty && $0.count <= 8_192 && $0.allSatisfy { 0x21...0x7e ~= $0 } }
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~".utf8.contains(byte)
    }
  }
}
