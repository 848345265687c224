// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyProfiles
internal import PasskeyTesting
internal import WebAuthnClient

// A server can answer a ceremony with a success and do nothing, such as one that answers every registration with "check your
// mail". A check fails such a server only if the ceremony had its effect.

extension AuditWorld {
  /// Returns the verdict on a response that the server had to refuse: `failure` if the server accepted it, and it had an
  /// effect.
  ///
  /// - Throws: ``CannotTell`` if the server failed or limits requests, or if the success had no effect.
  func judge(
    _ reply: ServerReply, _ begun: BegunCeremony, by passkey: AuditPasskey, sent json: [UInt8] = [], _ failure: String
  ) async throws -> Verdict {
    if try refused(reply, begun) { return .pass }
    try await demandEffect(of: reply, begun, by: passkey, sent: json)
    return .fail(failure)
  }

  /// Returns the verdict on an accepted registration whose response has another ID than its authenticator data: a failure if
  /// the passkey signs in under the ID of the response.
  ///
  /// - Throws: ``CannotTell`` if it signs in under neither ID.
  func judgeStoredID(
    _ reply: ServerReply, _ begun: BegunCeremony, by passkey: AuditPasskey, sent json: [UInt8]
  ) async throws -> Verdict {
    let person = keep(reply, begun, passkey)
    if let sent = Self.id(in: json), try await signsIn(begun.name, passkey, under: sent) {
      return .fail("the passkey signs in under the ID of the response, which is not attested")
    }
    if try await signsIn(begun.name, passkey, under: passkey.id) { return .pass }
    forget(person)
    leaveBehind("the account \(begun.name ?? ""), if the server made it")
    throw CannotTell("the server answered \(reply.status), and the passkey signs in under neither ID")
  }

  private static func id(in json: [UInt8]) -> [UInt8]? {
    ((try? JSON.parse(json, maximumSize: json.count)["id"]?.base64URL) ?? nil).map { Array($0) }
  }

  /// Throws ``CannotTell`` unless a ceremony that the server accepted had an effect: it opened a session, or its passkey is
  /// listed or signs in.
  func demandEffect(
    of reply: ServerReply, _ begun: BegunCeremony, by passkey: AuditPasskey, sent json: [UInt8] = []
  ) async throws {
    let isRegistration = begun.finish == .registerVerify || begun.finish == .addCredentialVerify
    guard isRegistration || begun.finish == .signInVerify, begun.person == nil else { return }
    let session = (try? session(in: reply, to: request(begun.finish), of: begun)) ?? nil
    if let session, profile.presentation != .nothing {
      hideSecrets(of: session)
      guard let isOpen = try await showsOpen(session) else { return }
      if isOpen { return }
    } else if !isRegistration {
      // Without sessions, the status is all that a sign-in shows.
      return
    }
    if isRegistration {
      if try await signsIn(begun.name, passkey, json) { return }
      leaveBehind("the account \(begun.name ?? ""), if the server made it")
    }
    throw CannotTell(
      "the server answered \(reply.status), but opened no session\(isRegistration ? ", and the passkey does not sign in" : "")"
    )
  }

  /// Whether the server shows a session as open; nil if the profile has no endpoint that shows it.
  private func showsOpen(_ session: ServerSession) async throws -> Bool? {
    guard let endpoint = shownBy else { return nil }
    var request = try request(endpoint)
    try handshake.authorize(&request, with: session)
    return try shows(await send(request), at: endpoint)
  }

  /// Whether a passkey of a registration is listed in the options of a sign-in, or signs in: by its own ID, or by that in
  /// the response.
  private func signsIn(_ name: String?, _ passkey: AuditPasskey, _ json: [UInt8]) async throws -> Bool {
    for id in Set([passkey.id, Self.id(in: json) ?? passkey.id]) {
      if try await signsIn(name, passkey, under: id) { return true }
    }
    return false
  }

  /// Whether a passkey is listed in the options of a sign-in under an ID, or signs in under it.
  private func signsIn(_ name: String?, _ passkey: AuditPasskey, under id: [UInt8]) async throws -> Bool {
    let request = try beginRequest(.signInOptions, name: name)
    let reply = try await send(request)
    if try refused(reply) { return false }
    let begun = try begun(.signInOptions, name: name, reply, to: request)
    if begun.credentialIDs.contains(id) { return true }
    let named = Fault { (draft: inout ResponseDraft) in draft.setID(id) }
    let end = try await finish(begun, assertion(begun, by: passkey).json([named]))
    return try !refused(end, begun)
  }
}
