// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyProfiles
internal import PasskeyTesting
internal import WebAuthnClient

extension Check {
  static let managementChecks: [Check] = foreignPasskeyChecks + ownPasskeyChecks + nameChecks + accountChecks

  /// Passkeys of other accounts.
  private static let foreignPasskeyChecks: [Check] = [
    Check(
      id: "management.read-foreign", title: "shows no passkey of another account",
      references: ["ASVS 5.0 8.2.2"], severity: .medium,
      rationale: "A passkey's record shows which devices a person has and when they are used.",
      advice: "Look passkeys up by ID and account."
    ) { (world) in
      let (own, id) = try await world.foreignPasskey()
      try await world.call(.credential, id: own.person.passkeyID, in: own).require("credential")
      let reply = try await world.call(.credential, id: id, in: own)
      return try world.refused(reply) ? .pass : .fail("a passkey of another account is shown")
    },
    Check(
      id: "management.rename-foreign", title: "renames no passkey of another account",
      references: ["ASVS 5.0 8.2.2"], severity: .high,
      rationale: "A wrong name makes the owner delete the wrong passkey.",
      advice: "Look passkeys up by ID and account."
    ) { (world) in
      let (own, id) = try await world.foreignPasskey()
      try await world.demandRenaming(in: own)
      let name = "renamed-by-another"
      let reply = try await world.call(.renameCredential, id: id, in: own) { $0.set(.credentialName, name) }
      // Only the owner's list shows the effect.
      let isRenamed = try await world.lists(name, in: world.open(world.otherPerson()))
      return isRenamed ? .fail("a passkey of another account was renamed (\(reply.status))") : .pass
    },
    Check(
      id: "management.delete-foreign", title: "deletes no passkey of another account",
      references: ["ASVS 5.0 8.2.2"], severity: .critical,
      rationale: "Anyone with an account locks other users out.",
      advice: "Look passkeys up by ID and account, also after a confirmation."
    ) { (world) in
      let victim = try await world.newPerson()
      let id = victim.passkeyID
      guard try await world.canSignIn(victim) else { return .cannotTell("a new passkey does not sign in") }
      let own = try await world.open()
      _ = try await world.confirmed(.deleteCredential, id: id, in: own) { $0.set(.credentialAllowLast, true) }
      return try await world.canSignIn(victim) ? .pass : .fail("a passkey of another account was deleted")
    },
    Check(
      id: "management.list-own", title: "lists only the account's own passkeys",
      references: ["ASVS 5.0 8.2.2"], severity: .high,
      rationale: "Passkeys of others show who uses the service and with which devices.",
      advice: "Select passkeys by account."
    ) { (world) in
      let (own, id) = try await world.foreignPasskey()
      let reply = try await world.call(.credentials, in: own)
      try reply.require("credentials")
      guard reply.text.contains(own.person.passkeyID) else {
        return .cannotTell("the list does not have the account's own passkey")
      }
      return reply.text.contains(id) ? .fail("the list has a passkey of another account") : .pass
    },
  ]

