// SPDX-License-Identifier: Apache-2.0

internal import PasskeyProfiles
internal import PasskeyTesting
internal import WebAuthnClient
internal import WebAuthnTypes

extension Check {
  static let stepUpChecks: [Check] =
    stepUpDemandChecks + stepUpFreshnessChecks + stepUpGrantChecks + stepUpCeremonyChecks

  /// The actions that need a confirmation.
  private static let stepUpDemandChecks: [Check] = [
    demand(
      "step-up.add-credential", "needs a confirmation before a passkey is added", .addCredentialOptions,
      "ASVS 5.0 7.5.1", "A thief of a session adds a passkey and keeps the account."),
    demand(
      "step-up.delete-credential", "needs a confirmation before a passkey is deleted", .deleteCredential,
      "ASVS 5.0 7.5.1", "A thief of a session locks the owner out."),
    demand(
      "step-up.erase-account", "needs a confirmation before the account is erased", .eraseAccount,
      "ASVS 5.0 7.5.3", "A thief of a session destroys the account."),
    Check(
      id: "step-up.options-without-session", title: "begins a confirmation only in a session",
      references: ["ASVS 5.0 8.3.1"], severity: .medium,
      rationale: "The options of a confirmation list passkeys of the account.",
      advice: "Require a session for the options and for the response."
    ) { (world) in
      _ = try await world.open()
      let reply = try await world.beginStepUp(for: try world.sensitiveRequest(), in: nil)
      return try world.refused(reply) ? .pass : .fail("a confirmation began without a session (\(reply.status))")
    },
  ]

  /// Sessions that are recent, but that no passkey opened.
  private static let stepUpFreshnessChecks: [Check] = [
    freshness(
      "step-up.after-registration", "needs a confirmation in a session that a registration opened",
      "An attacker who opened the session with a link or a code acts without a passkey of the owner."
    ) { (world, _) in
      let person = try await world.newPerson()
      guard let session = person.session else { throw CannotTell("a registration opens no session") }
      return session
    },
    freshness(
      "step-up.after-refresh", "needs a confirmation in a session that a refresh token renewed",
      "A thief of a refresh token gets a session that is as good as a new signature."
    ) { (world, session) in try await world.requireRefresh(of: session).session },
  ]

  /// A check that sends a sensitive request in another session, which `other` opens from a usual one.
  private static func freshness(
    _ id: String, _ title: String, _ rationale: String,
    _ other: @escaping @Sendable (AuditWorld, OpenSession) async throws -> ServerSession
  ) -> Check {
    Check(
      id: id, title: title, references: ["ASVS 5.0 7.5.1", "ASVS 5.0 6.3.3"], severity: .high, rationale: rationale,
      advice: "Store when and how the account was last confirmed. The age of a session or of a token shows neither."
    ) { (world) in
      let usual = try await world.open()
      let action = try world.sensitiveRequest(in: usual)
      guard try world.refusedForLackOfConfirmation(await world.send(action)) else {
        return .cannotTell("\(action) needs no confirmation")
      }
      let session = try await other(world, usual)
      var request = try world.sensitiveRequest()
      try world.handshake.authorize(&request, with: session)
      let reply = try await world.send(request)
      return try world.refusedForLackOfConfirmation(reply)
        ? .pass : .fail("\(request) succeeded without a confirmation (\(reply.status))")
    }
  }

  private static func demand(
    _ id: String, _ title: String, _ endpoint: EndpointName, _ reference: String, _ rationale: String
  ) -> Check {
    Check(
      id: id, title: title, references: [reference, "RFC 9470 §3"], severity: .high, rationale: rationale,
      advice: "Demand a fresh assertion with user verification for exactly this request."
    ) { (world) in
      let person = try await world.newPerson()
      let session = try await world.open(person)
      let id = endpoint == .deleteCredential ? session.person.passkeyID : nil
      let reply = try await world.call(endpoint, id: id, in: session) { $0.set(.credentialAllowLast, true) }
      return try world.refusedForLackOfConfirmation(reply)
        ? .pass : .fail("\(endpoint.rawValue) succeeded without a confirmation (\(reply.status))")
    }
  }

