// SPDX-License-Identifier: Apache-2.0

internal import PasskeyProfiles
internal import PasskeyTesting
internal import WebAuthnClient

extension Check {
  /// Checks of codes and links that admit a registration once.
  static let codeChecks = [recoveryReplay, invitationReplay]

  private static let recoveryReplay = Check(
    id: "state.recovery-replay", title: "accepts the code of a recovery once",
    references: ["ASVS 5.0 6.5.1", "NIST SP 800-63B-4 §4.2.1"], severity: .high,
    rationale: "Someone who reads the mail or its link later, for example in a log, adds a passkey to the account.",
    advice: "Delete the code in the transaction that stores the new passkey."
  ) { (world) in
    guard let mailCode = world.options.mailCode else {
      throw CannotTell("the code of a recovery is in a mail; --code-command gets it")
    }
    let person = try await world.newPerson()
    var values = ShapeValues()
    values.set(.accountEmail, person.name)
    try await world.send(try world.request(.requestRecovery, values)).require("request-recovery")
    let code = try await mailCode(person.name)
    world.recorder.hide(code: code)
    return try await world.judgeSecondUse(of: code, for: person.name, and: person.name) { (recovered) in
      // The passkey of the registration may be disabled.
      world.forget(person)
      world.keepForRemoval(recovered)
    }
  }

  private static let invitationReplay = Check(
    id: "state.invitation-replay", title: "accepts an invitation once",
    references: ["ASVS 5.0 6.4.1", "ASVS 5.0 6.5.1"], severity: .medium,
    rationale: "Someone who sees a used invitation signs up, or adds a passkey to the account that was invited.",
    advice: "Delete the invitation in the transaction that stores the new account."
  ) { (world) in
    guard world.options.newInvitation != nil else {
      throw CannotTell("the audit has no invitations that are good for one account; --invitation-command gets them")
    }
    let (name, other) = (try world.newName(), try world.newName())
    let code = try await world.invitation(for: name) ?? ""
    return try await world.judgeSecondUse(of: code, for: name, and: other) { world.keepForRemoval($0) }
  }
}

extension AuditWorld {
  /// Registers a passkey with a code, and fails if the code registers another one.
  ///
  /// - Throws: ``CannotTell`` if the server refuses the first use.
  fileprivate func judgeSecondUse(
    of code: String, for name: String, and other: String, keep: (Person) -> Void
  ) async throws -> Verdict {
    let first = try beginRequest(.registerOptions, name: name, invitation: code)
    var begun = try begun(.registerOptions, name: name, try await send(first), to: first)
    begun.invitation = code
    let passkey = try AuditPasskey(userHandle: begun.userHandle ?? [])
    let end = try await finish(begun, registration(begun, by: passkey).json())
    guard accepted(end, begun) else { throw CannotTell("the first use of the code was refused: \(end.shortened)") }
    let session = (try? self.session(in: end, to: request(begun.finish), of: begun)) ?? nil
    keep(Person(name: name, passkey: passkey, session: session))

    let second = try beginRequest(.registerOptions, name: other, invitation: code)
    let reply = try await send(second)
    if try refused(reply) { return .pass }
    var again = try self.begun(.registerOptions, name: other, reply, to: second)
    again.invitation = code
    let stranger = try AuditPasskey(userHandle: again.userHandle ?? [])
    let json = try registration(again, by: stranger).json()
    return try await judgeRegistration(await finish(again, json), again, by: stranger, sent: json)
  }
}
