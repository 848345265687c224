// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

extension Handshake {
  /// Signs in with a user's address, or with any discoverable passkey if `user` is nil.
  ///
  /// - Throws: `client.endpoint-missing`, `client.refused-by-server`, `client.reply-malformed`, a code of
  ///   ``Client/get(_:)``, or the code of a failed transfer, such as `client.unreachable`.
  public func signIn(user: String? = nil) async throws(ClientError) -> ServerSession {
    let begin = try makeBeginRequest(.signInOptions, of: user)
    let begun = try await ask(begin)
    let response = try await assertion(begun, to: begin)
    let body = makeFinishBody(of: user) { (object) in response.writeMembers(to: &object) }
    let end = try request(.signInVerify, body: body, of: user, cookies: begun.cookies)
    return try requiredSession(openedBy: try await ask(end), to: end, of: user)
  }

  /// Renews a session. The server consumes the refresh token even if its reply is lost. If the error's outcome is
  /// unknown, the user has to sign in again. Tokens that the server does not replace stay valid (RFC 6749 §6).
  ///
  /// - Throws: `client.session-not-renewable`, `client.endpoint-missing`, `client.session-invalid`,
  ///   `client.refused-by-server`, `client.reply-malformed`, or the code of a failed transfer, such as
  ///   `client.unreachable`.
  public func refresh(_ session: inout ServerSession) async throws(ClientError) {
    var request: ServerRequest
    switch profile.sessions {
    case .bearer:
      guard let token = session.refreshToken else {
        throw ClientError(.sessionNotRenewable, "the session has no refresh token", outcome: .notSent)
      }
      let body = JSON.writeObject { (object: inout JSONObjectWriter) in
        object.write(profile.refreshTokenMember, .string(token.exposedText))
      }
      request = try self.request(.refresh, body: body, in: session)
      // The access token may have expired; the request needs only the refresh token.
      request.bearer = nil
    case .cookie: request = try self.request(.refresh, in: session)
    case .nothing: throw ClientError(.sessionNotRenewable, "the server has no sessions", outcome: .notSent)
    }
    let reply = try await ask(request, in: &session)
    var renewed = try requiredSession(openedBy: reply, to: request, of: session.user)
    if renewed.refreshToken == nil { renewed.refreshToken = session.refreshToken }
    if renewed.renewalExpiry == nil { renewed.renewalExpiry = session.renewalExpiry }
    renewed.signedIn = session.signedIn
    session = renewed
  }

  /// Ends a session on the server. The caller should delete its stored copy even if this throws.
  ///
  /// - Throws: `client.endpoint-missing`, `client.session-invalid`, `client.refused-by-server`, or the code of a failed
  ///   transfer, such as `client.unreachable`.
  public func signOut(of session: ServerSession) async throws(ClientError) {
    _ = try await ask(try request(.signOut, in: session))
  }

  /// Signs the challenge in a reply.
  func assertion(_ reply: ServerReply, to request: ServerRequest) async throws(ClientError) -> AuthenticationResponse {
    let json = try self.options(reply, to: request)
    let options: RequestOptions
    do throws(FormatError) {
      options = try RequestOptions(json: json)
    } catch {
      throw reply.malformed(request, "malformed options: \(error)")
    }
    return try await client.get(options)
  }
}
