// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyProfiles
public import WebAuthnBrowser
internal import WebAuthnTypes

extension Handshake {
  /// Registers an account with a passkey, or adds a passkey to an existing account with a recovery code.
  ///
  /// `user` is a user name or an email address, as the server requires. If it requires both, `email` is the address.
  /// The server may open a session at once, or require approval of the account first.
  ///
  /// - Throws: `client.endpoint-missing`, `client.refused-by-server`, `client.reply-malformed`, a code of
  ///   ``/WebAuthnBrowser/Client/create(_:)``, or the code of a failed transfer, such as `client.unreachable`.
  public func register(
    user: String, email: String? = nil, displayName: String? = nil, code: String? = nil, passkeyName: String? = nil
  ) async throws(ClientError) -> RegisteredAccount {
    let names = UserNames(name: user, email: email)
    let begin = try await prepared(
      makeBeginRequest(.registerOptions, of: names) { (values) in
        values.set(.accountDisplayName, displayName)
        values.set(.code, code)
      })
    let begun = try await ask(begin)
    let ceremony = RegistrationCeremony(
      begin: begin, begun: begun, options: .registerOptions, verify: .registerVerify, names: names)
    var session: ServerSession?
    return try await finish(ceremony, passkeyName: passkeyName, by: client, in: &session)
  }

  /// Adds a passkey on another authenticator to the signed-in account. An authenticator that already has one of the
  /// account's passkeys refuses. If the server demands it, the user confirms with an existing passkey.
  ///
  /// - Throws: A code of ``stepUp(method:path:body:wantsReceipt:in:)`` or of ``/WebAuthnBrowser/Client/create(_:)``.
  package func addPasskey(
    on other: Client, name: String? = nil, in session: inout ServerSession
  ) async throws(ClientError) -> RegisteredAccount {
    let begin = try await prepared(request(.addCredentialOptions, in: session), in: &session)
    let begun = try await send(begin, to: .addCredentialOptions, in: &session)
    // Keep changes to the session even if the ceremony fails.
    var current: ServerSession? = session
    defer { if let current { session = current } }
    let ceremony = RegistrationCeremony(
      begin: begin, begun: begun, options: .addCredentialOptions, verify: .addCredentialVerify,
      names: UserNames(name: session.user))
    return try await finish(ceremony, passkeyName: name, by: other, in: &current)
  }

  /// A registration that the server has begun.
  private struct RegistrationCeremony {
    let begin: ServerRequest
    let begun: ServerReply
    let options: EndpointName
    let verify: EndpointName
    let names: UserNames
  }

  private func finish(
    _ ceremony: RegistrationCeremony, passkeyName: String?, by client: Client, in session: inout ServerSession?
  ) async throws(ClientError) -> RegisteredAccount {
    let (begun, user) = (ceremony.begun, ceremony.names.name)
    let found = try values(begun, to: ceremony.begin, at: ceremony.options)
    let json = try self.options(in: found, of: begun, to: ceremony.begin, at: ceremony.options)
    let kept = try kept(after: found, in: begun, to: ceremony.begin, at: ceremony.options)
    let options: CreationOptions
    do throws(ClientError) {
      options = try CreationOptions(asReadByBrowser: json)
    } catch {
      throw begun.malformed(
        ceremony.begin,
        "malformed options: \(error.exception)\(place(of: .options, in: begun, at: ceremony.options))")
    }
    let response = try await client.create(options)
    let finish = try makeFinishValues(
      ceremony.verify, of: ceremony.names, passkeyName: passkeyName, response.json, keeping: kept)
    let end = try request(
      ceremony.verify, finish, in: session, of: user, cookies: session == nil ? begun.cookies : CookieJar())
    let reply: ServerReply
    if var current = session {
      defer { session = current }
      reply = try await ask(end, in: &current)
    } else {
      reply = try await ask(end)
    }
    let values = try values(reply, to: end, at: ceremony.verify)
    session?.takeTokens(of: values, profile)
    let account = ServerAccount(values, of: user)
    let verification = verification(in: values, user: user, address: ceremony.names.email ?? user)
    let isPending = verification == nil && (reply.status == 202 || account.state == "pending")
    let opensSession = verification == nil && (!isPending || profile.signUp.pendingAccountsHoldTokens)
    let opened = opensSession ? self.session(openedBy: reply, values, of: user) : nil
    return RegisteredAccount(
      account: account, credential: response.id, session: session ?? opened, isPending: isPending,
      verification: verification)
  }
}
