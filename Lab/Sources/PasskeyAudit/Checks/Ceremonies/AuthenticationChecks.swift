// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyProfiles
internal import PasskeyTesting
internal import WebAuthnClient
internal import WebAuthnInspection

extension Check {
  static let authenticationChecks: [Check] =
    singleAuthenticationChecks
    + CeremonyFault.authenticationMembers.map { (step, fault) in fault.authenticationCheck(step) }
    + [
      counterGoesBack, passkeyOfAnother(inSession: false), passkeyOfAnother(inSession: true),
      authenticationOriginField, authenticationOptions,
    ] + credentialChecks

  private static let singleAuthenticationChecks: [Check] =
    [
      CeremonyFault.type("webauthn.create").authenticationCheck(10), CeremonyFault.typeUnknown.authenticationCheck(10),
      CeremonyFault.typeMissing.authenticationCheck(10), CeremonyFault.challengeOther.authenticationCheck(11),
      CeremonyFault.challengeCut.authenticationCheck(11), CeremonyFault.challengeEmpty.authenticationCheck(11),
      CeremonyFault.challengeMissing.authenticationCheck(11),
    ] + CeremonyFault.origins.map { $0.authenticationCheck(12) } + [
      CeremonyFault.originMissing.authenticationCheck(12), CeremonyFault.crossOrigin.authenticationCheck(13),
      CeremonyFault.topOrigin.authenticationCheck(14), CeremonyFault.challengeTwice.authenticationCheck(9),
      CeremonyFault.clientDataNotJSON.authenticationCheck(9), CeremonyFault.relyingPartyOther.authenticationCheck(15),
      CeremonyFault.relyingPartyEmpty.authenticationCheck(15), CeremonyFault.userNotPresent.authenticationCheck(16),
      CeremonyFault.userNotVerified.authenticationCheck(17), CeremonyFault.backupState.authenticationCheck(18),
      CeremonyFault.extensionsMissing.authenticationCheck(7), CeremonyFault.authenticatorDataCut.authenticationCheck(7),
      CeremonyFault.authenticatorDataTrailing.authenticationCheck(7),
      CeremonyFault.typeNotPublicKey.authenticationCheck(3), CeremonyFault.idsDisagree.authenticationCheck(6),
      CeremonyFault.memberMissing.authenticationCheck(7), CeremonyFault.memberWrongType.authenticationCheck(7),
      CeremonyFault.memberNotBase64.authenticationCheck(7), CeremonyFault.responseNotObject.authenticationCheck(3),
    ] + CeremonyFault.authenticationOnly.map { (step, fault) in fault.authenticationCheck(step) }

  private static let counterGoesBack = Check(
    id: "authentication.counter-back", title: "rejects a sign-in with a counter that went back, or reports it",
    references: ["WebAuthn §7.2 step 22", "WebAuthn §6.1.1"], severity: .low,
    rationale: "A copy of the authenticator may be in use.",
    advice: "Refuse the sign-in, or lower the trust in the passkey, if its counter does not increase."
  ) { (world) in
    let person = try await world.newPerson()
    _ = try await world.signIn(person)
    _ = try await world.signIn(person)
    let begun = try await world.begin(.signInOptions, name: person.name)
    let back = Fault { (draft: inout AuthenticatorDataDraft) in draft.signCount = 1 }
    let request = try world.finishRequest(begun, try world.assertion(begun, by: person.passkey).json([back]))
    let reply = try await world.send(request)
    if try world.refused(reply, begun) { return .pass }
    person.session = try world.session(in: reply, to: request, of: begun) ?? person.session
    if world.profile[.credentials] != nil {
      let list = try world.request(.credentials)
      let values = world.values(try await world.send(list, as: person), to: list, at: .credentials)
      let isReported = values.list(.credentials)?.contains { $0[.credentialCloneSuspected] != nil }
      if isReported == true { return .pass }
    }
    return .fail("the server accepted the counter 1 after 2, and does not report it in the list of passkeys")
  }

