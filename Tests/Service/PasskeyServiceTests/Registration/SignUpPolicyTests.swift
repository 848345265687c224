// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyServiceTestSupport
import Testing

@testable import PasskeyService

/// Registration by invitation and by approval.
struct SignUpPolicyTests {
  @Test func `sign-up by invitation requires a code`() async throws {
    let world = try ServiceWorld({ $0.signUp = .invitation })
    await expect(.signUpInvitationRequired) {
      _ = try await world.service.beginRegistration(EmailAddress("ada@raxx.app"), in: world.at())
    }
    let code = try await world.service.invite(
      EmailAddress("ada@raxx.app"), roles: [Role(rawValue: "trader")], by: .console, in: world.at())
    await expect(.signUpCodeRefused) {
      _ = try await world.service.beginRegistration(EmailAddress("ben@raxx.app"), code: code, in: world.at())
    }
    let wrong = try OneTimeCode(random: .system)
    await expect(.signUpCodeRefused) {
      _ = try await world.service.beginRegistration(EmailAddress("ada@raxx.app"), code: wrong, in: world.at())
    }
    await expect(.signUpCodeRefused) {
      _ = try await world.service.beginRegistration(
        EmailAddress("ada@raxx.app"), code: code, in: world.at(7 * 86_400 + 1))
    }
    let made = try await world.signUp("ada@raxx.app", Person(), code: code)
    #expect(made.account.roles == [Role(rawValue: "trader")])
    #expect(made.opened != nil)
    await expect(.signUpCodeRefused) {
      _ = try await world.service.beginRegistration(EmailAddress("cora@raxx.app"), code: code, in: world.at())
    }
  }

  @Test func `an invitation creates one account, even if several clients begin with it`() async throws {
    let world = try ServiceWorld({ $0.signUp = .invitation })
    let code = try await world.service.invite(nil, by: .console, in: world.at())
    let first = try await world.service.beginRegistration(EmailAddress("ada@raxx.app"), code: code, in: world.at())
    let second = try await world.service.beginRegistration(EmailAddress("ben@raxx.app"), code: code, in: world.at())
    _ = try await world.service.finishRegistration(Person().create(first), in: world.at())
    let response = try await Person().create(second)
    await expect(.signUpCodeRefused) { _ = try await world.service.finishRegistration(response, in: world.at()) }
  }

  @Test func `with approval, a new account waits, and an invited one does not`() async throws {
    let world = try ServiceWorld({ $0.signUp = .approval })
    let ada = try Person()
    let made = try await world.signUp("ada@raxx.app", ada)
    #expect(made.account.state == .pending)
    #expect(made.opened == nil)
    await expect(.signInAccountPending) { _ = try await world.signIn("ada@raxx.app", ada) }
    try await world.service.change(made.account.handle, .approve, by: .console, in: world.at())
    let opened = try await world.signIn("ada@raxx.app", ada)
    #expect(opened.account.state == .active)
    let code = try await world.service.invite(nil, by: .console, in: world.at())
    #expect(try await world.signUp("ben@raxx.app", Person(), code: code).account.state == .active)
  }
}
