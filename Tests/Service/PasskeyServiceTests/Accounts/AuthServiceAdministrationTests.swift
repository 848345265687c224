// SPDX-License-Identifier: Apache-2.0

import PasskeyServiceTestSupport
import PasskeyStorage
import Testing
import WebAuthnTypes

@testable import PasskeyService

struct AuthServiceAdministrationTests {
  /// Creates the first administrator from the console and signs in.
  private static func bootstrap(
    _ world: ServiceWorld, _ person: Person, _ email: String = "root@raxx.app"
  ) async throws -> AuthenticatedSession {
    let (_, code) = try await world.service.createAccount(
      EmailAddress(email), roles: [.administrator], by: .console, in: world.at())
    return try await world.session(world.signUp(email, person, code: code).opened)
  }

  @Test func `the console creates the first administrator with a code for a passkey`() async throws {
    let world = try ServiceWorld({ $0.signUp = .invitation })
    let (account, code) = try await world.service.createAccount(
      EmailAddress("root@raxx.app"), roles: [.administrator], by: .console, in: world.at())
    #expect(account.state == .active)
    // The address alone does not allow registration.
    await expect(.signUpInvitationRequired) {
      _ = try await world.service.beginRegistration(EmailAddress("root@raxx.app"), in: world.at())
    }
    let made = try await world.signUp("root@raxx.app", Person(), code: code)
    #expect(made.account == account)
    #expect(try await world.session(made.opened).account.isActingAdministrator)
    await expect(.accountEmailTaken) {
      _ = try await world.service.createAccount(EmailAddress("root@raxx.app"), by: .console, in: world.at())
    }
    #expect(try await world.trail.prefix(2) == ["account.created", "recovery.issued"])
  }

  @Test func `only its code can claim an account that waits for its first passkey`() async throws {
    let world = try ServiceWorld()
    _ = try await world.service.createAccount(
      EmailAddress("root@raxx.app"), roles: [.administrator], by: .console, in: world.at())
    await expect(.signUpEmailTaken, toOutsiders: .signUpRefused) {
      _ = try await world.signUp("root@raxx.app", Person())
    }
  }

  @Test func `an administrator is active and has the role`() async throws {
    let world = try ServiceWorld()
    let ada = try await world.openSession("ada@raxx.app", Person())
    await expect(.notPermitted) { _ = try Administrator(ada) }
    await expect(.notPermitted) { _ = try await world.service.administrator(ada, in: world.at()) }
    #expect(try await world.trail.last == "administration.attempted!account.not-permitted")
    let root = try await Self.bootstrap(world, Person())
    #expect(try Administrator(root).handle == root.account.handle)
    #expect(try await world.service.administrator(root, in: world.at()).handle == root.account.handle)
    #expect(Administrator.console.handle == nil)
  }

  @Test func `each change requires its own confirmation`() async throws {
    let world = try ServiceWorld({ $0.signUp = .approval })
    let person = try Person()
    let root = try await Self.bootstrap(world, person)
    let administrator = try Administrator(root)
    let waiting = try await world.signUp("ada@raxx.app", Person()).account
    await expect(.stepUpRequired) {
      try await world.service.change(waiting.handle, .approve, by: administrator, in: world.at())
    }
    let none = PresentedConfirmation(of: ServiceWorld.action, grant: nil)
    await expect(.stepUpRequired) {
      try await world.service.change(waiting.handle, .approve, by: administrator, confirmation: none, in: world.at())
    }
    let confirmation = try await world.confirm(root, person)
    let approved = try await world.service.change(
      waiting.handle, .approve, by: administrator, confirmation: confirmation, in: world.at())
    #expect(approved.state == .active)
    await expect(.stepUpGrantRefused) {
      try await world.service.change(
        waiting.handle, .disable, by: administrator, confirmation: confirmation, in: world.at())
    }
    await expect(.stepUpGrantRefused) {
      _ = try await world.service.recover(
        waiting.handle, by: administrator, confirmation: confirmation, in: world.at())
    }
    await expect(.stepUpGrantRefused) {
      _ = try await world.service.createAccount(
        EmailAddress("x@raxx.app"), by: administrator, confirmation: confirmation, in: world.at())
    }
    let refused = [String](repeating: "step-up.spent!step-up.grant-refused", count: 3)
    #expect(try await world.trail.suffix(5) == ["step-up.spent", "account.approved"] + refused)
    let entry = try await world.memory.auditEntries(after: 0, of: waiting.handle, limit: 99).last
    #expect(entry?.record.actor == root.account.handle)
    #expect(entry?.record.account == waiting.handle)
  }

