// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeyStorage
import Testing
import WebAuthnTypes

@testable import PasskeyService

/// Sign-ups that begin with the verification of the address.
struct NewAddressTests {
  private let ada: EmailAddress

  init() throws { ada = try EmailAddress("ada@raxx.app") }

  private func begin(_ world: ServiceWorld, at seconds: Int = 0) async throws -> (token: Token, code: EmailCode) {
    let begun = try await world.service.beginSignUp(at: ada, in: world.at(seconds))
    #expect(begun.expiry == ServiceWorld.start + .seconds(seconds + 900))
    let mail = try await world.takeMail(.emailVerificationRequested, at: seconds)
    #expect(mail.address == "ada@raxx.app")
    return (begun.token, try #require(mail.code))
  }

  /// Verifies the address, and returns the code for the registration.
  private func admit(_ world: ServiceWorld, at seconds: Int = 0) async throws -> OneTimeCode {
    let (token, code) = try await begin(world, at: seconds)
    let verified = try await world.service.verifyEmail(code, token: token, in: world.at(seconds))
    guard case .admitted(let admission, let expiry) = verified else { throw UnexpectedOutcome("\(verified)") }
    #expect(expiry == ServiceWorld.start + .seconds(seconds + 900))
    return admission
  }

  @Test func `the account begins with a verified address`() async throws {
    let world = try ServiceWorld.mailing(.required)
    let code = try await admit(world)
    #expect(try await world.memory.account(email: ada) == nil)
    let made = try await world.signUp("ada@raxx.app", Person(), code: code, at: 60)
    #expect(made.opened != nil && made.verification == nil)
    #expect(made.account.emailVerified == ServiceWorld.start + .seconds(60) && made.account.roles.isEmpty)
    #expect(try await world.memory.account(made.account.handle) == made.account)
    #expect(
      try await world.trail == [
        "email.verification-requested", "email.verified", "account.created", "credential.registered", "session.opened",
        "email.verified",
      ])
    let records = try await world.memory.auditEntries(after: 0, of: nil, limit: 99).map(\.record)
    let created = try #require(records.first { $0.event == .accountCreated })
    #expect(created.details["by"] == "sign-up" && created.details["invitation"] == nil)
    // Only the verification of an account is news.
    #expect(try await world.takeMails(at: 60).count { $0.event == .emailVerified } == 1)
  }

  @Test func `the code of the registration is for its address, once, until it expires`() async throws {
    let world = try ServiceWorld.mailing(.required)
    let code = try await admit(world)
    await expect(.signUpCodeRefused) { _ = try await world.signUp("eve@raxx.app", Person(), code: code) }
    let later = try await admit(world)
    _ = try await world.signUp("ada@raxx.app", Person(), code: code, at: 900)
    await expect(.signUpCodeRefused) { _ = try await world.signUp("ada@raxx.app", Person(), code: code, at: 900) }
    await expect(.accountEmailTaken) {
      _ = try await world.signUp("ada@raxx.app", Person(), code: later, at: 900)
    }
    await expect(.signUpCodeRefused) { _ = try await world.signUp("ada@raxx.app", Person(), code: later, at: 901) }
    try await world.service.deleteExpired(at: world.at(901).time)
    #expect(try await world.memory.code(later.digest) == nil)
  }

  @Test func `the code of the mail works once, and five wrong ones end it`() async throws {
    let world = try ServiceWorld.mailing(.required)
    let (first, right) = try await begin(world)
    _ = try await world.service.verifyEmail(right, token: first, in: world.at(1))
    await expect(.emailVerificationUnknown) {
      _ = try await world.service.verifyEmail(right, token: first, in: world.at(2))
    }
    let (token, code) = try await begin(world)
    let wrong = try ServiceWorld.wrongCode(besides: code)
    for _ in 1...5 {
      await expect(.emailCodeRefused) { _ = try await world.service.verifyEmail(wrong, token: token, in: world.at(3)) }
    }
    await expect(.emailVerificationUnknown) {
      _ = try await world.service.verifyEmail(code, token: token, in: world.at(4))
    }
  }

