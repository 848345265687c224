// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
package import PasskeyProfiles
public import WebAuthnBrowser
internal import WebAuthnTypes

extension Handshake {
  /// Asks the user to confirm an action: exactly this method, this path with its query, and this body. The action
  /// itself is never sent; on failure, ``/WebAuthnBrowser/ClientError/outcome`` refers to the action.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - path: The path with its query.
  ///   - body: The body.
  ///   - wantsReceipt: Whether to ask for a receipt, with which others verify the confirmation offline. The grant has none if
  ///     the server gives none.
  ///   - session: The session.
  /// - Returns: The confirmation.
  /// - Throws: `client.endpoint-missing`, `client.session-invalid`, `client.refused-by-server`,
  ///   `client.reply-malformed`, a code of ``/WebAuthnBrowser/Client/get(_:)``, or the code of a failed transfer, such as
  ///   `client.unreachable`.
  public func stepUp(
    method: String, path: String, body: [UInt8] = [], wantsReceipt: Bool = false, in session: inout ServerSession
  ) async throws(ClientError) -> StepUpGrant {
    do throws(ClientError) {
      let demand = StepUpDemand(method: method, path: path, body: body)
      return try await confirm(demand, wantsReceipt: wantsReceipt, in: &session)
    } catch {
      throw error.with(outcome: ServerRequest.isWrite(method) ? .notSent : nil)
    }
  }

  private func confirm(
    _ demand: StepUpDemand, wantsReceipt: Bool, in session: inout ServerSession
  ) async throws(ClientError) -> StepUpGrant {
    let begin = try await prepared(request(.stepUpOptions, Self.values(of: demand), in: session), in: &session)
    let begun = try await ask(begin, in: &session)
    let (response, kept) = try await assertion(begun, to: begin, at: .stepUpOptions)
    var finish = try makeFinishValues(.stepUpVerify, response.json, keeping: kept)
    if wantsReceipt { demand.set(in: &finish) }
    let end = try request(.stepUpVerify, finish, in: session)
    let reply = try await ask(end, in: &session)
    let values = try values(reply, to: end, at: .stepUpVerify)
    guard let token = values.secret(.grantToken), Self.isToken(token) else {
      throw reply.malformed(end, "without a grant")
    }
    let receipt = values.object(.receipt).map { (receipt) in JSON.write(.verbatim(receipt)) }
    return StepUpGrant(demand: demand, expiry: values.time(.grantExpiry), token: token, receipt: receipt)
  }

  /// Sends any request in the session, once.
  ///
  /// If the server demands step-up, it did not carry out the request. Confirm it with
  /// ``stepUp(method:path:body:wantsReceipt:in:)``,
  /// then send the same request with the grant. If the server rejects a grant, its reply is returned like any other.
  ///
  /// - Throws: `client.request-malformed`; `client.session-invalid`; `client.step-up-mismatch` if the grant or the
  ///   demand is for another action; or the code of a failed transfer, such as `client.unreachable`. A reply with any
  ///   status is returned.
  public func send(
    method: String, path: String, body: [UInt8] = [], contentType: String? = nil, headers: [HeaderField] = [],
    grant: StepUpGrant? = nil, in session: inout ServerSession
  ) async throws(ClientError) -> RequestOutcome {
    var request = ServerRequest(method, path, body: body, contentType: contentType, headers: headers)
    if let own = headers.first(where: { $0.name == "origin" || $0.name == profile.headers.stepUp }) {
      throw request.failure(.requestMalformed, "the header field \(own.name) is reserved")
    }
    if !profile.headers.sent.isEmpty {
      request.draft = RequestDraft(endpoint: nil, values: ShapeValues(), id: nil)
    }
    try authorize(&request, with: session)
    if let grant { return .answered(try await send(request, with: grant, in: &session)) }
    let reply = try await deliver(request, in: &session)
    let demand = StepUpDemand(method: request.method, path: request.path, body: request.body)
    guard let wanted = Self.demand(in: reply, to: demand) else { return .answered(reply) }
    // A man in the middle must not obtain a confirmation of another action.
    guard wanted == demand else {
      throw ClientError(.stepUpMismatch, "the server demands confirmation of another action than the one sent")
    }
    return .needsStepUp(demand, reply)
  }

  /// Sends a request to an endpoint. Confirms it first, unless the profile says that the endpoint demands no step-up.
  /// Throws if the server refuses it.
  func send(
    _ request: ServerRequest, to endpoint: EndpointName, in session: inout ServerSession
  ) async throws(ClientError) -> ServerReply {
    profile.confirms(endpoint)
      ? try await sendConfirmed(request, in: &session) : try await ask(request, in: &session)
  }

  /// Confirms a request, sends it with the grant, and throws if the server refuses it.
  func sendConfirmed(_ request: ServerRequest, in session: inout ServerSession) async throws(ClientError) -> ServerReply
  {
    // The confirmed bytes must not change afterwards.
    var request = try await prepared(request, in: &session)
    request.draft?.endpoint = nil
    let grant = try await stepUp(method: request.method, path: request.path, body: request.body, in: &session)
    // The confirmation may have replaced the session's token or cookies.
    try authorize(&request, with: session)
    let reply = try await send(request, with: grant, in: &session)
    guard reply.isSuccess else { throw refusal(reply, to: request) }
    return reply
  }

  /// Sends a request with the grant that confirms it.
  private func send(
    _ request: ServerRequest, with grant: StepUpGrant, in session: inout ServerSession
  ) async throws(ClientError) -> ServerReply {
    var request = request
    guard grant.demand == StepUpDemand(method: request.method, path: request.path, body: request.body) else {
      throw request.failure(.stepUpMismatch, "the confirmation is for \(grant), not for the request")
    }
    request.headers.append(HeaderField(profile.headers.stepUp, grant.token.exposedText))
    return try await deliver(request, in: &session)
  }

  /// Returns the action that a reply wants to have confirmed: the one in its problem details, or the request itself if
  /// the reply only has an RFC 9470 challenge.
  private static func demand(in reply: ServerReply, to request: StepUpDemand) -> StepUpDemand? {
    guard reply.status == 401 else { return nil }
    if let demand = Problem(reply).stepUp { return demand }
    let challenges = reply.headers.filter { $0.name == "www-authenticate" }
    let isWanted = challenges.contains { $0.value.lowercased().contains("insufficient_user_authentication") }
    return isWanted ? request : nil
  }

  /// Returns whether a reply demands step-up.
  package static func isStepUpDemanded(by reply: ServerReply) -> Bool {
    demand(in: reply, to: StepUpDemand(method: "GET", path: "/", body: [])) != nil
  }

  package static func values(of demand: StepUpDemand) -> ShapeValues {
    var values = ShapeValues()
    demand.set(in: &values)
    return values
  }
}

extension StepUpDemand {
  fileprivate func set(in values: inout ShapeValues) {
    values.set(.actionMethod, method)
    values.set(.actionPath, path)
    values.set(.actionBodyDigest, bodySHA256[...])
  }
}