  /// A sign-in with the name of one user by the passkey of another, who is signed in or not.
  private static func passkeyOfAnother(inSession: Bool) -> Check {
    Check(
      id: "authentication.other-account\(inSession ? "-in-session" : "")",
      title:
        "opens no session of the named user for the passkey of another user\(inSession ? " who is signed in" : "")",
      references: ["WebAuthn §7.2 step 6"], severity: .critical,
      rationale: "Anyone with an account signs in as any other user.",
      advice: inSession
        ? "Take the account from the stored passkey at every sign-in, never from the session of the request."
        : "Take the account from the stored passkey, and refuse if it is not the named one."
    ) { (world) in
      try world.demandAccounts()
      let (victim, attacker) = (try await world.sharedPerson(for: .authentication), try await world.newPerson())
      if inSession, attacker.session == nil { attacker.session = try await world.signIn(attacker) }
      let begun = try await world.begin(.signInOptions, name: victim.name, as: inSession ? attacker : nil)
      if inSession { attacker.session = attacker.session?.adding(begun.cookies) }
      let request = try world.finishRequest(begun, try world.assertion(begun, by: attacker.passkey).json())
      let reply = try await world.send(request)
      if try world.refused(reply, begun) { return .pass }
      // Servers that search for the passkey may ignore the name. Then the session is the attacker's own.
      guard let session = try world.session(in: reply, to: request, of: begun) else {
        throw CannotTell(
          "the server accepted the passkey of another user, but opened no session that names its account")
      }
      let name = try await world.accountName(of: session)
      let own = try await world.accountName(of: world.signIn(attacker))
      return name == own ? .pass : .fail("the passkey of \(own) opened a session of \(name)")
    }
  }
}

extension AuditWorld {
  /// Returns the name of a session's account, as the server spells it.
  ///
  /// - Throws: ``CannotTell`` if the server does not tell it.
  func accountName(of session: ServerSession) async throws -> String {
    var me = try request(.me)
    try handshake.authorize(&me, with: session)
    let values = values(try await send(me), to: me, at: .me)
    guard let name = values.text(.accountEmail) ?? values.text(.accountUsername) ?? values.text(.accountName) else {
      throw CannotTell("the server accepted the passkey of another user, but does not say whose session it opened")
    }
    return name
  }
}

/// Returns the bytes with one bit of the last one flipped.
func flipped(_ bytes: [UInt8]) -> [UInt8] {
  guard let last = bytes.last else { return bytes }
  return bytes.dropLast() + [last ^ 1]
}

extension CeremonyFault {
  /// Faults of sign-ins, with the step of WebAuthn §7.2 that refuses them.
  fileprivate static let authenticationOnly: [(Int, CeremonyFault)] = [
    (
      21,
      signature("signature-other-key", "a signature by another key") { (_) in
        let other = try SigningKey.generate(.es256, random: .system)
        return [Fault { (draft: inout SigningDraft) in draft.key = other }]
      }
    ),
    (
      21,
      signature("signature-other-data", "a signature that does not cover the client data") { (_) in
        [Fault { (draft: inout SigningDraft) in draft.message = Array(draft.message.dropLast(32)) }]
      }
    ),
    (
      21,
      signature("signature-flipped", "one bit of the signature flipped") { (_) in
        [Fault { (draft: inout SignatureBytes) in draft.bytes = flipped(draft.bytes) }]
      }
    ),
    (
      21,
      signature("signature-empty", "an empty signature") { (_) in
        [Fault { (draft: inout SignatureBytes) in draft.bytes = [] }]
      }
    ),
    (
      21,
      signature("signature-zero", "a signature whose numbers r and s are zero") { (_) in
        [Fault { (draft: inout SignatureBytes) in draft.bytes = [0x30, 6, 2, 1, 0, 2, 1, 0] }]
      }
    ),
    (
      6,
      CeremonyFault(
        "user-handle-other", "the user handle of another account", .high,
        why: "Code that takes the account from the user handle opens the session of someone else.",
        advice: "Take the account from the stored passkey, and compare its user handle with the response's."
      ) { (_) in
        let other = try AuditRandom.bytes(32)
        return [Fault { (draft: inout ResponseDraft) in draft["userHandle"] = .bytes(other) }]
      }
    ),
    (
      6,
      CeremonyFault(
        "credential-unknown", "an unknown passkey", .critical,
        why: "Anyone signs in with a passkey that was never registered.",
        advice: "Look up the public key by the credential ID, and refuse unknown IDs."
      ) { (_) in
        let (id, key) = (try AuditRandom.bytes(32), try SigningKey.generate(.es256, random: .system))
        return [
          Fault { (draft: inout SigningDraft) in draft.key = key },
          Fault { (draft: inout ResponseDraft) in draft.setID(id) },
        ]
      }
    ),
  ]

  private static func signature(
    _ name: String, _ what: String, _ faults: @escaping @Sendable (Context) throws -> [Fault]
  ) -> CeremonyFault {
    CeremonyFault(
      name, what, .critical, why: "Anyone who knows a credential ID signs in as its owner.",
      advice: "Verify the signature over authenticator data and the hash of the client data, with the stored key.",
      faults)
  }
}