  @Test func `of two completions at once one issues a code`() async throws {
    let world = try ServiceWorld.mailing(.required)
    let (token, code) = try await begin(world)
    let results = await withTaskGroup(of: ServiceError.Code?.self) { (group) in
      for _ in 0..<8 {
        group.addTask {
          do throws(ServiceError) {
            _ = try await world.service.verifyEmail(code, token: token, in: world.at(1))
            return nil
          } catch {
            return error.code
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.count { $0 == nil } == 1)
    #expect(results.allSatisfy { $0 == nil || $0 == .emailVerificationUnknown })
  }

  @Test func `a taken address gets the same answer after the same work, and no code is correct`() async throws {
    let world = try ServiceWorld.mailing(.required)
    _ = try await world.signUpVerified("ada@raxx.app", Person())
    let calls = { (email: String) async throws -> [String] in
      _ = world.faults.takeTransactions()
      let begun = try await world.service.beginSignUp(at: EmailAddress(email), in: world.at(5))
      #expect(begun.expiry == ServiceWorld.start + .seconds(905))
      let wrong = try #require(EmailCode("0000-0000"))
      await expect(.emailCodeRefused) {
        _ = try await world.service.verifyEmail(wrong, token: begun.token, in: world.at(6))
      }
      _ = try await world.service.resendVerification(begun.token, in: world.at(7))
      return world.faults.takeTransactions()
    }
    #expect(try await calls("ada@raxx.app") == calls("free@raxx.app"))
    let mails = [("account.sign-up-attempted", "ada"), ("email.verification-requested", "free")]
    #expect(
      try await world.takeMails(at: 7).map(\.summary)
        == mails.flatMap { (event, name) in Array(repeating: "\(event) to \(name)@raxx.app", count: 2) })
    let decoy = try await world.service.beginSignUp(at: ada, in: world.at(8))
    let record = try #require(await world.memory.emailCeremony(token: decoy.token.digest))
    #expect(record.account == nil)
    let derived = world.service.emailCode(of: record)
    await expect(.emailCodeRefused) {
      _ = try await world.service.verifyEmail(derived, token: decoy.token, in: world.at(9))
    }
  }

  @Test func `an address gets five mails an hour`() async throws {
    let world = try ServiceWorld.mailing(.required)
    for second in 0..<8 { _ = try await world.service.beginSignUp(at: ada, in: world.at(second)) }
    #expect(try await world.takeMails(at: 8).count == 5)
  }

  @Test func `a verified address does not replace an approval`() async throws {
    let world = try ServiceWorld.mailing(.required) { $0.signUp = .approval }
    let made = try await world.signUp("ada@raxx.app", Person(), code: admit(world))
    #expect(made.account.state == .pending && made.opened == nil && made.account.emailVerified != nil)
  }

  @Test func `only a policy that requires verified addresses, and no invitation, begins with a mail`() async throws {
    for rule in [ServicePolicy.Contact.EmailVerification.off, .beforeFirstUse] {
      let world = try ServiceWorld.mailing(rule)
      await expect(.emailUnavailable) { _ = try await world.service.beginSignUp(at: ada, in: world.at()) }
    }
    let world = try ServiceWorld.mailing(.required) { $0.signUp = .invitation }
    await expect(.signUpInvitationRequired) { _ = try await world.service.beginSignUp(at: ada, in: world.at()) }
    #expect(try await world.takeMails().isEmpty)
  }

  @Test func `the user name is chosen with the passkey`() async throws {
    let world = try ServiceWorld.mailing(.required) { $0.identifiers.username = .required }
    let code = try await admit(world)
    await expect(.nameRefused) { _ = try await world.signUp("ada@raxx.app", Person(), code: code) }
    let names = AccountNames(username: try Username("ada"), email: ada)
    let options = try await world.service.beginRegistration(names, code: code, in: world.at(1))
    let made = try await world.service.finishRegistration(Person().create(options), in: world.at(1))
    #expect(made.account.username?.text == "ada" && made.account.emailVerified != nil)
  }
}
