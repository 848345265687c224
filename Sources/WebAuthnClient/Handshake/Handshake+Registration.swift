// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes
internal import WireFormats

extension Handshake {
  /// Registers an account with a passkey, or adds a passkey to an existing account with a recovery code.
  ///
  /// The server may open a session at once, or require approval of the account first.
  ///
  /// - Throws: `client.endpoint-missing`, `client.refused-by-server`, `client.reply-malformed`, a code of
  ///   ``Client/create(_:)``, or the code of a failed transfer, such as `client.unreachable`.
  public func register(
    user: String, displayName: String? = nil, code: String? = nil, passkeyName: String? = nil
  ) async throws(ClientError) -> RegisteredAccount {
    var members: [(name: String, value: String?)] = [(profile.codeMember, code)]
    if let name = profile.displayNameMember { members.append((name, displayName)) }
    let begin = try makeBeginRequest(.registerOptions, of: user, members)
    var session: ServerSession?
    let begun = try await ask(begin, in: &session)
    return try await finish(begin, begun, of: user, passkeyName: passkeyName, by: client, in: &session)
  }

  /// Adds a passkey on another authenticator to the signed-in account. An authenticator that already has one of the
  /// account's passkeys refuses. The user confirms with an existing passkey.
  ///
  /// - Throws: A code of ``stepUp(method:path:body:in:)`` or of ``Client/create(_:)``.
  public func addPasskey(
    on other: Client, name: String? = nil, in session: inout ServerSession
  ) async throws(ClientError) -> RegisteredAccount {
    let begin = try makeBeginRequest(.registerOptions, of: nil, in: session)
    let begun = try await sendConfirmed(begin, in: &session)
    // Keep changes to the session even if the ceremony fails.
    var current: ServerSession? = session
    defer { if let current { session = current } }
    return try await finish(begin, begun, of: session.user, passkeyName: name, by: other, in: &current)
  }

  private func finish(
    _ begin: ServerRequest, _ begun: ServerReply, of user: String?, passkeyName: String?, by client: Client,
    in session: inout ServerSession?
  ) async throws(ClientError) -> RegisteredAccount {
    let json = try self.options(begun, to: begin)
    let options: CreationOptions
    do throws(FormatError) {
      options = try CreationOptions(json: json)
    } catch {
      throw begun.malformed(begin, "malformed options: \(error)")
    }
    let response = try await client.create(options)
    let body = makeFinishBody(of: user, name: passkeyName) { (object) in response.writeMembers(to: &object) }
    var end = try request(.registerVerify, body: body, in: session, of: user)
    if session == nil { end.cookies = begun.cookies }
    let reply = try await ask(end, in: &session)
    let object = try reply.json(end)
    session?.takeTokens(of: object, profile)
    let account = ServerAccount(object, profile, of: user)
    let isPending = reply.status == 202 || account.state == "pending"
    let opened = isPending ? nil : self.session(openedBy: reply, object, of: user)
    return RegisteredAccount(
      account: account, credential: response.id, session: session ?? opened, isPending: isPending)
  }
}
