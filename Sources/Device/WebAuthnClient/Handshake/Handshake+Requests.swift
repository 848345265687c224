// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
package import PasskeyProfiles
package import WebAuthnBrowser
internal import WebAuthnTypes

// Construction and sending of requests, used by all ceremonies.

extension Handshake {
  /// Returns a request to an endpoint, with `values` in its body and its query. Without a session the request carries
  /// only `cookies`. A ceremony request also carries the mark of the session's user, or else of `user`.
  package func request(
    _ endpoint: EndpointName, _ values: ShapeValues = ShapeValues(), id: String? = nil,
    in session: ServerSession? = nil, of user: String? = nil, cookies: CookieJar = CookieJar()
  ) throws(ClientError) -> ServerRequest {
    let contract = try profile.contract(endpoint)
    if let id {
      // The identifier becomes one path segment and must not change the rest of the path.
      guard !id.isEmpty, id.utf8.count <= 2_048, id.utf8.allSatisfy(Self.isUnreserved), id != ".", id != ".." else {
        throw ClientError(.requestMalformed, "an identifier of letters, digits, - and _")
      }
    }
    let (path, body) = Self.written(contract, values, id: id)
    var request = ServerRequest(contract.method, path, body: body ?? [])
    if body != nil { request.contentType = contract.contentType }
    request.cookies = cookies
    request.returnsRedirects = contract.location != nil
    if !profile.values.isEmpty || !profile.headers.sent.isEmpty || !values.kept.isEmpty || contract.isOfPages {
      request.draft = RequestDraft(endpoint: endpoint, values: values, id: id, path: path, body: body ?? [])
    }
    request.readsReply = endpoint != .exportAccount
    if let session { try authorize(&request, with: session) } else { addClientFields(to: &request) }
    if endpoint.isCeremony { addMark(of: session?.user ?? user, to: &request) }
    return request
  }

  /// Adds the session's credentials to a request.
  package func authorize(_ request: inout ServerRequest, with session: ServerSession) throws(ClientError) {
    guard session.server == http.server, session.profile == profile.name else {
      throw request.failure(.sessionInvalid, "the session belongs to \(session.server.text), not \(http.server.text)")
    }
    request.bearer = session.token
    request.cookies = session.cookies
    addClientFields(to: &request)
  }

  /// Adds the header fields that tell the server how the client holds its session.
  ///
  /// A client with a cookie sends the `Origin` field with writes, as a browser would, because servers with cookie sessions
  /// may check it. A client with a token asks for one where the server could also set a cookie.
  private func addClientFields(to request: inout ServerRequest) {
    let tokens = profile.headers.tokens
    request.tokenPrefix = profile.tokenPrefix
    request.headers.removeAll { (field) in field.name == "origin" || field.name == tokens }
    switch profile.presentation {
    case .bearer where profile.sessions.allows(.cookie): request.headers.append(HeaderField(tokens, "bearer"))
    case .cookie, .bearer, .nothing: break
    }
    addOrigin(to: &request)
    rewrite(&request)
  }

  /// Adds the field `Origin`, as browsers do, to a request that writes.
  func addOrigin(to request: inout ServerRequest) {
    guard request.isWrite, profile.sendsOrigin else { return }
    request.headers.append(HeaderField("origin", client.origin.text))
  }

  /// Sends a request without a session, once. Throws if the server refuses it.
  func ask(_ request: ServerRequest) async throws(ClientError) -> ServerReply {
    let request = try await prepared(request)
    return try accepted(try await http.send(request), to: request)
  }

  /// Sends a request in a session, once. Throws if the server refuses it.
  func ask(_ request: ServerRequest, in session: inout ServerSession) async throws(ClientError) -> ServerReply {
    try accepted(try await deliver(request, in: &session), to: request)
  }

  /// Sends a request in a session, once, and returns the reply whatever its status. Updates the session from the reply.
  func deliver(_ request: ServerRequest, in session: inout ServerSession) async throws(ClientError) -> ServerReply {
    let request = try await prepared(request, in: &session)
    var cookies: CookieJar?
    defer { if let cookies { session.cookies = cookies } }
    let reply = try await http.send(request, cookies: &cookies)
    if let expiry = reply.sessionExpiry(profile) { session.expiry = expiry }
    return reply
  }

  private func accepted(_ reply: ServerReply, to request: ServerRequest) throws(ClientError) -> ServerReply {
    guard isSuccess(reply, at: request.draft?.endpoint) else { throw refusal(reply, to: request) }
    return reply
  }

  /// Whether a reply means that the server did as asked: a status 2xx, or a redirect to the place that the profile names.
  package func isSuccess(_ reply: ServerReply, at endpoint: EndpointName?) -> Bool {
    guard let contract = endpoint.flatMap({ profile[$0] }), contract.location != nil else { return reply.isSuccess }
    var kept: KeptValues = [:]
    return reply.isRedirect && contract.readLocation(reply.header("location"), into: &kept)
  }

  /// Returns the server's options for a registration or a sign-in, unchanged. No ceremony is performed.
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint that begins the ceremony.
  ///   - user: A user name or an email address; nil for none.
  ///   - email: The email address, if `user` is a user name; nil for none.
  /// - Returns: The options, as JSON.
  /// - Throws: `client.name-missing`, `client.endpoint-missing`, `client.refused-by-server`, `client.reply-malformed`, or
  ///   the code of a failed transfer, such as `client.unreachable`.
  package func options(
    from endpoint: EndpointName, for user: String? = nil, email: String? = nil
  ) async throws(ClientError) -> [UInt8] {
    let begin = try await prepared(makeBeginRequest(endpoint, of: UserNames(name: user, email: email)))
    return [UInt8](try options(try await ask(begin), to: begin, at: endpoint).encoded)
  }

  /// Returns the request that begins a ceremony of a user.
  package func makeBeginRequest(
    _ endpoint: EndpointName, of names: UserNames, _ more: (inout ShapeValues) -> Void = { _ in }
  ) throws(ClientError) -> ServerRequest {
    var values = ShapeValues()
    try names.add(to: &values, for: profile.contract(endpoint))
    more(&values)
    return try request(endpoint, values, of: names.name)
  }

  /// Returns the values of the request that finishes a ceremony with a client's response.
  package func makeFinishValues(
    _ endpoint: EndpointName, of names: UserNames = UserNames(), passkeyName: String? = nil, _ response: [UInt8],
    keeping kept: KeptValues = [:]
  ) throws(ClientError) -> ShapeValues {
    var values = ShapeValues()
    values.kept = kept
    try names.add(to: &values, for: profile.contract(endpoint))
    values[.credential] = .encoded(response)
    values.set(.credentialName, passkeyName)
    return values
  }

  /// Returns whether the secret can follow `Bearer` in a header field: visible ASCII, at most 8 KiB.
  static func isToken(_ secret: SecretBytes) -> Bool {
    secret.withBytes { !$0.isEmpty && $0.count <= 8_192 && $0.allSatisfy { 0x21...0x7e ~= $0 } }
  }

  /// Percent-encodes a text for a query (RFC 3986 §2.1).
  package static func escaped(_ text: String) -> String {
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
