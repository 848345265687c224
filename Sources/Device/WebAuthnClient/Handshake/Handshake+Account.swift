// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyProfiles
public import WebAuthnBrowser

extension Handshake {
  /// Returns the account that is signed in, and updates the session's expiry.
  ///
  /// - Throws: `client.endpoint-missing`, `client.session-invalid`, `client.refused-by-server`,
  ///   `client.reply-malformed`, or the code of a failed transfer, such as `client.unreachable`.
  package func whoAmI(in session: inout ServerSession) async throws(ClientError) -> SignedInAccount {
    let request = try request(.me, in: session)
    let reply = try await ask(request, in: &session)
    return try signedInAccount(reply, to: request, at: .me, in: &session)
  }

  /// Reads a reply that describes the signed-in account, and updates the session's expiry.
  func signedInAccount(
    _ reply: ServerReply, to request: ServerRequest, at endpoint: EndpointName, in session: inout ServerSession
  ) throws(ClientError) -> SignedInAccount {
    let values = try values(reply, to: request, at: endpoint)
    let expiry = values.time(.sessionExpiry) ?? reply.sessionExpiry(profile)
    if let expiry { session.expiry = expiry }
    return SignedInAccount(
      account: ServerAccount(values, of: session.user), expiry: expiry,
      secondsLeft: reply.sessionSecondsLeft(profile), reply: reply)
  }

  /// Returns the account's sessions.
  ///
  /// - Throws: `client.endpoint-missing`, `client.session-invalid`, `client.refused-by-server`,
  ///   `client.reply-malformed`, or the code of a failed transfer, such as `client.unreachable`.
  package func sessions(in session: inout ServerSession) async throws(ClientError) -> [SessionEntry] {
    try await list(.sessions, .sessions, in: &session) { SessionEntry($0) }
  }

  /// Revokes one of the account's sessions.
  ///
  /// - Throws: `client.request-malformed` for a malformed identifier, `client.endpoint-missing`,
  ///   `client.session-invalid`, `client.refused-by-server`, or the code of a failed transfer, such as
  ///   `client.unreachable`.
  package func revokeSession(_ id: String, in session: inout ServerSession) async throws(ClientError) {
    _ = try await ask(try request(.revokeSession, id: id, in: session), in: &session)
  }

  /// Revokes all of the account's sessions except this one.
  ///
  /// - Throws: `client.endpoint-missing`, `client.session-invalid`, `client.refused-by-server`, or the code of a failed
  ///   transfer, such as `client.unreachable`.
  package func revokeOtherSessions(in session: inout ServerSession) async throws(ClientError) {
    // Without this parameter the server would revoke this session too.
    guard try profile.contract(.revokeSessions).requestVariables.contains(.sessionOthers) else {
      throw ClientError(
        .profileInvalid, "revoke-sessions of \(profile.name) has no $\(ShapeVariable.sessionOthers.rawValue)")
    }
    var values = ShapeValues()
    values.set(.sessionOthers, true)
    _ = try await ask(try request(.revokeSessions, values, in: session), in: &session)
  }

  /// Returns the account's passkeys.
  ///
  /// - Throws: `client.endpoint-missing`, `client.session-invalid`, `client.refused-by-server`,
  ///   `client.reply-malformed`, or the code of a failed transfer, such as `client.unreachable`.
  public func credentials(in session: inout ServerSession) async throws(ClientError) -> [CredentialEntry] {
    try await list(.credentials, .credentials, in: &session) { CredentialEntry($0) }
  }

  /// Renames a passkey.
  ///
  /// - Throws: `client.request-malformed` for a malformed identifier, `client.endpoint-missing`,
  ///   `client.session-invalid`, `client.refused-by-server`, or the code of a failed transfer, such as
  ///   `client.unreachable`.
  package func renameCredential(
    _ id: String, to name: String, in session: inout ServerSession
  ) async throws(ClientError) {
    var values = ShapeValues()
    values.set(.credentialName, name)
    _ = try await ask(try request(.renameCredential, values, id: id, in: session), in: &session)
  }

  /// Deletes a passkey, after the user confirms if the server demands it. The server deletes the last one only if
  /// `allowingLast` is true.
  ///
  /// - Throws: `client.request-malformed` for a malformed identifier, or a code of ``stepUp(method:path:body:wantsReceipt:in:)``.
  package func deleteCredential(
    _ id: String, allowingLast: Bool = false, in session: inout ServerSession
  ) async throws(ClientError) {
    var values = ShapeValues()
    if allowingLast { values.set(.credentialAllowLast, true) }
    let request = try request(.deleteCredential, values, id: id, in: session)
    _ = try await send(request, to: .deleteCredential, in: &session)
  }

  /// Returns the server's export of the account's data, unchanged. If the server demands step-up, the user is asked to
  /// confirm.
  ///
  /// - Throws: A code of ``stepUp(method:path:body:wantsReceipt:in:)``.
  package func export(in session: inout ServerSession) async throws(ClientError) -> [UInt8] {
    let request = try request(.exportAccount, in: session)
    let reply = try await deliver(request, in: &session)
    if reply.isSuccess { return reply.body }
    guard Self.isStepUpDemanded(by: reply) else { throw refusal(reply, to: request) }
    return try await sendConfirmed(request, in: &session).body
  }

  /// Deletes the account, after the user confirms if the server demands it.
  ///
  /// - Throws: A code of ``stepUp(method:path:body:wantsReceipt:in:)``.
  package func eraseAccount(in session: inout ServerSession) async throws(ClientError) {
    _ = try await send(try request(.eraseAccount, in: session), to: .eraseAccount, in: &session)
  }

  private func list<Entry>(
    _ endpoint: EndpointName, _ variable: ShapeVariable, in session: inout ServerSession,
    _ read: (ShapeValues) -> Entry?
  ) async throws(ClientError) -> [Entry] {
    let request = try request(endpoint, in: session)
    let reply = try await ask(request, in: &session)
    guard let elements = try values(reply, to: request, at: endpoint).list(variable) else {
      throw reply.malformed(request, "without a list")
    }
    var entries: [Entry] = []
    for element in elements {
      guard let entry = read(element) else { throw reply.malformed(request, "malformed list: an entry without id") }
      entries.append(entry)
    }
    return entries
  }
}
