// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

// Construction and sending of requests, used by all ceremonies.

extension Handshake {
  /// Returns a request to an endpoint. `query` is appended to the route's own query. Without a session the request
  /// carries only `cookies`. A ceremony request also carries the mark of the session's user, or else of `user`.
  func request(
    _ endpoint: ServerEndpoint, id: String? = nil, query: String = "", body: [UInt8]? = nil,
    in session: ServerSession? = nil, of user: String? = nil, cookies: CookieJar = CookieJar()
  ) throws(ClientError) -> ServerRequest {
    let route = try profile.route(endpoint)
    if let id {
      // The identifier becomes one path segment and must not change the rest of the path.
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
    if let session { try authorize(&request, with: session) } else { setOrigin(of: &request) }
    if endpoint.isCeremony { addMark(of: session?.user ?? user, to: &request) }
    return request
  }

  /// Adds the session's credentials to a request.
  func authorize(_ request: inout ServerRequest, with session: ServerSession) throws(ClientError) {
    guard session.server == http.server, session.profile == profile.name else {
      throw request.failure(.sessionInvalid, "the session belongs to \(session.server.text), not \(http.server.text)")
    }
    request.bearer = session.token
    request.cookies = session.cookies
    setOrigin(of: &request)
  }

  /// Sets the `Origin` field, as a browser would. Servers with cookie sessions check it.
  private func setOrigin(of request: inout ServerRequest) {
    request.headers.removeAll { (field) in field.name == "origin" }
    guard case .cookie = profile.sessions, request.isWrite else { return }
    request.headers.append(HeaderField("origin", client.origin.text))
  }

  /// Sends a request without a session, once. Throws if the server refuses it.
  func ask(_ request: ServerRequest) async throws(ClientError) -> ServerReply {
    var noSession: ServerSession?
    return try await ask(request, in: &noSession)
  }

  /// Sends a request in a session, once. Throws if the server refuses it.
  func ask(_ request: ServerRequest, in session: inout ServerSession) async throws(ClientError) -> ServerReply {
    let reply = try await deliver(request, in: &session)
    guard reply.isSuccess else { throw Self.refusal(reply, to: request) }
    return reply
  }

  /// Sends a request in a session, if there is one, once. Throws if the server refuses it.
  func ask(_ request: ServerRequest, in session: inout ServerSession?) async throws(ClientError) -> ServerReply {
    let reply = try await deliver(request, in: &session)
    guard reply.isSuccess else { throw Self.refusal(reply, to: request) }
    return reply
  }

  /// Sends a request in a session, once, and returns the reply whatever its status. Updates the session from the reply.
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

  /// Returns the server's options for a registration or a sign-in, unchanged. No ceremony is performed.
  ///
  /// - Throws: `client.endpoint-missing`, `client.refused-by-server`, `client.reply-malformed`, or the code of a failed
  ///   transfer, such as `client.unreachable`.
  public func options(from endpoint: ServerEndpoint, for user: String? = nil) async throws(ClientError) -> [UInt8] {
    let begin = try makeBeginRequest(endpoint, of: user)
    return [UInt8](try options(try await ask(begin), to: begin))
  }

  /// Returns the request that begins a ceremony. The members go into its body, or into its query if the route's method
  /// is `GET`.
  func makeBeginRequest(
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

  /// Returns the body of the request that finishes a ceremony. `response` writes the members of the client's response.
  func makeFinishBody(
    of user: String?, name: String? = nil, _ response: (inout JSONObjectWriter) -> Void
  ) -> [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in
      if profile.repeatsAddress, let user { object.write(profile.addressMember, .string(user)) }
      if let name { object.write(profile.credentialNameMember, .string(name)) }
      if let member = profile.credentialMember {
        object.writeObject(member, response)
      } else {
        response(&object)
      }
    }
  }

  /// Returns whether the secret can follow `Bearer` in a header field: visible ASCII, at most 8 KiB.
  static func isToken(_ secret: SecretBytes) -> Bool {
    secret.withBytes { !$0.isEmpty && $0.count <= 8_192 && $0.allSatisfy { 0x21...0x7e ~= $0 } }
  }

  /// Percent-encodes a text for a query (RFC 3986 §2.1).
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