  /// Deleting and adding passkeys.
  private static let ownPasskeyChecks: [Check] = [
    Check(
      id: "management.last-passkey", title: "deletes the last passkey only on an explicit request",
      references: ["NIST SP 800-63B-4 §4.1.2.1"], severity: .low,
      rationale: "Without a passkey the owner cannot sign in any more.",
      advice: "Refuse, unless the request says that it means the last one."
    ) { (world) in
      let person = try await world.newPerson()
      let session = try await world.open(person)
      let id = session.person.passkeyID
      let reply = try await world.confirmed(.deleteCredential, id: id, in: session)
      // A redirect follows a deletion as well as a refusal.
      if try !reply.isRedirect && world.refused(reply) { return .pass }
      return try await world.canSignIn(person) ? .pass : .fail("the last passkey was deleted")
    },
    Check(
      id: "management.deleted-passkey", title: "refuses a sign-in with a deleted passkey",
      references: ["WebAuthn §7.2 step 6", "NIST SP 800-63B-4 §4.5"], severity: .critical,
      rationale: "Owners delete a passkey because they lost the device.",
      advice: "Delete the credential record, or check its state at sign-in."
    ) { (world) in
      let (person, second) = try await world.personWithTwoPasskeys()
      let session = try await world.open(person)
      let reply = try await world.confirmed(.deleteCredential, id: second.passkeyID, in: session)
      try reply.require("delete-credential")
      return try await world.canSignIn(second) ? .fail("the deleted passkey signs in") : .pass
    },
    Check(
      id: "management.delete-ends-sessions", title: "ends the sessions of a deleted passkey",
      references: ["ASVS 5.0 7.4.3"], severity: .medium,
      rationale: "A thief with the lost device keeps the session that the passkey opened.",
      advice: "Store the passkey with the session, and end its sessions with it."
    ) { (world) in
      let (person, second) = try await world.personWithTwoPasskeys()
      let (session, other) = (try await world.open(person), try await world.open(second))
      try other.demandOther(than: session)
      let reply = try await world.confirmed(.deleteCredential, id: second.passkeyID, in: session)
      try reply.require("delete-credential")
      return try await world.isOpen(other) ? .fail("a session of the deleted passkey is open") : .pass
    },
    Check(
      id: "management.add-without-session", title: "begins to add a passkey only in a session",
      references: ["ASVS 5.0 8.3.1"], severity: .critical,
      rationale: "Anyone could add a passkey to an account.",
      advice: "Require a session for the options and for the response."
    ) { (world) in
      _ = try await world.additionOptions(in: try await world.open())
      let reply = try await world.send(try world.request(.addCredentialOptions))
      return try world.refused(reply) ? .pass : .fail("the options were issued without a session")
    },
    Check(
      id: "management.add-finish-without-session", title: "finishes to add a passkey only in a session",
      references: ["ASVS 5.0 8.3.1", "NIST SP 800-63B-4 §4.1.2.1"], severity: .critical,
      rationale: "Anyone who learns a challenge or an account's ID adds a passkey to the account.",
      advice: "Require a session for the response, and take the account from it."
    ) { (world) in
      let person = try await world.newPerson()
      var begun = try await world.begin(.addCredentialOptions, confirmedBy: person)
      begun.person = nil
      begun.cookies = begun.cookies.without(world.sessionCookieNames)
      let passkey = try AuditPasskey(userHandle: person.passkey.userHandle)
      let reply = try await world.finish(begun, world.registration(begun, by: passkey).json())
      if try world.refused(reply) { return .pass }
      guard try await world.canSignIn(Person(name: person.name, passkey: passkey, session: nil)) else {
        throw CannotTell("the server answered \(reply.status), and the passkey does not sign in")
      }
      return .fail("a passkey was added without a session (\(reply.status))")
    },
    Check(
      id: "management.excluded-passkey", title: "adds no passkey whose ID the options exclude",
      references: ["WebAuthn §7.1 step 26"], severity: .medium,
      rationale: "A thief of a session replaces the key of the owner's passkey, and locks the owner out.",
      advice: "Refuse credential IDs that are stored for any account, also for the same one."
    ) { (world) in
      let person = try await world.newPerson()
      let begun = try await world.begin(.addCredentialOptions, confirmedBy: person)
      let id = person.passkey.id
      guard begun.credentialIDs.contains(id) else { throw CannotTell("the options exclude no passkey") }
      let passkey = try AuditPasskey(userHandle: person.passkey.userHandle)
      let faults = [
        Fault { (draft: inout AuthenticatorDataDraft) in draft.credential?.id = id },
        Fault { (draft: inout ResponseDraft) in draft.setID(id) },
      ]
      let reply = try await world.finish(begun, world.registration(begun, by: passkey).json(faults))
      return try world.refused(reply, begun) ? .pass : .fail("the server added the passkey (\(reply.status))")
    },
    Check(
      id: "management.exclude-credentials", title: "excludes the account's passkeys from the options for another one",
      references: ["WebAuthn §5.4"], severity: .low,
      rationale: "Without the list an authenticator replaces its passkey or makes a second one for the account.",
      advice: "Fill `excludeCredentials` with the account's passkeys."
    ) { (world) in
      let session = try await world.open()
      let options = try await world.additionOptions(in: session)
      let excluded = (try? options.require("excludeCredentials").array).map { Array($0) } ?? []
      return excluded.isEmpty ? .fail("`excludeCredentials` is empty") : .pass
    },
    Check(
      id: "management.user-handle-stable", title: "uses one user handle for all passkeys of an account",
      references: ["WebAuthn §5.4.3"], severity: .low,
      rationale: "Authenticators keep one passkey for each user handle, and show several for one account otherwise.",
      advice: "Store the user handle with the account."
    ) { (world) in
      let session = try await world.open()
      var handles: Set<String> = []
      for _ in 0..<2 {
        handles.insert(try await world.additionOptions(in: session).require("user").require("id").string)
      }
      return handles.count == 1 ? .pass : .fail("the options for the same account have two user handles")
    },
    Check(
      id: "management.user-handle-opaque", title: "uses a user handle without personal data",
      references: ["WebAuthn §14.6.1"], severity: .low,
      rationale: "Authenticators reveal user handles without user verification.",
      advice: "Use random bytes for the user handle."
    ) { (world) in
      let name = try world.newName()
      let options = try await world.begin(.registerOptions, name: name).options
      let handle = try options.require("user").require("id").base64URL
      let isPersonal = String(decoding: handle, as: UTF8.self).lowercased().contains(name.lowercased())
      return isPersonal ? .fail("the user handle is the name of the account") : .pass
    },
  ]

