// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyProfiles
public import WebAuthnBrowser
internal import WebAuthnTypes

extension Handshake {
  /// Signs in with a user's name or address, or with any discoverable passkey if `user` is nil.
  ///
  /// - Throws: `client.endpoint-missing`, `client.refused-by-server`, `client.reply-malformed`, a code of
  ///   ``/WebAuthnBrowser/Client/get(_:)``, or the code of a failed transfer, such as `client.unreachable`.
  public func signIn(user: String? = nil) async throws(ClientError) -> ServerSession {
    try await finish(try await beginSignIn(user: user))
  }

  /// Begins a sign-in, for a program that asks for the passkey later, such as a page that offers passkeys in its form.
  ///
  /// - Throws: `client.endpoint-missing`; `client.profile-invalid` if `mediation` is conditional and the server has no
  ///   conditional sign-in; `client.refused-by-server`, `client.reply-malformed`, or the code of a failed transfer, such as
  ///   `client.unreachable`.
  public func beginSignIn(
    user: String? = nil, mediation: SignInRequestMediation? = nil
  ) async throws(ClientError) -> BegunSignIn {
    if mediation == .conditional, try !profile.contract(.signInOptions).requestVariables.contains(.mediation) {
      throw ClientError(
        .profileInvalid, "sign-in-options of \(profile.name) has no $\(ShapeVariable.mediation.rawValue)")
    }
    let begin = try await prepared(
      makeBeginRequest(.signInOptions, of: UserNames(name: user)) { (values) in
        values.set(.mediation, mediation?.rawValue)
      })
    let begun = try await ask(begin)
    let values = try values(begun, to: begin, at: .signInOptions)
    return BegunSignIn(
      user: user, options: try requestOptions(in: values, of: begun, to: begin, at: .signInOptions),
      expiry: values.time(.optionsExpiry), uiMode: values.text(.optionsUIMode), cookies: begun.cookies,
      kept: try kept(after: values, in: begun, to: begin, at: .signInOptions))
  }

  /// Asks the authenticator for the passkey of a sign-in that was begun, and opens the session.
  ///
  /// - Throws: `client.endpoint-missing`, `client.refused-by-server`, `client.reply-malformed`, a code of
  ///   ``/WebAuthnBrowser/Client/get(_:)``, or the code of a failed transfer, such as `client.unreachable`.
  public func finish(_ begun: BegunSignIn) async throws(ClientError) -> ServerSession {
    let response = try await client.get(begun.options)
    let values = try makeFinishValues(
      .signInVerify, of: UserNames(name: begun.user), response.json, keeping: begun.kept)
    let end = try request(.signInVerify, values, of: begun.user, cookies: begun.cookies)
    return try requiredSession(openedBy: try await ask(end), to: end, at: .signInVerify, of: begun.user)
  }

  /// Renews a session. The server consumes the refresh token even if its reply is lost. If the error's outcome is
  /// unknown, the user has to sign in again. Tokens that the server does not replace stay valid (RFC 6749 §6).
  ///
  /// - Throws: `client.session-not-renewable`, `client.endpoint-missing`, `client.session-invalid`,
  ///   `client.refused-by-server`, `client.reply-malformed`, or the code of a failed transfer, such as
  ///   `client.unreachable`.
  package func refresh(_ session: inout ServerSession) async throws(ClientError) {
    var request: ServerRequest
    switch profile.presentation {
    case .bearer:
      guard let token = session.refreshToken else {
        throw ClientError(.sessionNotRenewable, "the session has no refresh token", outcome: .notSent)
      }
      var values = ShapeValues()
      values.set(.sessionRefreshToken, token.exposedText)
      request = try self.request(.refresh, values, in: session)
      // The access token may have expired; the request needs only the refresh token.
      request.bearer = nil
    case .cookie: request = try self.request(.refresh, in: session)
    case .nothing: throw ClientError(.sessionNotRenewable, "the server has no sessions", outcome: .notSent)
    }
    let reply = try await ask(request, in: &session)
    var renewed = try requiredSession(openedBy: reply, to: request, at: .refresh, of: session.user)
    if renewed.refreshToken == nil { renewed.refreshToken = session.refreshToken }
    if renewed.renewalExpiry == nil { renewed.renewalExpiry = session.renewalExpiry }
    renewed.signedIn = session.signedIn
    session = renewed
  }

  /// Verifies the user of a session again with a passkey. The session stays the same, and no other one is opened.
  ///
  /// Use it when a program restores a stored session or returns to the foreground.
  package func reverify(in session: inout ServerSession) async throws(ClientError) -> SignedInAccount {
    let begin = try await prepared(request(.reverifyOptions, in: session), in: &session)
    let begun = try await ask(begin, in: &session)
    let (response, kept) = try await assertion(begun, to: begin, at: .reverifyOptions)
    let end = try request(
      .reverifyVerify, makeFinishValues(.reverifyVerify, response.json, keeping: kept), in: session)
    let reply = try await ask(end, in: &session)
    return try signedInAccount(reply, to: end, at: .reverifyVerify, in: &session)
  }

  /// Ends a session on the server. The caller should delete its stored copy even if this throws.
  ///
  /// - Throws: `client.endpoint-missing`, `client.session-invalid`, `client.refused-by-server`, or the code of a failed
  ///   transfer, such as `client.unreachable`.
  public func signOut(of session: ServerSession) async throws(ClientError) {
    _ = try await ask(try request(.signOut, in: session))
  }

  /// Signs the challenge in a reply. Returns also the values to send back.
  func assertion(
    _ reply: ServerReply, to request: ServerRequest, at endpoint: EndpointName
  ) async throws(ClientError) -> (AuthenticationResponse, KeptValues) {
    let values = try values(reply, to: request, at: endpoint)
    let options = try requestOptions(in: values, of: reply, to: request, at: endpoint)
    let kept = try kept(after: values, in: reply, to: request, at: endpoint)
    return (try await client.get(options), kept)
  }

  private func requestOptions(
    in values: ShapeValues, of reply: ServerReply, to request: ServerRequest, at endpoint: EndpointName
  ) throws(ClientError) -> RequestOptions {
    let options = try options(in: values, of: reply, to: request, at: endpoint)
    do throws(ClientError) {
      return try RequestOptions(asReadByBrowser: options)
    } catch {
      throw reply.malformed(
        request, "malformed options: \(error.exception)\(place(of: .options, in: reply, at: endpoint))")
    }
  }
}