  /// The scope of a grant.
  private static let stepUpGrantChecks: [Check] = [
    grant(
      "step-up.forged-grant", "refuses a grant that it did not issue", "2.8", .critical,
      "Anyone with a session performs any sensitive action.", "Look grants up on the server, or sign them."
    ) { (world, session, request) in
      _ = try await world.grant(for: request, in: session)
      var forged = request
      world.present(grant: String(repeating: "A", count: 43), in: &forged)
      return (forged, "with a grant that the server did not issue")
    },
    grant(
      "step-up.grant-reuse", "accepts a grant once", "2.10", .medium,
      "A recorded request works again.", "Delete the grant when a request uses it."
    ) { (world, session, request) in
      var granted = request
      world.present(grant: try await world.grant(for: request, in: session), in: &granted)
      try await world.send(granted).require("the confirmed request")
      return (granted, "with a used grant")
    },
    grant(
      "step-up.other-body", "accepts a grant only with the confirmed body", "2.6", .high,
      "A thief of a grant changes what the user confirmed, such as an amount.",
      "Bind the grant to a digest of the request body."
    ) { (world, session, request) in
      let grant = try await world.grant(for: request, in: session)
      var other = request
      // The same content for a server that reads it, so that only the digest differs.
      other.body = request.body.isEmpty ? Array("{}".utf8) : request.body + [UInt8(ascii: " ")]
      other.contentType = "application/json"
      world.present(grant: grant, in: &other)
      return (other, "with another body than the confirmed one")
    },
    grant(
      "step-up.other-path", "accepts a grant only at the confirmed path", "2.6", .high,
      "A confirmation of a harmless action permits any other.", "Bind the grant to the path and the query."
    ) { (world, session, request) in
      var confirmed = request
      confirmed.path += "-other"
      let grant = try await world.grant(for: confirmed, in: session)
      var other = request
      world.present(grant: grant, in: &other)
      return (other, "with a grant for another path")
    },
    grant(
      "step-up.other-method", "accepts a grant only with the confirmed method", "2.6", .high,
      "A confirmation of reading permits deleting.", "Bind the grant to the method."
    ) { (world, session, request) in
      var confirmed = request
      confirmed.method = "PUT"
      let grant = try await world.grant(for: confirmed, in: session)
      var other = request
      world.present(grant: grant, in: &other)
      return (other, "with a grant for another method")
    },
    grant(
      "step-up.other-session", "accepts a grant only in its session", "2.8", .high,
      "A thief of another session uses the confirmation of the owner.", "Bind the grant to the session."
    ) { (world, session, request) in
      let other = try await world.open(session.person)
      try other.demandOther(than: session)
      let grant = try await world.grant(for: request, in: session)
      var foreign = try world.sensitiveRequest(in: other)
      world.present(grant: grant, in: &foreign)
      return (foreign, "with a grant of another session")
    },
    grant(
      "step-up.other-account", "accepts a grant only of its account", "2.8", .critical,
      "A thief of a session confirms actions with a passkey of their own.", "Bind the grant to the account."
    ) { (world, session, request) in
      let other = try await world.open(try await world.otherPerson())
      let grant = try await world.grant(for: try world.sensitiveRequest(in: other), in: other)
      var foreign = request
      world.present(grant: grant, in: &foreign)
      return (foreign, "with a grant of another account")
    },
    grant(
      "step-up.expired", "refuses an expired grant", "2.9", .medium,
      "An unused grant stays useful to a thief.", "Give grants a lifetime of a minute and check it on the server."
    ) { (world, session, request) in
      let issued = try await world.issueGrant(for: request, in: session)
      try await world.wait(until: issued.expiry, "the grant")
      var late = request
      world.present(grant: issued.token, in: &late)
      return (late, "with an expired grant")
    },
  ]