  @Test func `accounts can be disabled, enabled and given roles`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    let made = try await world.signUp("ada@raxx.app", ada)
    let handle = made.account.handle
    #expect(try await world.service.change(handle, .disable, by: .console, in: world.at()).state == .disabled)
    await expect(.accountStateConflict) {
      try await world.service.change(handle, .disable, by: .console, in: world.at())
    }
    await expect(.accountStateConflict) {
      try await world.service.change(handle, .approve, by: .console, in: world.at())
    }
    try await world.service.change(handle, .enable, by: .console, in: world.at())
    let roles: Set<Role> = [Role(rawValue: "trader"), .administrator]
    #expect(try await world.service.change(handle, .setRoles(roles), by: .console, in: world.at()).roles == roles)
    #expect(try await world.signIn("ada@raxx.app", ada).account.roles == roles)
    await expect(.roleInvalid) {
      try await world.service.change(handle, .setRoles([Role(rawValue: "")]), by: .console, in: world.at())
    }
    await expect(.accountLastAdministrator) {
      try await world.service.change(handle, .setRoles([]), by: .console, in: world.at())
    }
    let nobody = try UserHandle([1])
    await expect(.accountUnknown) {
      try await world.service.change(nobody, .disable, by: .console, in: world.at())
    }
    let entry = try await world.memory.auditEntries(after: 0, of: handle, limit: 99).first {
      $0.record.event == .accountRolesSet
    }
    #expect(entry?.record.details["roles"] == "admin trader")
  }

  @Test func `the console exports the owner's document, and administrators need a confirmation`() async throws {
    let world = try ServiceWorld()
    let person = try Person()
    let root = try await Self.bootstrap(world, person)
    let owner = try Person()
    let ada = try await world.openSession("ada@raxx.app", owner)
    let handle = ada.account.handle
    let consent = try await world.confirm(ada, owner)
    let taken = try await world.service.export(handle, by: .console, in: world.at(1))
    #expect(taken.trail.last?.entry.record.event == .accountExported)
    #expect(taken.trail.last?.entry.record.actor == nil)
    let own = try await world.service.export(ada, confirmation: consent, in: world.at(1))
    #expect(own.account == taken.account)
    #expect(own.passkeys == taken.passkeys && own.passkeys.count == 1)
    #expect(own.sessions == taken.sessions && own.sessions.count == 1)
    #expect(
      own.trail.map(\.entry.record.sequence) == taken.trail.map(\.entry.record.sequence)
        + own.trail.suffix(2).map(\.entry.record.sequence))

    let administrator = try Administrator(root)
    let count = try await world.trail.count
    await expect(.stepUpRequired) { _ = try await world.service.export(handle, by: administrator, in: world.at()) }
    #expect(try await world.trail.count == count)
    let confirmation = try await world.confirm(root, person)
    _ = try await world.service.export(handle, by: administrator, confirmation: confirmation, in: world.at())
    #expect(try await world.trail.suffix(2) == ["step-up.spent", "account.exported"])
    await expect(.stepUpGrantRefused) {
      _ = try await world.service.export(handle, by: administrator, confirmation: confirmation, in: world.at())
    }
    await expect(.accountUnknown) {
      _ = try await world.service.export(UserHandle([1]), by: .console, in: world.at())
    }
    let entry = try await world.memory.auditEntries(after: 0, of: handle, limit: 99).last
    #expect(entry?.record.actor == root.account.handle)
  }

  @Test func `accounts can be listed and found`() async throws {
    let world = try ServiceWorld()
    for name in ["ada", "ben", "cora"] { _ = try await world.signUp("\(name)@raxx.app", Person()) }
    let all = try await world.service.accounts(limit: 2, by: .console)
    #expect(all.count == 2)
    let rest = try await world.service.accounts(after: all.last?.handle, limit: 9, by: .console)
    #expect(Set((all + rest).map(\.name)) == ["ada@raxx.app", "ben@raxx.app", "cora@raxx.app"])
    #expect(try await world.service.accounts(matching: Account.Filter(state: .pending), limit: 9, by: .console).isEmpty)
    #expect(try await world.service.accounts(limit: -1, by: .console).isEmpty)
    #expect(try await world.service.account(.email(EmailAddress("BEN@raxx.app")), by: .console).name == "ben@raxx.app")
    await expect(.accountUnknown) {
      _ = try await world.service.account(.email(EmailAddress("dora@raxx.app")), by: .console)
    }
  }

  @Test func `an administrator ends a user's sessions and erases a user`() async throws {
    let world = try ServiceWorld()
    try await world.service.claimStore(at: ServiceWorld.start)
    let person = try Person()
    let root = try await Self.bootstrap(world, person)
    let administrator = try Administrator(root)
    let ada = try await world.signUp("ada@raxx.app", Person())
    #expect(try await world.service.revokeAll(of: ada.account.handle, by: administrator, in: world.at()) == 1)
    await expect(.sessionUnknown) { _ = try await world.session(ada.opened) }
    try await world.service.erase(
      ada.account.handle, by: administrator, confirmation: world.confirm(root, person), in: world.at())
    await expect(.accountUnknown) {
      try await world.service.erase(ada.account.handle, by: .console, in: world.at())
    }
    await expect(.accountUnknown) {
      _ = try await world.service.recover(ada.account.handle, by: .console, in: world.at())
    }
    try await world.service.verifyAuditTrail()
  }

  @Test func `the record of an account names the invitation and its grants`() async throws {
    let world = try ServiceWorld({ $0.signUp = .invitation })
    let code = try await world.service.invite(
      nil, roles: [Role(rawValue: "trader"), .administrator], by: .console, in: world.at())
    let ada = try await world.signUp("ada@raxx.app", Person(), code: code).account
    let records = try await world.service.auditEntries(limit: 9).map(\.record)
    let issued = try #require(records.first)
    let created = try #require(records.first { $0.event == .accountCreated })
    #expect(issued.event == .invitationIssued)
    #expect(issued.subject == "code:\(code.digest)")
    #expect(created.account == ada.handle)
    #expect(created.details["invitation"] == issued.subject)
    #expect(created.details["roles"] == "admin trader")
  }

  @Test func `an invitation's roles must be valid names`() async throws {
    let world = try ServiceWorld()
    await expect(.roleInvalid) {
      _ = try await world.service.invite(nil, roles: [Role(rawValue: "No")], by: .console, in: world.at())
    }
    await expect(.roleInvalid) {
      _ = try await world.service.createAccount(
        EmailAddress("x@raxx.app"), roles: [Role(rawValue: "No")], by: .console, in: world.at())
    }
  }

  @Test func `a role that is removed before the transaction does not count`() async throws {
    let acts: [@Sendable (ServiceWorld, Administrator, PresentedConfirmation, UserHandle) async throws -> Void] = [
      { world, root, confirmation, ada in
        try await world.service.change(ada, .disable, by: root, confirmation: confirmation, in: world.at())
      },
      { world, root, confirmation, ada in
        _ = try await world.service.recover(ada, by: root, confirmation: confirmation, in: world.at())
      },
      { world, root, confirmation, ada in
        try await world.service.erase(ada, by: root, confirmation: confirmation, in: world.at())
      },
      { world, root, confirmation, ada in
        _ = try await world.service.export(ada, by: root, confirmation: confirmation, in: world.at())
      },
      { world, root, confirmation, _ in
        _ = try await world.service.invite(nil, by: root, confirmation: confirmation, in: world.at())
      },
      { world, root, _, ada in try await world.service.revokeAll(of: ada, by: root, in: world.at()) },
      { world, root, confirmation, ada in
        let id = try #require(try await world.memory.passkeys(of: ada).first).record.id
        try await world.service.delete(
          id, of: ada, allowingLast: true, by: root, confirmation: confirmation, in: world.at())
      },
    ]
    for act in acts {
      let world = try ServiceWorld()
      let person = try Person()
      _ = try await Self.bootstrap(world, Person(), "other@raxx.app")
      let root = try await Self.bootstrap(world, person)
      let made = try await world.signUp("ada@raxx.app", Person())
      let administrator = try Administrator(root)
      let confirmation = try await world.confirm(root, person)
      world.faults.beforeWrite { (memory) in
        _ = try? await memory.change(
          root.account.handle, .setRoles([]), at: ServiceWorld.start, spending: nil, audit: [])
      }
      await expect(.notPermitted) { try await act(world, administrator, confirmation, made.account.handle) }
      world.faults.beforeWrite(nil)
      #expect(try await world.trail.last == "administration.attempted!account.not-permitted")
      #expect(try await world.memory.account(made.account.handle)?.state == .active)
      #expect(try await world.memory.passkeys(of: made.account.handle).count == 1)
      _ = try await world.session(made.opened)
    }
  }

  @Test func `an administrator lists and deletes one passkey, which ends the sessions that it opened`() async throws {
    let world = try ServiceWorld()
    let (person, ada) = (try Person(), try Person())
    let root = try await Self.bootstrap(world, person)
    let made = try await world.signUp("ada@raxx.app", ada)
    let handle = made.account.handle
    let administrator = try Administrator(root)
    let id = made.passkey.record.id
    #expect(try await world.service.passkeys(of: handle, by: administrator).map(\.record.id) == [id])
    await expect(.accountUnknown) { _ = try await world.service.passkeys(of: UserHandle([1]), by: administrator) }
    await expect(.stepUpRequired) { try await world.service.delete(id, of: handle, by: administrator, in: world.at()) }
    await expect(.credentialLast) { try await world.service.delete(id, of: handle, by: .console, in: world.at()) }
    let confirmation = try await world.confirm(root, person)
    try await world.service.delete(
      id, of: handle, allowingLast: true, by: administrator, confirmation: confirmation, in: world.at())
    await expect(.sessionUnknown) { _ = try await world.session(made.opened) }
    #expect(try await world.trail.suffix(2) == ["step-up.spent", "credential.deleted"])
    #expect(
      try await world.memory.auditEntries(after: 0, of: handle, limit: 99).last?.record.actor == root.account.handle)
  }
}
