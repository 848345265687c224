// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

extension Handshake {
  /// Returns the account that is signed in, and updates the session's expiry.
  ///
  /// - Throws: `client.endpoint-missing`, `client.session-invalid`, `client.refused-by-server`,
  ///   `client.reply-malformed`, or the code of a failed transfer, such as `client.unreachable`.
  public func whoAmI(in session: inout ServerSession) async throws(ClientError) -> SignedInAccount {
    let request = try request(.me, in: session)
    let reply = try await ask(request, in: &session)
    let object = try reply.json(request)
    let expiry = object.time(profile.expiryMember) ?? reply.sessionExpiry
    if let expiry { session.expiry = expiry }
    return SignedInAccount(
      account: ServerAccount(object, profile, of: session.user), expiry: expiry,
      secondsLeft: reply.sessionSecondsLeft, reply: reply)
  }

  /// Returns the account's sessions.
  ///
  /// - Throws: `client.endpoint-missing`, `client.session-invalid`, `client.refused-by-server`,
  ///   `client.reply-malformed`, or the code of a failed transfer, such as `client.unreachable`.
  public func sessions(in session: inout ServerSession) async throws(ClientError) -> [SessionEntry] {
    try await list(.sessions, "sessions", in: &session) { (entry) throws(WireError) in try SessionEntry(entry) }
  }

  /// Revokes one of the account's sessions.
  ///
  /// - Throws: `client.request-malformed` for a malformed identifier, `client.endpoint-missing`,
  ///   `client.session-invalid`, `client.refused-by-server`, or the code of a failed transfer, such as
  ///   `client.unreachable`.
  public func revokeSession(_ id: String, in session: inout ServerSession) async throws(ClientError) {
    _ = try await ask(try request(.revokeSession, id: id, in: session), in: &session)
  }

  /// Revokes all of the account's sessions except this one.
  ///
  /// - Throws: `client.endpoint-missing`, `client.session-invalid`, `client.refused-by-server`, or the code of a failed
  ///   transfer, such as `client.unreachable`.
  public func revokeOtherSessions(in session: inout ServerSession) async throws(ClientError) {
    _ = try await ask(try request(.revokeSessions, query: "others=true", in: session), in: &session)
  }

  /// Returns the account's passkeys.
  ///
  /// - Throws: `client.endpoint-missing`, `client.session-invalid`, `client.refused-by-server`,
  ///   `client.reply-malformed`, or the code of a failed transfer, such as `client.unreachable`.
  public func credentials(in session: inout ServerSession) async throws(ClientError) -> [CredentialEntry] {
    try await list(.credentials, "credentials", in: &session) { (entry) throws(WireError) in
      try CredentialEntry(entry)
    }
  }

  /// Renames a passkey.
  ///
  /// - Throws: `client.request-malformed` for a malformed identifier, `client.endpoint-missing`,
  ///   `client.session-invalid`, `client.refused-by-server`, or the code of a failed transfer, such as
  ///   `client.unreachable`.
  public func renameCredential(_ id: String, to name: String, in session: inout ServerSession) async throws(ClientError)
  {
    let body = JSON.writeObject { (object: inout JSONObjectWriter) in
      object.write(profile.credentialNameMember, .string(name))
    }
    _ = try await ask(try request(.renameCredential, id: id, body: body, in: session), in: &session)
  }

  /// Deletes a passkey, after the user confirms. The server deletes the last one only if `allowingLast` is true.
  ///
  /// - Throws: `client.request-malformed` for a malformed identifier, or a code of ``stepUp(method:path:body:in:)``.
  public func deleteCredential(
    _ id: String, allowingLast: Bool = false, in session: inout ServerSession
  ) async throws(ClientError) {
    let query = allowingLast ? "allowLast=true" : ""
    _ = try await sendConfirmed(try request(.deleteCredential, id: id, query: query, in: session), in: &session)
  }

  /// Returns the server's export of the account's data, unchanged. If the server demands step-up, the user is asked to
  /// confirm.
  ///
  /// - Throws: A code of ``stepUp(method:path:body:in:)``.
  public func export(in session: inout ServerSession) async throws(ClientError) -> [UInt8] {
    let request = try request(.exportAccount, in: session)
    let reply = try await deliver(request, in: &session)
    if reply.isSuccess { return reply.body }
    guard Self.isStepUpDemanded(by: reply) else { throw Self.refusal(reply, to: request) }
    return try await sendConfirmed(request, in: &session).body
  }

  /// Deletes the account, after the user confirms.
  ///
  /// - Throws: A code of ``stepUp(method:path:body:in:)``.
  public func eraseAccount(in session: inout ServerSession) async throws(ClientError) {
    _ = try await sendConfirmed(try request(.eraseAccount, in: session), in: &session)
  }

  private func list<Entry>(
    _ endpoint: ServerEndpoint, _ member: String, in session: inout ServerSession,
    _ read: (JSONValue) throws(WireError) -> Entry
  ) async throws(ClientError) -> [Entry] {
    let request = try request(endpoint, in: session)
    let reply = try await ask(request, in: &session)
    let object = try reply.json(request)
    do throws(WireError) {
      var entries: [Entry] = []
      for entry in try object.require(member).array { entries.append(try read(entry)) }
      return entries
    } catch {
      throw reply.malformed(request, "malformed list: \(error)")
    }
  }
}
