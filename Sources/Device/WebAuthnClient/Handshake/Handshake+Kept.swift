// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
package import PasskeyProfiles

// Values of the profile: what a ceremony returns and gets back, and what the client computes for header fields and bodies.

extension Handshake {
  /// Returns the next request before another one: for a value that is not known yet, or of the profile's `before`. It has
  /// the session of the other one. Nil if everything is known.
  package func source(for request: ServerRequest) -> ServerRequest? {
    guard let draft = request.draft else { return nil }
    let contract = draft.endpoint.flatMap { profile[$0] }
    let step = contract?.before.dropFirst(draft.stepCount).first
    let missing = profile.missingSource(
      for: step ?? contract, isWrite: step.map { ServerRequest.isWrite($0.method) } ?? request.isWrite,
      draft.values.kept, cookie: { request.cookies?.content(of: $0) })
    var values = ShapeValues()
    values.kept = draft.values.kept
    var source: ServerRequest
    if let missing {
      source = ServerRequest("GET", missing)
    } else if let step {
      values = draft.values
      values.kept = profile.complete(values.kept) { request.cookies?.content(of: $0) }
      let (path, body) = Self.written(step, values)
      source = ServerRequest(step.method, path, body: body ?? [])
      if body != nil { source.contentType = step.contentType }
      addOrigin(to: &source)
      source.returnsRedirects = true
    } else {
      return nil
    }
    source.bearer = request.bearer
    source.tokenPrefix = request.tokenPrefix
    source.cookies = request.cookies
    source.readsReply = true
    source.draft = RequestDraft(endpoint: nil, values: values, id: nil, step: missing == nil ? step : nil)
    rewrite(&source)
    return source
  }

  /// Takes the values in the reply to ``source(for:)``, and its cookies, into a request.
  ///
  /// - Throws: `client.reply-malformed` if the reply lacks a value, `client.refused-by-server` if it is an error.
  package func take(
    _ reply: ServerReply, to source: ServerRequest, into request: inout ServerRequest
  ) throws(ClientError) {
    guard var draft = request.draft else { return }
    let missing: String?
    if let step = source.draft?.step {
      guard reply.status < 400 else { throw refusal(reply, to: source) }
      draft.stepCount += 1
      missing = profile.take(reply.body, location: reply.header("location"), of: step, into: &draft.values.kept)
    } else {
      missing = profile.take(
        from: source.path, body: reply.body, header: reply.header, cookie: { reply.cookies.content(of: $0) },
        into: &draft.values.kept)
    }
    if let missing { throw reply.malformed(source, "without \(missing)") }
    request.draft = draft
    request.cookies = reply.cookies
    rewrite(&request)
  }

  /// Returns a request with all values that it needs, which are asked from the server first.
  func prepared(_ request: ServerRequest) async throws(ClientError) -> ServerRequest {
    var request = request
    rewrite(&request)
    while let source = source(for: request) {
      try take(try await http.send(source), to: source, into: &request)
    }
    return request
  }

  /// Returns a request in a session with all values that it needs. The session gets the cookies of the replies.
  func prepared(_ request: ServerRequest, in session: inout ServerSession) async throws(ClientError) -> ServerRequest {
    let isComplete = source(for: request) == nil
    let prepared = try await prepared(request)
    if !isComplete, let cookies = prepared.cookies { session.cookies = cookies }
    return prepared
  }

  /// Returns the kept values after a reply that begins a ceremony.
  ///
  /// - Throws: `client.reply-malformed` if the reply lacks one that the profile requires.
  package func kept(
    after values: ShapeValues, in reply: ServerReply, to request: ServerRequest, at endpoint: EndpointName
  ) throws(ClientError) -> KeptValues {
    let required = try profile.contract(endpoint).response?.requiredKeptNames ?? [:]
    let missing = required.filter { values.kept[$0.key] == nil }.min { $0.value < $1.value }
    if let missing { throw reply.malformed(request, "without \(missing.value) (\(missing.key))\(Self.members(reply))") }
    return (request.draft?.values.kept ?? [:]).merging(values.kept) { $1 }
  }

  /// Writes a request to an endpoint again, with the values that are known now. Keeps a path and a body that the caller
  /// has changed.
  package func rewrite(_ request: inout ServerRequest) {
    guard var draft = request.draft else { return }
    var values = draft.values
    values.kept = profile.complete(values.kept) { request.cookies?.content(of: $0) }
    if let endpoint = draft.endpoint, let contract = profile[endpoint] {
      let (path, body) = Self.written(contract, values, id: draft.id)
      if request.path == draft.path { request.path = path }
      if request.body == draft.body { request.body = body ?? [] }
      (draft.path, draft.body) = (path, body ?? [])
    }
    request.headers.removeAll { draft.fieldNames.contains($0.name) }
    draft.fieldNames = []
    for field in profile.headers.sent where !request.headers.contains(where: { $0.name == field.name }) {
      guard request.bearer == nil || field.name != "authorization", let value = field.value(values.kept) else {
        continue
      }
      request.headers.append(HeaderField(field.name, value))
      draft.fieldNames.insert(field.name)
    }
    request.draft = draft
  }

  /// Returns the path with its query, and the body of a request to an endpoint.
  package static func written(
    _ contract: EndpointContract, _ values: ShapeValues, id: String? = nil
  ) -> (path: String, body: [UInt8]?) {
    let path = EndpointContract.path(id.map { contract.path(id: $0) } ?? contract.path, with: values.kept, escaped)
    let query = parameters(contract.query, values)
    guard ServerRequest.isWrite(contract.method) else { return (query.isEmpty ? path : "\(path)?\(query)", nil) }
    let body = contract.isForm ? Array(parameters(contract.request, values).utf8) : contract.request?.write(values)
    return (query.isEmpty ? path : "\(path)?\(query)", body)
  }

  private static func parameters(_ shape: Shape?, _ values: ShapeValues) -> String {
    (shape?.parameters(values) ?? []).map { "\(escaped($0.name))=\(escaped($0.value))" }.joined(separator: "&")
  }

  // 12 names  [a message has a few]
  private static let maximumMemberCount = 12

  /// Returns the names of the members of a reply, for an error message.
  static func members(_ reply: ServerReply) -> String {
    guard let members = try? JSON.parse(reply.body, maximumSize: reply.body.count).members else { return "" }
    let names = members.map(\.name)
    let shown = names.prefix(maximumMemberCount).joined(separator: ", ")
    return names.isEmpty
      ? "; it has no members" : "; its members are \(shown)\(names.count > maximumMemberCount ? ", …" : "")"
  }
}
