// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyProfiles
internal import PasskeyTesting
internal import WebAuthnClient

// Requests that claim what the server has to know: its origin, the challenge that it issued, and the account that it
// registers.

extension Check {
  static let registrationOriginField = originField("registration", "§7.1 step 9") { (world, origin) in
    let begun = try await world.begin(.registerOptions, name: world.newName())
    let passkey = try AuditPasskey(userHandle: begun.userHandle ?? [])
    let claimed = Fault { (draft: inout ClientDataDraft) in draft.origin = .string(origin) }
    let json = try world.registration(begun, by: passkey).json([claimed])
    let reply = try await world.send(world.finishRequest(begun, json).claiming(origin: origin))
    return try await world.judgeRegistration(reply, begun, by: passkey, sent: json)
  }

  static let authenticationOriginField = originField("authentication", "§7.2 step 12") { (world, origin) in
    let person = try await world.sharedPerson(for: .authentication)
    let begun = try await world.begin(.signInOptions, name: person.name)
    let claimed = Fault { (draft: inout ClientDataDraft) in draft.origin = .string(origin) }
    let json = try world.assertion(begun, by: person.passkey).json([claimed])
    let reply = try await world.send(world.finishRequest(begun, json).claiming(origin: origin))
    return try await world.judge(
      reply, begun, by: person.passkey, "the server accepted the sign-in with status \(reply.status)")
  }

  private static func originField(
    _ group: String, _ reference: String,
    judge: @escaping @Sendable (AuditWorld, _ origin: String) async throws -> Verdict
  ) -> Check {
    let ceremony = group == "registration" ? "registration" : "sign-in"
    return Check(
      id: "\(group).origin-field",
      title: "rejects a \(ceremony) with the origin of a subdomain that the request names in its `Origin` field",
      references: ["WebAuthn \(reference)"], severity: .high,
      rationale: "A page at a subdomain that someone else controls could obtain \(ceremony)s: its browser sends both.",
      advice: "Compare `origin` with a configured list. Do not take it from `Origin`, `Host` or `X-Forwarded-Host`."
    ) { (world) in
      let scheme = world.origin.prefix { $0 != ":" }
      return try await judge(world, "\(scheme)://audit.\(world.origin.dropFirst(scheme.count + 3))")
    }
  }

  static let challengeEchoed = Check(
    id: "state.challenge-echoed",
    title: "compares the challenge with the one that it issued, not with one in the request",
    references: ["WebAuthn §13.4.3", "WebAuthn §7.2 step 11"], severity: .critical,
    rationale: "Someone who records a sign-in repeats it at any time, with its challenge.",
    advice: "Store the challenge on the server or seal it, and ignore a challenge in the request."
  ) { (world) in
    let person = try await world.sharedPerson(for: .state)
    let begun = try await world.begin(.signInOptions, name: person.name)
    let chosen = try AuditRandom.bytes(32)
    let other = Fault { (draft: inout ClientDataDraft) in draft.challenge = .bytes(chosen) }
    var request = try world.finishRequest(begun, try world.assertion(begun, by: person.passkey).json([other]))
    let text = Base64URL.encode(chosen)
    request.body = request.body.claiming(
      replacing: Base64URL.encode(begun.challenge), with: text, or: ["challenge": text, "expectedChallenge": text])
    let reply = try await world.send(request)
    return try await world.judge(
      reply, begun, by: person.passkey, "the server accepted a challenge that it did not issue")
  }

  static let registrationOfAnother = Check(
    id: "registration.other-account",
    title: "adds the new passkey to the account that began the registration, not to one that the response names",
    references: ["WebAuthn §7.1 step 27", "NIST SP 800-63B-4 §4.1.2.1"], severity: .critical,
    rationale: "Anyone adds a passkey of their own to any account.",
    advice: "Store the account with the challenge, and ignore names and IDs in the request that finishes."
  ) { (world) in
    try world.demandAccounts()
    let victim = try await world.sharedPerson(for: .registration)
    let name = try world.newName()
    let begun = try await world.begin(.registerOptions, name: name)
    let passkey = try AuditPasskey(userHandle: begun.userHandle ?? [])
    var request = try world.finishRequest(begun, try world.registration(begun, by: passkey).json())
    request.body = request.body.claiming(
      replacing: name, with: victim.name,
      or: [
        "email": victim.name, "username": victim.name, "userId": Base64URL.encode(victim.passkey.userHandle),
      ])
    let reply = try await world.send(request)
    if try world.refused(reply, begun) { return .pass }
    world.keep(reply, begun, passkey)
    let signIn = try await world.begin(.signInOptions, name: victim.name)
    let handle = Fault { (draft: inout ResponseDraft) in draft["userHandle"] = .bytes(victim.passkey.userHandle) }
    let finish = try world.finishRequest(signIn, try world.assertion(signIn, by: passkey).json([handle]))
    let end = try await world.send(finish)
    if try world.refused(end, signIn) { return .pass }
    guard let session = try world.session(in: end, to: finish, of: signIn) else {
      throw CannotTell("the new passkey signs in with the name of another account, but opens no session")
    }
    let opened = try await world.accountName(of: session)
    let own = try await world.accountName(of: world.signIn(victim))
    return opened == own ? .fail("the new passkey signs in to the account that the response named") : .pass
  }
}

extension AuditWorld {
  /// Returns the verdict on a registration that the server had to refuse, and keeps its account if it was accepted.
  func judgeRegistration(
    _ reply: ServerReply, _ begun: BegunCeremony, by passkey: AuditPasskey, sent json: [UInt8]
  ) async throws -> Verdict {
    let failure = "the server accepted the registration with status \(reply.status)"
    let verdict = try await judge(reply, begun, by: passkey, sent: json, failure)
    if verdict != .pass { keep(reply, begun, passkey) }
    return verdict
  }
}

extension ServerRequest {
  /// Returns the request as a page of another origin sends it.
  fileprivate func claiming(origin: String) -> ServerRequest {
    var request = self
    request.headers.removeAll { $0.name == "origin" }
    request.headers.append(HeaderField("origin", origin))
    return request
  }
}

extension [UInt8] {
  /// Returns a body in which a text is replaced; without the text, a JSON body with more members.
  fileprivate func claiming(
    replacing text: String, with other: String, or members: KeyValuePairs<String, String>
  ) -> [UInt8] {
    let body = String(decoding: self, as: UTF8.self)
    if body.contains(text) { return Array(body.replacing(text, with: other).utf8) }
    guard first == UInt8(ascii: "{"), count > 2 else { return self }
    let claims = JSON.writeObject { (object: inout JSONObjectWriter) in
      for (name, value) in members { object.write(name, value) }
    }
    return Array(claims.dropLast()) + [UInt8(ascii: ",")] + Array(dropFirst())
  }
}