  /// Names of passkeys.
  private static let nameChecks: [Check] = [
    name(
      "management.name-control", "keeps control characters out of names of passkeys", "key\u{1b}[2J\u{7}",
      "Control characters in a list change what a terminal or a log shows."),
    name(
      "management.name-bidi", "keeps characters that reverse text out of names of passkeys", "key \u{202e}lru.",
      "Such characters make one name look like another, so that the owner deletes the wrong passkey."),
    name(
      "management.name-long", "limits the length of names of passkeys", String(repeating: "n", count: 10_000),
      "Long names fill the database and break every list."),
  ]

  private static func name(_ id: String, _ title: String, _ name: String, _ rationale: String) -> Check {
    Check(
      id: id, title: title, references: ["ASVS 5.0 2.2.1"], severity: .low, rationale: rationale,
      advice: "Refuse the name, or remove the characters before storing it."
    ) { (world) in
      let session = try await world.open()
      try await world.demandRenaming(in: session)
      let reply = try await world.rename(to: name, in: session)
      if reply.status >= 500 { return .fail("the name causes an internal error (\(reply.status))") }
      // A redirect follows a change as well as a refusal.
      if try !reply.isRedirect && world.refused(reply) { return .pass }
      return try await world.lists(name, in: session) ? .fail("the name was stored unchanged") : .pass
    }
  }

  /// Export and erasure of an account.
  private static let accountChecks: [Check] = [
    Check(
      id: "management.export-without-session", title: "exports an account only in a session",
      references: ["ASVS 5.0 8.3.1"], severity: .critical,
      rationale: "Anyone could read all data of an account.", advice: "Require a session and a confirmation."
    ) { (world) in
      try await world.confirmed(.exportAccount, in: try await world.open()).require("export-account")
      let reply = try await world.send(try world.request(.exportAccount))
      return try world.refused(reply) ? .pass : .fail("the account was exported without a session")
    },
    Check(
      id: "management.export-secrets", title: "exports no tokens",
      references: ["ASVS 5.0 14.2.6"], severity: .high,
      rationale: "Exports are stored and mailed. A token in one opens the account.",
      advice: "Leave tokens, grants and pending challenges out of the export."
    ) { (world) in
      let session = try await world.open()
      let reply = try await world.confirmed(.exportAccount, in: session)
      try reply.require("export-account")
      let secrets = [session.secret, session.refreshToken].compactMap { $0 }
      return secrets.contains { reply.text.contains($0) } ? .fail("the export has a token of the session") : .pass
    },
    Check(
      id: "management.erase-ends-sessions", title: "ends all sessions of an erased account",
      references: ["ASVS 5.0 7.4.2"], severity: .high,
      rationale: "A session of an account that no longer exists has rights that no administrator sees or revokes.",
      advice: "Delete the sessions in the same transaction as the account."
    ) { (world) in
      let person = try await world.newPerson()
      let (one, other) = (try await world.open(person), try await world.open(person))
      try await world.confirmed(.eraseAccount, in: one).require("erase-account")
      world.forget(person)
      return try await world.isOpen(other) ? .fail("a session of the erased account is open") : .pass
    },
    Check(
      id: "management.erase-passkeys", title: "refuses a sign-in to an erased account",
      references: ["WebAuthn §7.2 step 6"], severity: .high,
      rationale: "An erased account must not come back.",
      advice: "Delete the passkeys in the same transaction as the account."
    ) { (world) in
      let person = try await world.newPerson()
      let session = try await world.open(person)
      try await world.confirmed(.eraseAccount, in: session).require("erase-account")
      world.forget(person)
      return try await world.canSignIn(person) ? .fail("the passkey of the erased account signs in") : .pass
    },
  ]
}

extension AuditWorld {
  /// Renames the passkey of a session's person.
  fileprivate func rename(to name: String, in session: OpenSession) async throws -> ServerReply {
    try await call(.renameCredential, id: session.person.passkeyID, in: session) { $0.set(.credentialName, name) }
  }

  /// Throws ``CannotTell`` unless a person can rename the own passkey, and the list shows it.
  fileprivate func demandRenaming(in session: OpenSession) async throws {
    let name = "audit key"
    let reply = try await rename(to: name, in: session)
    guard try await lists(name, in: session) else {
      throw CannotTell("the list does not show a new name of the own passkey: \(reply.shortened)")
    }
  }
}
