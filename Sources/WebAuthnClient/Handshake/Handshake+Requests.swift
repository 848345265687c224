// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

// How requests are made and sent, for all that a handshake does.

extension Handshake {
  /// A request to an endpoint, with more of a query where there is more to say. Without a session it shows nothing but these
  /// cookies. A ceremony's request shows the mark for the session's user, or for this one.
  func request(
    _ endpoint: ServerEndpoint, id: String? = nil, query: String = "", body: [UInt8]? = nil,
    in session: ServerSession? = nil, of user: String? = nil, cookies: CookieJar = CookieJar()
  ) throws(ClientError) -> ServerRequest {
    let route = try profile.route(endpoint)
    if let id {
      // It becomes a part of the path, and no more than that.
      guard !id.isEmpty, id.utf8.count <= 2_048, id.utf8.allSatisfy(Self.isUnreserved), id != ".", id != ".." else {
        throw ClientError(.requestMalformed, "an identifier of letters, digits, - and _")
      }
    }
    let path = id.map { route.filled(with: $0) } ?? route.path
    let separator = query.isEmpty ? "" : path.contains("?") ? "&" : "?"
    var request = ServerRequest(route.method, path + separator + query, body: body ?? [])
    if body != nil { request.contentType = "application/json" }
    request.cookies = cookies
    request.readsReply = endpoint != .exportAccount
    if let session { try show(session, in: &request) } else { sayOrigin(in: &request) }
    if endpoint.isCeremony { showMark(for: session?.user ?? user, in: &request) }
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
    request.headers.removeAll { (field) in field.name == "origin" }
    guard case .cookie = profile.sessions, request.isWrite else { return }
    request.headers.append(HeaderField("origin", client.origin.text))
  }

  /// Sends a request without a session, once, and fails where the server says no.
  func ask(_ request: ServerRequest) async throws(ClientError) -> ServerReply {
    var nobody: ServerSession?
    return try await ask(request, in: &nobody)
  }

  /// Sends a request of a session, once, and fails where the server says no.
  func ask(_ request: ServerRequest, in session: inout ServerSession) async throws(ClientError) -> ServerReply {
    let reply = try await deliver(request, in: &session)
    guard reply.isSuccess else { throw Self.refusal(reply, to: request) }
    return reply
  }

  /// The same, where there may be none.
  func ask(_ request: ServerRequest, in session: inout ServerSession?) async throws(ClientError) -> ServerReply {
    let reply = try await deliver(request, in: &session)
    guard reply.isSuccess else { throw Self.refusal(reply, to: request) }
    return reply
  }

  /// Sends a request of a session, once. What the answer changes of the session is taken, whatever the answer is.
  func deliver(_ request: ServerRequest, in session: inout ServerSession) async throws(ClientError) -> ServerReply {
    var current: ServerSession? = session
    defer { if let current { session = current } }
    return try await deliver(request, in: &current)
  }

  private func deliver(
    _ request: ServerRequest, in session: inout ServerSession?
  ) async throws(ClientError) -> ServerReply {
    let exchange = await http.exchange(request)
    if let cookies = exchange.cookies { session?.cookies = cookies }
    let reply = try exchange.outcome.get()
    if let expiry = reply.sessionExpiry { session?.expiry = expiry }
    return reply
  }

  /// What a server answers to the beginning of a registration or a sign-in: the options, as it wrote them. Nothing is made by
  /// that alone.
  public func options(from endpoint: ServerEndpoint, for user: String? = nil) async throws(ClientError) -> [UInt8] {
    let begin = try beginning(endpoint, of: user)
    return [UInt8](try options(try await ask(begin), to: begin))
  }

  /// The request that begins a ceremony: with these members in its body, or where the server hands its options out by
  /// `GET`, in its query.
  func beginning(
    _ endpoint: ServerEndpoint, of user: String?, _ members: [(name: String, value: String?)] = [],
    in session: ServerSession? = nil
  ) throws(ClientError) -> ServerRequest {
    let members = ([(profile.addressMember, user)] + members).compactMap { (name, value) in
      value.map { (value) in (name: name, value: value) }
    }
    let route = try profile.route(endpoint)
    guard ServerRequest.isWrite(route.method) else {
      let pairs = members.map { (name, value) in "\(Self.escaped(name))=\(Self.escaped(value))" }
      return try request(endpoint, query: pairs.joined(separator: "&"), in: session, of: user)
    }
    let body = JSON.writeObject { (object: inout JSONObjectWriter) in
      for (name, value) in members { object.write(name, .string(value)) }
    }
    return try request(endpoint, body: body, in: session, of: user)
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

  /// What can stand in a header behind `Bearer`: visible characters, and not more than servers take of a header.
  static func isToken(_ secret: SecretBytes) -> Bool {
    secret.withBytes { !$0.isEmpty && $0.count <= 8_192 && $0.allSatisfy { 0x21...0x7e ~= $0 } }
  }

  /// A text as a part of a query (RFC 3986 §2.1).
  private static func escaped(_ text: String) -> String {
    text.utf8.map { (byte) in
      isUnreserved(byte) ? String(UnicodeScalar(byte)) : "%" + Hex.encode([byte]).uppercased()
    }.joined()
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
