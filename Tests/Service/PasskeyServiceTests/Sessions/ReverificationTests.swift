// SPDX-License-Identifier: Apache-2.0

import PasskeyServiceTestSupport
import Testing
import WebAuthnRelyingParty

@testable import PasskeyService

struct ReverificationTests {
  private func reverify(
    _ world: ServiceWorld, _ session: AuthenticatedSession, _ person: Person, at seconds: Int
  ) async throws -> AuthenticatedSession {
    let options = try await world.service.beginReverification(by: session, in: world.at(seconds))
    #expect(options.userVerification == .required)
    return try await world.service.finishReverification(
      ReceivedAuthentication(person.get(options)), by: session, in: world.at(seconds))
  }

  @Test func `an assertion verifies the user of a session without opening another`() async throws {
    let (world, ada) = (try ServiceWorld(), try Person())
    let session = try await world.openSession("ada@raxx.app", ada)
    #expect(session.session.verifiedAt == ServiceWorld.start)
    let verified = try await reverify(world, session, ada, at: 100)
    #expect(verified.session.verifiedAt == ServiceWorld.start + .seconds(100))
    #expect(verified.session.id == session.session.id && verified.expiry == session.expiry)
    #expect(try await world.service.sessions(of: session, in: world.at(100)) == [verified.session])
    #expect(try await world.trail.last == "session.verified")
  }

  @Test func `an unused session must be verified, and stays so until it is`() async throws {
    let world = try ServiceWorld {
      $0.sessions.verificationLimit = .seconds(300)
      $0.sessions.renewal = .init()
    }
    let ada = try Person()
    let opened = try #require(try await world.signUp("ada@raxx.app", ada).opened)
    _ = try await world.service.authenticate(opened.token, in: world.at(300))
    for seconds in [601, 602, 603] {
      await expect(.sessionVerificationRequired) {
        _ = try await world.service.authenticate(opened.token, in: world.at(seconds))
      }
    }
    // A renewal is not a use.
    let renewed = try await world.service.renew(#require(opened.refreshToken), in: world.at(604))
    await expect(.sessionVerificationRequired) {
      _ = try await world.service.authenticate(renewed.token, in: world.at(605))
    }
    let session = try await world.service.authenticate(
      renewed.token, allowing: .unverifiedUser, in: world.at(606))
    _ = try await reverify(world, session, ada, at: 607)
    _ = try await world.service.authenticate(renewed.token, in: world.at(608))
    #expect(throws: ServiceError.self) { try ServiceWorld { $0.sessions.verificationLimit = .seconds(60) } }
  }

  @Test func `another user's assertion, another session's and a sign-in's do not verify`() async throws {
    let (world, ada, ben) = (try ServiceWorld(), try Person(), try Person())
    let hers = try await world.openSession("ada@raxx.app", ada)
    _ = try await world.signUp("ben@raxx.app", ben)
    let second = try await world.session(world.signIn("ada@raxx.app", ada))
    let signIn = try await world.service.beginSignIn(nil, in: world.at())
    await expect(.sessionVerificationUnknown) {
      _ = try await world.service.finishReverification(
        ReceivedAuthentication(ada.get(signIn)), by: hers, in: world.at())
    }
    let options = try await world.service.beginReverification(by: hers, in: world.at())
    let response = try await ada.get(options)
    await expect(.sessionVerificationUnknown) {
      _ = try await world.service.finishReverification(ReceivedAuthentication(response), by: second, in: world.at())
    }
    _ = try await world.service.finishReverification(ReceivedAuthentication(response), by: hers, in: world.at())
    await expect(.sessionVerificationUnknown) {
      _ = try await world.service.finishReverification(ReceivedAuthentication(response), by: hers, in: world.at())
    }
    let third = try await world.service.beginReverification(by: hers, in: world.at())
    await expect(.signInCeremonyUnknown) {
      _ = try await world.service.finishSignIn(ada.get(third), in: world.at())
    }
  }

  @Test func `a pending account's session is valid only where it is allowed`() async throws {
    let world = try ServiceWorld {
      $0.signUp = .approval
      $0.sessions.allowsPendingAccounts = true
    }
    let ada = try Person()
    let made = try await world.signUp("ada@raxx.app", ada)
    let token = try #require(made.opened).token
    await expect(.sessionAccountPending) { _ = try await world.service.authenticate(token, in: world.at()) }
    let session = try await world.service.authenticate(token, allowing: .pendingAccount, in: world.at())
    #expect(session.account.state == .pending)
    let again = try await world.signIn("ada@raxx.app", ada)
    #expect(again.account.state == .pending)
    try await world.service.change(made.account.handle, .approve, by: .console, in: world.at())
    _ = try await world.service.authenticate(token, in: world.at())
  }

  @Test func `a rejected account cannot sign in until it is approved`() async throws {
    let world = try ServiceWorld { $0.signUp = .approval }
    let ada = try Person()
    let handle = try await world.signUp("ada@raxx.app", ada).account.handle
    let rejected = try await world.service.update(
      handle, state: .rejected, roles: [Role(rawValue: "x")], by: .console, in: world.at(9))
    #expect(rejected.state == .rejected && rejected.roles == [Role(rawValue: "x")])
    #expect(rejected.updated == ServiceWorld.start + .seconds(9))
    #expect(try await world.trail.suffix(2) == ["account.rejected", "account.roles-set"])
    await expect(.signInAccountRejected) { _ = try await world.signIn("ada@raxx.app", ada) }
    for state in [Account.State.pending] {
      await expect(.accountStateConflict) {
        _ = try await world.service.update(handle, state: state, roles: nil, by: .console, in: world.at())
      }
    }
    try await world.service.update(handle, state: .active, roles: nil, by: .console, in: world.at())
    #expect(try await world.signIn("ada@raxx.app", ada).account.roles == [Role(rawValue: "x")])
  }

  @Test func `preferences belong to the account`() async throws {
    let world = try ServiceWorld()
    let ada = try await world.openSession("ada@raxx.app", Person())
    let ben = try await world.openSession("ben@raxx.app", Person())
    let preferences = try NotificationPreferences(["reports": false])
    try await world.service.setPreferences(preferences, by: ada, in: world.at())
    #expect(try await world.service.preferences(of: ada) == preferences)
    #expect(try await world.service.preferences(of: ben) == .none)
    #expect(!preferences.allows("reports") && preferences.allows("other") && !preferences.allows("x", default: false))
    #expect(try preferences.merging(NotificationPreferences(["reports": true])).allows("reports"))
    for names in [["": true], ["a b": true], [String(repeating: "a", count: 65): true]] {
      await expect(.preferencesInvalid) { _ = try NotificationPreferences(names) }
    }
    let many = Dictionary(uniqueKeysWithValues: (0..<65).map { ("\($0)", true) })
    await expect(.preferencesInvalid) { _ = try NotificationPreferences(many) }
  }
}
