// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

extension Handshake {
  /// Signs in by an address, or with any passkey where there is none.
  public func signIn(user: String? = nil) async throws(ClientError) -> ServerSession {
    let begin = try beginning(.signInOptions, of: user)
    let begun = try await ask(begin)
    let response = try await assertion(begun, to: begin)
    let end = try request(.signInVerify, body: ending(with: response, of: user), of: user, cookies: begun.cookies)
    return try requiredSession(openedBy: try await ask(end), to: end, of: user)
  }

  /// Renews a session. What it was renewed with is spent then, whatever comes back: where the error's outcome is unknown,
  /// signing in again is what is left. What the server does not replace stays good (RFC 6749 §6).
  public func refresh(_ session: inout ServerSession) async throws(ClientError) {
    var request: ServerRequest
    switch profile.sessions {
    case .bearer:
      guard let token = session.refreshToken else {
        throw ClientError(.sessionNotRenewable, "the session has no token to renew it with", outcome: .notSent)
      }
      let body = JSON.writeObject { (object: inout JSONObjectWriter) in
        object.write(profile.refreshTokenMember, .string(token.exposedText))
      }
      request = try self.request(.refresh, body: body, in: session)
      // It may be over, and another is asked for.
      request.bearer = nil
    case .cookie: request = try self.request(.refresh, in: session)
    case .nothing: throw ClientError(.sessionNotRenewable, "the server keeps no sessions", outcome: .notSent)
    }
    let reply = try await ask(request, in: &session)
    var renewed = try requiredSession(openedBy: reply, to: request, of: session.user)
    if renewed.refreshToken == nil { renewed.refreshToken = session.refreshToken }
    if renewed.renewalExpiry == nil { renewed.renewalExpiry = session.renewalExpiry }
    session = renewed
  }

  /// Ends a session. Whoever keeps it somewhere forgets it, however this ends.
  public func signOut(of session: ServerSession) async throws(ClientError) {
    _ = try await ask(try request(.signOut, in: session))
  }

  /// Signs what a reply asks for.
  func assertion(_ reply: ServerReply, to request: ServerRequest) async throws(ClientError) -> [UInt8] {
    let json = try self.options(reply, to: request)
    let options: RequestOptions
    do throws(FormatError) {
      options = try RequestOptions(json: json)
    } catch {
      throw reply.malformed(request, "options that cannot be read: \(error)")
    }
    return try await client.get(options).json
  }
}
