// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes
internal import WireFormats

extension Handshake {
  /// Makes an account and a passkey for it, or with a recovery code another passkey for one that there is.
  ///
  /// The server may open a session at once, or want the account to be approved first.
  public func register(
    user: String, displayName: String? = nil, code: String? = nil, passkeyName: String? = nil
  ) async throws(ClientError) -> RegisteredAccount {
    var members: [(name: String, value: String?)] = [(profile.codeMember, code)]
    if let name = profile.displayNameMember { members.append((name, displayName)) }
    let begin = try request(.registerOptions, body: beginning(of: user, members))
    return try await finish(begin, try await ask(begin), of: user, passkeyName: passkeyName, in: nil)
  }

  /// Makes another passkey for the account that is signed in, which has to be confirmed with one that it has.
  public func addPasskey(
    name: String? = nil, in session: ServerSession
  ) async throws(ClientError) -> RegisteredAccount {
    let begin = try request(.registerOptions, body: beginning(of: nil), in: session)
    return try await finish(
      begin, try await askConfirmed(begin, in: session), of: session.user, passkeyName: name, in: session)
  }

  private func finish(
    _ begin: ServerRequest, _ begun: ServerReply, of user: String?, passkeyName: String?, in session: ServerSession?
  ) async throws(ClientError) -> RegisteredAccount {
    let json = try self.options(begun, to: begin)
    let options: CreationOptions
    do throws(FormatError) {
      options = try CreationOptions(json: json)
    } catch {
      throw begun.malformed(begin, "options that cannot be read: \(error)")
    }
    let response = try await client.create(options)
    let body = try ending(with: response.json, of: user, name: passkeyName)
    var end = try request(.registerVerify, body: body, in: session, cookies: begun.cookies)
    end.cookies = begun.cookies
    let reply = try await ask(end)
    let object = try reply.json(end)
    let account = ServerAccount(object, profile)
    let isPending = reply.status == 202 || account.state == "pending"
    let opened = isPending ? nil : self.session(openedBy: reply, object, of: user)
    return RegisteredAccount(
      account: account, credential: response.id, session: session?.updated(by: reply) ?? opened, isPending: isPending)
  }
}
