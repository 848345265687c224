// SPDX-License-Identifier: Apache-2.0

import PasskeyServiceTestSupport
import PasskeyStorage
import Testing
import WebAuthnTypes

@testable import PasskeyService

/// Registration of a further passkey in a session.
struct PasskeyAdditionTests {
  @Test func `adding a passkey requires a session and spends a confirmation`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    let session = try await world.openSession("ada@raxx.app", ada)
    let none = PresentedConfirmation(of: ServiceWorld.action, grant: nil)
    await expect(.stepUpRequired) {
      _ = try await world.service.beginRegistration(for: session, confirmation: none, in: world.at())
    }
    let confirmation = try await world.confirm(session, ada)
    let options = try await world.service.beginRegistration(for: session, confirmation: confirmation, in: world.at())
    #expect(options.user.id == session.account.handle)
    #expect(options.excludeCredentials.count == 1)
    await expect(.stepUpGrantRefused) {
      _ = try await world.service.beginRegistration(for: session, confirmation: confirmation, in: world.at())
    }
    let second = try Person()
    let made = try await world.service.finishRegistration(second.create(options), session: session, in: world.at())
    #expect(made.opened == nil)
    #expect(try await world.service.passkeys(of: session).count == 2)
    #expect(try await world.signIn("ada@raxx.app", second).account == session.account)
  }

  @Test func `adding a passkey must finish in the session that began it`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    let session = try await world.openSession("ada@raxx.app", ada)
    let other = try await world.session(world.signIn("ada@raxx.app", ada))
    let eve = try await world.openSession("eve@raxx.app", Person())
    for wrong in [nil, other, eve] {
      let confirmation = try await world.confirm(session, ada)
      let options = try await world.service.beginRegistration(
        for: session, confirmation: confirmation, in: world.at())
      let response = try await Person().create(options)
      await expect(.signUpCeremonyUnknown) {
        _ = try await world.service.finishRegistration(response, session: wrong, in: world.at())
      }
    }
    let options = try await world.service.beginRegistration(
      for: session, confirmation: world.confirm(session, ada), in: world.at())
    let response = try await Person().create(options)
    try await world.service.revoke(session.session.id, by: session, in: world.at())
    await expect(.sessionUnknown) {
      _ = try await world.service.finishRegistration(response, session: session, in: world.at())
    }
    #expect(try await world.memory.passkeys(of: session.account.handle).count == 1)
  }

  @Test func `the number of passkeys per account is limited, except in a recovery`() async throws {
    let world = try ServiceWorld({ $0.maximumPasskeyCount = 1 })
    let ada = try Person()
    let session = try await world.openSession("ada@raxx.app", ada)
    let confirmation = try await world.confirm(session, ada)
    await expect(.credentialTooMany) {
      _ = try await world.service.beginRegistration(for: session, confirmation: confirmation, in: world.at())
    }
    let code = try await world.service.recover(session.account.handle, by: .console, in: world.at())
    let recovered = try await world.session(world.signUp("ada@raxx.app", Person(), code: code).opened)
    #expect(try await world.service.passkeys(of: recovered).count == 2)
  }
}
