// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeyStorage
import Testing
import WebAuthnTypes

@testable import PasskeyService

/// The rights of a session that has removed the last passkey of its account.
struct ReplacementTests {
  private let none = PresentedConfirmation(of: ServiceWorld.action, grant: nil)

  /// Removes a passkey in a session, after a confirmation with the passkey of `person`.
  private func remove(
    _ passkey: CredentialID, _ session: AuthenticatedSession, _ person: Person, in world: ServiceWorld,
    at seconds: Int = 0
  ) async throws {
    let confirmation = try await world.confirm(ServiceWorld.action, session, person, at: seconds)
    try await world.service.delete(
      passkey, allowingLast: true, by: session, confirmation: confirmation, in: world.at(seconds))
  }

  /// An account without a passkey, the session that removed it, and another session.
  private func bereft(
    _ policy: (inout ServicePolicy) -> Void = { _ in }
  ) async throws -> (
    world: ServiceWorld, opened: OpenedSession, other: OpenedSession
  ) {
    let world = try ServiceWorld(policy)
    let (ada, key) = (try Person(), try Person())
    let made = try await world.signUp("ada@raxx.app", ada)
    let opened = try #require(made.opened)
    let session = try await world.session(opened)
    let added = try await add(key, session, world.confirm(session, ada), in: world)
    let other = try await world.signIn("ada@raxx.app", key)
    // The other session goes on without its passkey: it removed that itself, but not the last one.
    try await remove(added, world.session(other), key, in: world)
    try await remove(made.passkey.record.id, session, ada, in: world)
    return (world, opened, other)
  }

  @discardableResult
  private func add(
    _ person: Person, _ session: AuthenticatedSession, _ confirmation: PresentedConfirmation, in world: ServiceWorld,
    at seconds: Int = 0
  ) async throws -> CredentialID {
    let options = try await world.service.beginRegistration(
      for: session, confirmation: confirmation, in: world.at(seconds))
    return try await world.service.finishRegistration(
      person.create(options), session: session, in: world.at(seconds)
    ).passkey.record.id
  }

  @Test func `the session adds a passkey, and the trail says that none confirmed it`() async throws {
    let (world, opened, _) = try await bereft()
    let session = try await world.session(opened, at: 1)
    #expect(world.service.replacementEnd(of: session, at: world.at(1).time) == ServiceWorld.start + .seconds(600))
    let next = try Person()
    try await add(next, session, none, in: world, at: 1)
    #expect(try await world.trail.suffix(3) == ["step-up.confirmed", "step-up.spent", "credential.registered"])
    let record = try await world.memory.auditEntries(after: 0, of: nil, limit: 99).suffix(3).first?.record
    #expect(record?.details["assertion"] == "none")
    #expect(record?.details["reason"] == "last-passkey-removed")
    #expect(record?.details["session"] == "\(session.session.id)")
    #expect(try await world.signIn("ada@raxx.app", next, at: 2).account.handle == session.account.handle)
    // The account has a passkey again.
    let later = try await world.session(opened, at: 2)
    #expect(world.service.replacementEnd(of: later, at: world.at(2).time) == nil)
    for used in [session, later] {
      await expect(.stepUpRequired) { _ = try await world.service.export(used, confirmation: none, in: world.at(2)) }
    }
  }

  @Test func `no other session may, and nothing but the three actions is possible`() async throws {
    let (world, opened, other) = try await bereft()
    let stranger = try await world.session(other)
    #expect(world.service.replacementEnd(of: stranger, at: world.at().time) == nil)
    await expect(.stepUpRequired) { _ = try await add(Person(), stranger, none, in: world) }
    await expect(.stepUpRequired) { try await world.service.erase(stranger, confirmation: none, in: world.at()) }
    let session = try await world.session(opened)
    await expect(.stepUpRequired) { _ = try await world.service.spend(none, by: session, in: world.at()) }
    await expect(.stepUpImpossible) {
      _ = try await world.service.beginStepUp(for: ServiceWorld.action, by: session, in: world.at())
    }
    // A token that the service did not issue is refused as always.
    let forged = PresentedConfirmation(of: ServiceWorld.action, grant: try Token(at: world.at().time, random: .system))
    await expect(.stepUpGrantRefused) { _ = try await add(Person(), session, forged, in: world) }
    _ = try await world.service.export(session, confirmation: none, in: world.at())
    try await world.service.erase(session, confirmation: none, in: world.at())
    #expect(try await world.memory.account(session.account.handle) == nil)
  }

  @Test func `the period ends after ten minutes, and neither use nor renewal extends it`() async throws {
    let (world, opened, _) = try await bereft { $0.sessions.renewal = .init() }
    _ = try await world.service.export(world.session(opened, at: 500), confirmation: none, in: world.at(500))
    let renewed = try await world.service.renew(#require(opened.refreshToken), in: world.at(599))
    let session = try await world.session(renewed, at: 599)
    #expect(world.service.replacementEnd(of: session, at: world.at(599).time) == ServiceWorld.start + .seconds(600))
    _ = try await world.service.export(session, confirmation: none, in: world.at(599))
    #expect(world.service.replacementEnd(of: session, at: world.at(600).time) == nil)
    await expect(.stepUpRequired) { _ = try await add(Person(), session, none, in: world, at: 600) }
    await expect(.stepUpRequired) { _ = try await world.service.export(session, confirmation: none, in: world.at(600)) }
    await expect(.stepUpRequired) { try await world.service.erase(session, confirmation: none, in: world.at(600)) }
  }

  @Test func `the period ends with the session, and a policy of zero gives none`() async throws {
    let (world, opened, _) = try await bereft { $0.sessions.lifetime = .seconds(60) }
    let session = try await world.session(opened)
    #expect(world.service.replacementEnd(of: session, at: world.at().time) == session.expiry)
    try await world.service.revoke(session.session.id, by: session, in: world.at())
    // A proof of authentication from before the end is of no use.
    await expect(.stepUpRequired) { try await world.service.erase(session, confirmation: none, in: world.at()) }

    let (strict, only, _) = try await bereft { $0.replacementPeriod = .zero }
    await expect(.stepUpRequired) { _ = try await add(Person(), strict.session(only), none, in: strict) }
    for invalid in [Duration.seconds(-1), .seconds(3601)] {
      await expect(.configurationInvalid) { _ = try ServiceWorld({ $0.replacementPeriod = invalid }) }
    }
  }

  @Test func `an administrator's removal of the last passkey gives no session the right`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    let made = try await world.signUp("ada@raxx.app", ada)
    let opened = try #require(made.opened)
    let session = try await world.session(opened)
    let key = try Person()
    let added = try await add(key, session, world.confirm(session, ada), in: world)
    try await remove(made.passkey.record.id, session, ada, in: world)
    try await world.service.delete(
      added, of: session.account.handle, allowingLast: true, by: .console, in: world.at())
    await expect(.stepUpRequired) { _ = try await add(Person(), world.session(opened), none, in: world) }
  }
}
