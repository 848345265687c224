// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeyStorage
import Testing
import WebAuthnTypes

@testable import PasskeyService

/// Changes of the address of a signed-in account.
struct EmailChangeTests {
  private let ada: Person
  private let world: ServiceWorld
  private let session: AuthenticatedSession

  init() async throws {
    ada = try Person()
    world = try ServiceWorld.mailing(.off)
    session = try await world.openSession("ada@raxx.app", ada)
    _ = try await world.takeMails()
  }

  private func change(to email: String, at seconds: Int = 1) async throws -> StartedVerification {
    let confirmation = try await world.confirm(ServiceWorld.action, session, ada, at: seconds)
    return try await world.service.changeEmail(
      to: EmailAddress(email), by: session, confirmation: confirmation, in: world.at(seconds))
  }

  @Test func `a change informs the old address at once and both when it is done`() async throws {
    let begun = try await change(to: "ada@new.example")
    let mails = try await world.takeMails(at: 1)
    #expect(
      mails.map(\.summary) == [
        "email.change-requested to ada@raxx.app", "email.verification-requested to ada@new.example",
      ])
    #expect(try await world.memory.account(session.account.handle)?.email?.text == "ada@raxx.app")
    let code = try #require(mails.last?.code)
    guard case .changed(let changed) = try await world.service.verifyEmail(code, token: begun.token, in: world.at(2))
    else { throw UnexpectedOutcome("not changed") }
    #expect(changed.handle == session.account.handle && changed.email?.text == "ada@new.example")
    #expect(changed.emailVerified == ServiceWorld.start + .seconds(2))
    #expect(
      Set(try await world.takeMails(at: 2).map(\.summary)) == [
        "email.changed to ada@new.example", "email.replaced to ada@raxx.app",
      ])
    // The account signs in under its new address, and the old one is free.
    #expect(try await world.signIn("ada@new.example", ada, at: 3).account == changed)
    #expect(try await world.memory.account(email: EmailAddress("ada@raxx.app")) == nil)
    _ = try await world.signUp("ada@raxx.app", Person(), at: 4)
  }

  @Test func `a replaced address is forgotten a day later`() async throws {
    let begun = try await change(to: "ada@new.example")
    let code = try #require(await world.takeMails(at: 1).last?.code)
    _ = try await world.service.verifyEmail(code, token: begun.token, in: world.at(2))
    let notice = try #require(await world.memory.outboxItems(OutboxSelection(), after: 0, limit: 9).map(\.notice).last)
    #expect(notice.event == .emailReplaced)
    let day = world.at(86_403).time
    #expect(try await world.service.contact(of: notice, withDevices: false, at: day).email == nil)
    let id = try #require(notice.emailCeremony)
    #expect(try await world.memory.emailCeremony(id) != nil)
    try await world.service.deleteExpired(at: day)
    #expect(try await world.memory.emailCeremony(id) == nil)
  }

  @Test func `a change needs a confirmation, which it spends`() async throws {
    let email = try EmailAddress("ada@new.example")
    let none = PresentedConfirmation(of: ServiceWorld.action, grant: nil)
    await expect(.stepUpRequired) {
      _ = try await world.service.changeEmail(to: email, by: session, confirmation: none, in: world.at())
    }
    let spent = try await world.confirm(session, ada)
    _ = try await world.service.changeEmail(to: email, by: session, confirmation: spent, in: world.at())
    await expect(.stepUpGrantRefused) {
      _ = try await world.service.changeEmail(to: email, by: session, confirmation: spent, in: world.at())
    }
    #expect(try await world.trail.count { $0 == "email.change-requested" } == 1)
  }

  @Test func `a taken address gets the same answer and calls, and its owner a mail`() async throws {
    _ = try await world.signUp("ben@raxx.app", Person())
    _ = try await world.takeMails()
    var calls: [[String]] = []
    var expiries: Set<UnixTime> = []
    for email in ["ben@raxx.app", "free@raxx.app"] {
      let confirmation = try await world.confirm(session, ada)
      _ = world.faults.takeTransactions()
      let begun = try await world.service.changeEmail(
        to: EmailAddress(email), by: session, confirmation: confirmation, in: world.at())
      calls.append(world.faults.takeTransactions())
      expiries.insert(begun.expiry)
    }
    #expect(calls == [["find accounts", "write grants"], ["find accounts", "write grants"]] && expiries.count == 1)
    #expect(
      try await world.takeMails().map(\.summary) == [
        "email.change-requested to ada@raxx.app", "account.sign-up-attempted to ben@raxx.app",
        "email.change-requested to ada@raxx.app", "email.verification-requested to free@raxx.app",
      ])
  }

  @Test func `a later change replaces an earlier one`() async throws {
    let first = try await change(to: "typo@new.example")
    let code = try #require(await world.takeMails(at: 1).last?.code)
    _ = try await change(to: "ada@new.example", at: 2)
    await expect(.emailVerificationUnknown) {
      _ = try await world.service.verifyEmail(code, token: first.token, in: world.at(3))
    }
  }

  @Test func `an address that is taken meanwhile is refused, and the account keeps its own`() async throws {
    let begun = try await change(to: "new@raxx.app")
    let code = try #require(await world.takeMails(at: 1).last?.code)
    _ = try await world.signUp("new@raxx.app", Person(), at: 2)
    await expect(.accountEmailTaken) {
      _ = try await world.service.verifyEmail(code, token: begun.token, in: world.at(3))
    }
    #expect(try await world.memory.account(session.account.handle) == session.account)
  }

  @Test func `the present address is refused, and the confirmation is kept`() async throws {
    let confirmation = try await world.confirm(session, ada)
    await expect(.accountEmailTaken) {
      _ = try await world.service.changeEmail(
        to: EmailAddress("Ada@Raxx.app"), by: session, confirmation: confirmation, in: world.at())
    }
    _ = try await world.service.changeEmail(
      to: EmailAddress("ada@new.example"), by: session, confirmation: confirmation, in: world.at())
  }

  @Test func `a code that nobody would mail is not begun`() async throws {
    let quiet = try ServiceWorld()
    let session = try await quiet.openSession("ada@raxx.app", ada)
    let confirmation = try await quiet.confirm(session, ada)
    await expect(.emailUnavailable) {
      _ = try await quiet.service.changeEmail(
        to: EmailAddress("ada@new.example"), by: session, confirmation: confirmation, in: quiet.at())
    }
    await expect(.emailUnavailable) { _ = try await quiet.service.beginVerification(by: session, in: quiet.at()) }
  }

  @Test func `an account without an address gets one`() async throws {
    let world = try ServiceWorld.mailing(.off) {
      $0.identifiers.username = .required
      $0.identifiers.email = .optional
    }
    let options = try await world.service.beginRegistration(
      AccountNames(username: Username("ada")), in: world.at())
    let made = try await world.service.finishRegistration(ada.create(options), in: world.at())
    let session = try await world.session(made.opened)
    await expect(.nameRefused) { _ = try await world.service.beginVerification(by: session, in: world.at()) }
    let confirmation = try await world.confirm(session, ada)
    let begun = try await world.service.changeEmail(
      to: EmailAddress("ada@raxx.app"), by: session, confirmation: confirmation, in: world.at())
    let code = try #require(await world.takeMail(.emailVerificationRequested).code)
    guard case .changed(let account) = try await world.service.verifyEmail(code, token: begun.token, in: world.at())
    else { throw UnexpectedOutcome("not changed") }
    #expect(account.username?.text == "ada" && account.email?.text == "ada@raxx.app")
    #expect(
      try await world.takeMails().filter { $0.address != nil }.map(\.summary) == ["email.changed to ada@raxx.app"])
  }
}
