// SPDX-License-Identifier: Apache-2.0

internal import PasskeyProfiles
internal import WebAuthnClient

extension AuditWorld {
  /// Whether the server refused a request, or the response of a ceremony.
  ///
  /// - Throws: ``CannotTell`` if the server failed or limits requests, because such a server may have done what it was
  ///   asked.
  func refused(_ reply: ServerReply, _ begun: BegunCeremony? = nil) throws -> Bool {
    if let begun, accepted(reply, begun) { return false }
    if begun == nil, reply.isSuccess, !reply.reportsFailure { return false }
    guard reply.status < 500 else { throw CannotTell("the server failed instead of refusing: \(reply.shortened)") }
    guard reply.status != 429 else { throw CannotTell("the server limits requests instead of refusing") }
    return true
  }

  /// Whether the server refused a request because the action needs a confirmation or another session.
  ///
  /// - Throws: ``CannotTell`` if it refused for another reason.
  func refusedForLackOfConfirmation(_ reply: ServerReply) throws -> Bool {
    guard try refused(reply) else { return false }
    guard Handshake.isStepUpDemanded(by: reply) || reply.status == 401 || reply.status == 403 else {
      throw CannotTell("the request was refused for another reason: \(reply.shortened)")
    }
    return true
  }

  /// Returns the request that begins a sign-in of a known person, after the server has accepted it unchanged.
  ///
  /// - Throws: ``CannotTell`` if the server refuses it.
  func acceptedBegin() async throws -> ServerRequest {
    let request = try await beginRequest(.signInOptions, name: mainPerson().name)
    let reply = try await send(request)
    guard reply.isSuccess else { throw CannotTell("the unchanged request was refused: \(reply.shortened)") }
    return request
  }

  /// Throws ``CannotTell`` if the server ignores the body of a request.
  func demandReading(of request: ServerRequest) async throws {
    var request = request
    request.contentType = "application/json"
    request.body = Array("{\"audit\":".utf8)
    guard try refused(await send(request)) else {
      throw CannotTell("the server accepts a body that is no JSON, so it may not read it")
    }
  }

  /// Throws ``CannotTell`` unless the server shows a session that was just opened as open, if the profile has an endpoint
  /// that shows it.
  func demandOpenSession() async throws {
    guard shownBy != nil, profile.presentation != .nothing else { return }
    guard try await isOpen(try await open()) else { throw CannotTell("the server refuses a new session") }
  }
}
