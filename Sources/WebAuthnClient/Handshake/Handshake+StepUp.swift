// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WireFormats

extension Handshake {
  /// Confirms an act: exactly this method, this path with its query, and these bytes. The act itself is not sent, also
  /// where this fails: ``ClientError/outcome`` is about the act.
  public func stepUp(
    method: String, path: String, body: [UInt8] = [], in session: ServerSession
  ) async throws(ClientError) -> StepUpGrant {
    do throws(ClientError) {
      return try await confirm(method, path, body, in: session)
    } catch {
      throw ClientError(
        error.code, error.detail, outcome: ServerRequest.isWrite(method) ? .notSent : nil, problem: error.problem)
    }
  }

  private func confirm(
    _ method: String, _ path: String, _ body: [UInt8], in session: ServerSession
  ) async throws(ClientError) -> StepUpGrant {
    let demand = StepUpDemand(method: method, path: path, body: body[...])
    let begin = try request(.stepUpOptions, body: Self.body(asking: demand), in: session)
    let begun = try await ask(begin)
    let response = try await assertion(begun, to: begin)
    var end = try request(.stepUpVerify, body: ending(with: response, of: session.user), in: session)
    if !begun.cookies.isEmpty { end.cookies = begun.cookies }
    let reply = try await ask(end)
    let object = try reply.json(end)
    guard let text = try? object.require("grant").string, case let token = SecretBytes(utf8: text), Self.isToken(token)
    else { throw reply.malformed(end, "without a grant") }
    return StepUpGrant(demand: demand, expiry: object.time("expiresAt"), token: token)
  }

  /// Makes a request of the session's user, once, whatever is asked for.
  ///
  /// Where the server wants the act to be confirmed it did not carry it out: ``stepUp(method:path:body:in:)`` confirms it,
  /// and the same request with that grant is another one. A grant that was shown and not taken is an answer like others.
  public func send(
    method: String, path: String, body: [UInt8] = [], contentType: String? = nil, headers: [HeaderField] = [],
    grant: StepUpGrant? = nil, in session: ServerSession
  ) async throws(ClientError) -> RequestOutcome {
    var request = ServerRequest(method, path, body: body, contentType: contentType, headers: headers)
    if let own = headers.first(where: { $0.name == "origin" || $0.name == profile.stepUpHeader.lowercased() }) {
      throw request.failure(.requestMalformed, "the header field \(own.name) is not for callers to set")
    }
    try show(session, in: &request)
    return try await send(request, grant)
  }

  /// Makes a request that takes a confirmation, with one, and fails where the server says no.
  func askConfirmed(_ request: ServerRequest, in session: ServerSession) async throws(ClientError) -> ServerReply {
    let grant = try await stepUp(method: request.method, path: request.path, body: request.body, in: session)
    guard case .answered(let reply) = try await send(request, grant) else {
      throw request.failure(.stepUpMismatch, "the confirmation was not taken")
    }
    guard reply.isSuccess else { throw Self.refusal(reply, to: request) }
    return reply
  }

  private func send(_ request: ServerRequest, _ grant: StepUpGrant?) async throws(ClientError) -> RequestOutcome {
    var request = request
    let demand = StepUpDemand(method: request.method, path: request.path, body: request.body[...])
    if let grant {
      guard grant.demand == demand else {
        throw request.failure(.stepUpMismatch, "what was confirmed is \(grant), and that is not what is sent")
      }
      request.headers.append(HeaderField(profile.stepUpHeader, grant.token.exposedText))
    }
    let reply = try await http.send(request)
    guard grant == nil, let wanted = Self.demand(in: reply, to: demand) else { return .answered(reply) }
    // Whoever stands between must not have something else confirmed.
    guard wanted == demand else {
      throw ClientError(.stepUpMismatch, "the server wants something else confirmed than what was sent")
    }
    return .needsStepUp(demand, reply)
  }

  /// What a reply wants to have confirmed: what it says, or where it says no more than that it wants it (RFC 9470), the
  /// request itself.
  private static func demand(in reply: ServerReply, to request: StepUpDemand) -> StepUpDemand? {
    guard reply.status == 401 else { return nil }
    if let demand = Problem(reply).stepUp { return demand }
    let challenges = reply.headers.filter { $0.name == "www-authenticate" }
    let isWanted = challenges.contains { $0.value.lowercased().contains("insufficient_user_authentication") }
    return isWanted ? request : nil
  }

  private static func body(asking demand: StepUpDemand) -> [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in
      object.write("method", .string(demand.method))
      object.write("path", .string(demand.path))
      object.write("bodySha256", .base64URL(demand.bodySHA256))
    }
  }
}