  /// A check that sends a request with a grant that must not permit it. `prepare` returns the request and what is wrong.
  /// `section` is that of the OWASP cheat sheet.
  private static func grant(
    _ id: String, _ title: String, _ section: String, _ severity: Severity, _ rationale: String, _ advice: String,
    prepare: @escaping @Sendable (AuditWorld, OpenSession, ServerRequest) async throws -> (ServerRequest, String)
  ) -> Check {
    Check(
      id: id, title: title,
      references: ["ASVS 5.0 7.5.1", "OWASP Transaction Authorization Cheat Sheet §\(section)"], severity: severity,
      rationale: rationale, advice: advice
    ) { (world) in
      let session = try await world.open()
      let action = try world.sensitiveRequest(in: session)
      guard try world.refusedForLackOfConfirmation(await world.send(action)) else {
        return .cannotTell("\(action) needs no confirmation")
      }
      // Without this, a server whose grants never work would pass.
      var granted = action
      world.present(grant: try await world.grant(for: action, in: session), in: &granted)
      try await world.send(granted).require("the confirmed request")
      let (request, description) = try await prepare(world, session, action)
      let reply = try await world.send(request)
      return try world.refusedForLackOfConfirmation(reply)
        ? .pass : .fail("a request \(description) succeeded (\(reply.status))")
    }
  }

  /// The assertion that a grant is issued for.
  private static let stepUpCeremonyChecks: [Check] = [
    Check(
      id: "step-up.user-verification", title: "confirms only with user verification",
      references: ["WebAuthn §7.2 step 17", "ASVS 5.0 7.5.1"], severity: .high,
      rationale: "Without user verification anyone who holds the device confirms.",
      advice: "Require the UV flag in the assertion of a confirmation."
    ) { (world) in
      let session = try await world.open()
      let begun = try await world.beganStepUp(in: session)
      let json = try world.assertion(begun, by: session.person.passkey, flags: [.userPresent])
      return try await world.judgeGrant(json, begun, in: session, "without user verification")
    },
    Check(
      id: "step-up.replayed-assertion", title: "accepts the assertion of a confirmation once",
      references: ["WebAuthn §7.2 step 11", "WebAuthn §13.4.3"], severity: .high,
      rationale: "A recorded assertion confirms again.",
      advice: "Delete the challenge when the first response arrives."
    ) { (world) in
      let session = try await world.open()
      let begun = try await world.beganStepUp(in: session)
      let json = try world.assertion(begun, by: session.person.passkey).json()
      try await world.finishStepUp(json, begun, in: session).require("step-up-verify")
      return try await world.judgeGrant(json, begun, in: session, "that was used before")
    },
    Check(
      id: "step-up.sign-in-assertion", title: "accepts no assertion for a sign-in as a confirmation",
      references: ["WebAuthn §13.4.3", "ASVS 5.0 7.5.1"], severity: .high,
      rationale: "A page that makes the user sign in obtains a confirmation of an action that the user never saw.",
      advice: "Store the purpose with each challenge and compare it."
    ) { (world) in
      let session = try await world.open()
      let begun = try await world.beganStepUp(in: session)
      let signIn = try await world.begin(.signInOptions, name: session.person.name)
      let json = try world.assertion(signIn, by: session.person.passkey).json()
      return try await world.judgeGrant(json, begun, in: session, "for a sign-in")
    },
    Check(
      id: "step-up.other-passkey", title: "confirms only with a passkey of the account",
      references: ["WebAuthn §7.2 step 6", "ASVS 5.0 7.5.1"], severity: .critical,
      rationale: "A thief of a session confirms with a passkey of their own.",
      advice: "Compare the owner of the passkey with the account of the session."
    ) { (world) in
      let session = try await world.open()
      let other = try await world.otherPerson()
      let begun = try await world.beganStepUp(in: session)
      let json = try world.assertion(begun, by: other.passkey).json()
      return try await world.judgeGrant(json, begun, in: session, "by a passkey of another account")
    },
  ]
}
