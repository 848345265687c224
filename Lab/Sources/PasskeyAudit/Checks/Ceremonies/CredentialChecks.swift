// SPDX-License-Identifier: Apache-2.0

internal import PasskeyProfiles
internal import PasskeyTesting
internal import WebAuthnClient
internal import WebAuthnTypes

// Checks that compare a response with what the server stored about the passkey, or asked for in this ceremony.

extension Check {
  static let credentialChecks = [notListed, backupEligibility, reverifiedWithoutVerification]

  private static let notListed = Check(
    id: "authentication.credential-not-listed",
    title: "rejects a passkey of the account that the options do not list",
    references: ["WebAuthn §7.2 step 5"], severity: .low,
    rationale: "A server that asks for certain passkeys, such as those that were registered long ago, gets any other.",
    advice: "Store the IDs in `allowCredentials` with the challenge, and require one of them."
  ) { (world) in
    let person = try await world.newPerson()
    // The control has the same fate, except that its passkey is listed.
    let control = try await world.beganWithList(by: person)
    let begun = try await world.beganWithList(by: person)
    let added = try await world.addPasskey(to: person)
    let reply = try await world.finish(begun, world.assertion(begun, by: added).json())
    let isRefused = try world.refused(reply, begun)
    let controlReply = try await world.finish(control, world.assertion(control, by: person.passkey).json())
    guard try !world.refused(controlReply, control) else {
      throw CannotTell("the server refuses a listed passkey, too, if one is added in the meantime")
    }
    return isRefused ? .pass : .fail("The server accepted a passkey that was added after the options were sent.")
  }

  private static let backupEligibility = Check(
    id: "authentication.backup-eligibility",
    title: "rejects a sign-in whose flag BE differs from the registration's, or reports it",
    references: ["WebAuthn §7.2 step 19", "WebAuthn §6.1.3"], severity: .low,
    rationale: "BE never changes in the life of a passkey, so another authenticator may have made the response.",
    advice: "Compare BE with the stored value if you use the backup state, for example to show it."
  ) { (world) in
    let person = try await world.newPerson()
    let begun = try await world.begin(.signInOptions, name: person.name)
    let eligible = Fault { (draft: inout AuthenticatorDataDraft) in draft.flags.insert(.backupEligible) }
    let request = try world.finishRequest(begun, try world.assertion(begun, by: person.passkey).json([eligible]))
    let reply = try await world.send(request)
    if try world.refused(reply, begun) { return .pass }
    person.session = try world.session(in: reply, to: request, of: begun) ?? person.session
    var listed: [ShapeValues] = []
    if world.profile[.credentials] != nil, person.session != nil {
      let list = try world.request(.credentials)
      listed = world.values(try await world.send(list, as: person), to: list, at: .credentials).list(.credentials) ?? []
    }
    if listed.contains(where: { $0[.credentialBackupEligibilityChanged] != nil }) { return .pass }
    guard listed.contains(where: { $0[.credentialBackupEligible] != nil }) else {
      throw CannotTell("the server accepted it, and the standard lets servers do so that do not use the backup state")
    }
    return .fail("The server shows the backup state of passkeys, and accepted a change of BE without a report.")
  }

  private static let reverifiedWithoutVerification = Check(
    id: "authentication.reverify-user-verification",
    title: "verifies a signed-in person again only with the flag UV, if the options require it",
    references: ["WebAuthn §7.2 step 17"], severity: .high,
    rationale: "The verification shows only that the device is there, not the person.",
    advice: "Store `userVerification` with the challenge, and require the flag UV."
  ) { (world) in
    let person = try await world.sharedPerson(for: .authentication)
    let begun = try await world.begin(.reverifyOptions, confirmedBy: person)
    try begun.requireVerification()
    let json = try world.assertion(begun, by: person.passkey, flags: .userPresent)
    return try world.refused(await world.finish(begun, json), begun)
      ? .pass : .fail("The server accepted a verification without the flag UV.")
  }

  static let additionNotVerified = Check(
    id: "registration.addition-user-verification",
    title: "adds a passkey only with the flag UV, if the options require it",
    references: ["WebAuthn §7.1 step 16"], severity: .high,
    rationale: "A thief who holds the device adds a passkey that needs no PIN or biometrics.",
    advice: "Store `userVerification` with the challenge, and require the flag UV."
  ) { (world) in
    let person = try await world.sharedPerson(for: .registration)
    let begun = try await world.begin(.addCredentialOptions, confirmedBy: person)
    try begun.requireVerification()
    let without = Fault { (draft: inout AuthenticatorDataDraft) in draft.flags.remove(.userVerified) }
    let passkey = try AuditPasskey(userHandle: person.passkey.userHandle)
    let reply = try await world.finish(begun, world.registration(begun, by: passkey).json([without]))
    return try world.refused(reply, begun) ? .pass : .fail("The server added a passkey without the flag UV.")
  }
}

extension BegunCeremony {
  /// Throws ``CannotTell`` unless the options require user verification.
  fileprivate func requireVerification() throws {
    guard userVerification == "required" else { throw CannotTell("the options do not require user verification") }
  }
}

extension AuditWorld {
  /// Adds a passkey to a person's account.
  ///
  /// - Throws: ``CannotTell`` if the server refuses.
  fileprivate func addPasskey(to person: Person) async throws -> AuditPasskey {
    let begun = try await begin(.addCredentialOptions, confirmedBy: person)
    let passkey = try AuditPasskey(userHandle: person.passkey.userHandle)
    try await finish(begun, registration(begun, by: passkey).json()).require("add-credential-verify")
    return passkey
  }

  /// Begins a ceremony whose options list the person's passkeys.
  ///
  /// - Throws: ``CannotTell`` if the server has none.
  fileprivate func beganWithList(by person: Person) async throws -> BegunCeremony {
    let begun = try await begin(.signInOptions, name: person.name)
    if !begun.credentialIDs.isEmpty { return begun }
    guard profile[.reverifyOptions] != nil else { throw CannotTell("the options of a sign-in list no passkeys") }
    let own = try await begin(.reverifyOptions, confirmedBy: person)
    guard !own.credentialIDs.isEmpty else { throw CannotTell("no options list passkeys") }
    return own
  }
}
