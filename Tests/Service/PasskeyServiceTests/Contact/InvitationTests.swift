// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeyStorage
import Testing
import WebAuthnTypes

@testable import PasskeyService

/// Invitations: by mail or printed, for an address or for anyone.
struct InvitationTests {
  private func world(
    _ verification: ServicePolicy.Contact.EmailVerification = .required,
    recovery: ServicePolicy.Contact.EmailRecovery = .email(waiting: .zero)
  ) throws -> ServiceWorld {
    try ServiceWorld.mailing(verification, recovery: recovery) {
      $0.signUp = .invitation
      $0.contact.invitations = .email
    }
  }

  private let ada: EmailAddress

  init() throws { ada = try EmailAddress("ada@raxx.app") }

  /// Mails an invitation, and returns the code of the mail.
  private func invite(_ world: ServiceWorld, roles: Set<Role> = []) async throws -> OneTimeCode {
    let expiry = try await world.service.inviteByMail(ada, roles: roles, by: .console, in: world.at())
    #expect(expiry == ServiceWorld.start + .seconds(7 * 86_400))
    let mail = try await world.takeMail(.accountInvited)
    #expect(mail.address == "ada@raxx.app" && mail.contact.code?.expiry == expiry)
    return try #require(mail.recoveryCode)
  }

  @Test func `a mailed invitation, accepted, verifies the address`() async throws {
    for verification in ServicePolicy.Contact.EmailVerification.allCases {
      let world = try world(verification)
      let code = try await invite(world, roles: [Role(rawValue: "trader")])
      let made = try await world.signUp("ada@raxx.app", Person(), code: code, at: 60)
      #expect(made.opened != nil && made.verification == nil)
      #expect(made.account.emailVerified == ServiceWorld.start + .seconds(60))
      #expect(made.account.roles == [Role(rawValue: "trader")])
      #expect(try await world.memory.account(made.account.handle) == made.account)
      #expect(!world.service.lacksRecovery(made.account))
      #expect(
        try await world.trail == [
          "invitation.issued", "account.created", "credential.registered", "session.opened", "email.verified",
        ])
      // The recovery by mail works at once.
      _ = try await world.takeMails(at: 60)
      try await world.service.requestRecovery(of: ada, in: world.at(61))
      #expect(
        try await world.takeMails(at: 61).map(\.summary) == ["account.recovery-requested to ada@raxx.app"])
    }
  }

  @Test func `a mailed invitation is for its address only`() async throws {
    let world = try world()
    let code = try await invite(world)
    await expect(.signUpCodeRefused) { _ = try await world.signUp("eve@raxx.app", Person(), code: code) }
  }

  @Test func `a mailed invitation works once, and its address is not kept afterwards`() async throws {
    let world = try world()
    let code = try await invite(world)
    #expect(try await world.memory.emailCeremony(token: code.digest)?.email == ada)
    let first = try await world.service.beginRegistration(ada, code: code, in: world.at())
    let second = try await world.service.beginRegistration(ada, code: code, in: world.at())
    let responses = (try await Person().create(first), try await Person().create(second))
    _ = try await world.service.finishRegistration(responses.0, in: world.at(1))
    await expect(.signUpCodeRefused) { _ = try await world.service.finishRegistration(responses.1, in: world.at(1)) }
    #expect(try await world.memory.emailCeremony(token: code.digest) == nil)
    await expect(.signUpCodeRefused) { _ = try await world.signUp("ada@raxx.app", Person(), code: code, at: 2) }
  }

  @Test func `of two registrations at once one uses a mailed invitation`() async throws {
    let world = try world()
    let code = try await invite(world)
    let begun = [
      try await world.service.beginRegistration(ada, code: code, in: world.at()),
      try await world.service.beginRegistration(ada, code: code, in: world.at()),
    ]
    let results = try await withThrowingTaskGroup(of: ServiceError.Code?.self) { (group) in
      for options in begun {
        let response = try await Person().create(options)
        group.addTask {
          do throws(ServiceError) {
            _ = try await world.service.finishRegistration(response, in: world.at(1))
            return nil
          } catch {
            return error.code
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.count { $0 == nil } == 1 && results.contains(.signUpCodeRefused))
  }

  @Test func `an expired invitation is neither mailed nor accepted`() async throws {
    let world = try world()
    let code = try await invite(world)
    let end = 7 * 86_400
    _ = try await world.service.inviteByMail(ada, by: .console, in: world.at())
    #expect(try await world.takeMails(at: end + 1).allSatisfy { $0.address == nil && $0.contact.code == nil })
    await expect(.signUpCodeRefused) {
      _ = try await world.signUp("ada@raxx.app", Person(), code: code, at: end + 1)
    }
    try await world.service.deleteExpired(at: world.at(end + 1).time)
    #expect(try await world.memory.emailCeremony(token: code.digest) == nil)
  }

  @Test func `the notice of an invitation has no address, and waits for no stranger's mails`() async throws {
    let world = try world()
    _ = try await world.service.inviteByMail(ada, by: .console, in: world.at())
    let notice = try #require(await world.memory.outboxItems(OutboxSelection(), after: 0, limit: 9).first?.notice)
    #expect(notice.rank == .notice && notice.account == nil)
    let data = String(decoding: notice.data, as: UTF8.self)
    #expect(data.hasPrefix(#"{"ceremony":""#) && !data.contains("raxx"))
    let record = try #require(await world.memory.auditEntries(after: 0, of: nil, limit: 9).first)
    #expect(!record.record.details.values.contains { $0.contains("@") } && record.personalDetails.isEmpty == false)
  }

  @Test func `without mail, an invitation is not mailed`() async throws {
    let world = try ServiceWorld { $0.signUp = .invitation }
    await expect(.emailUnavailable) {
      _ = try await world.service.inviteByMail(ada, by: .console, in: world.at())
    }
    #expect(throws: ServiceError.self) { try ServiceWorld { $0.contact.invitations = .email } }
  }

  @Test func `a printed invitation for an address does not verify it, and the owner cannot recover by mail`()
    async throws
  {
    let world = try world()
    let code = try await world.service.invite(ada, by: .console, in: world.at())
    let made = try await world.signUp("ada@raxx.app", Person(), code: code)
    #expect(made.opened != nil && made.account.emailVerified == nil)
    #expect(world.service.lacksRecovery(made.account))
    // The account has the address of the invitation; another one needs a code that is mailed to it.
    let other = try await world.service.invite(EmailAddress("ben@raxx.app"), by: .console, in: world.at())
    await expect(.signUpCodeRefused) { _ = try await world.signUp("eve@raxx.app", Person(), code: other) }
    let byAdministrator = try self.world(recovery: .administrator)
    #expect(!byAdministrator.service.lacksRecovery(made.account))
  }

  @Test func `an invitation for anyone leads to a verification, which spends it`() async throws {
    let world = try world()
    let code = try await world.service.invite(nil, roles: [.administrator], by: .console, in: world.at())
    let begun = try await world.signUp("ada@raxx.app", Person(), code: code)
    let token = try #require(begun.verification?.token)
    #expect(begun.opened == nil)
    #expect(try await world.memory.account(email: ada) == nil)
    let mailed = try #require(await world.takeMail(.emailVerificationRequested).code)
    guard case .registered(let made) = try await world.service.verifyEmail(mailed, token: token, in: world.at(1)) else {
      throw UnexpectedOutcome("not registered")
    }
    #expect(made.account.emailVerified != nil && made.account.roles == [.administrator] && made.opened != nil)
    let record = try #require(
      await world.memory.auditEntries(after: 0, of: nil, limit: 99).map(\.record).first { $0.event == .accountCreated })
    #expect(record.details["by"] == "invitation")
    await expect(.signUpCodeRefused) { _ = try await world.signUp("eve@raxx.app", Person(), code: code, at: 2) }
  }

  @Test func `of two verifications with one invitation the first creates an account`() async throws {
    let world = try world()
    let code = try await world.service.invite(nil, by: .console, in: world.at())
    var begun: [(token: Token, code: EmailCode)] = []
    for email in ["ada@raxx.app", "ben@raxx.app"] {
      let token = try #require(await world.signUp(email, Person(), code: code).verification?.token)
      begun.append((token, try #require(await world.takeMail(.emailVerificationRequested).code)))
    }
    _ = try await world.service.verifyEmail(begun[1].code, token: begun[1].token, in: world.at(1))
    await expect(.signUpCodeRefused) {
      _ = try await world.service.verifyEmail(begun[0].code, token: begun[0].token, in: world.at(2))
    }
    #expect(try await world.memory.account(email: ada) == nil)
  }

  @Test func `before the first use, an account of an invitation for anyone waits for its verification`() async throws {
    let world = try world(.beforeFirstUse)
    let code = try await world.service.invite(nil, by: .console, in: world.at())
    let person = try Person()
    let made = try await world.signUp("ada@raxx.app", person, code: code)
    #expect(made.verification != nil && made.opened == nil && made.account.awaitsVerification)
    await expect(.signInEmailUnverified) { _ = try await world.signIn("ada@raxx.app", person, at: 1) }
  }

  @Test func `an address that another person has taken is not taken by an invitation`() async throws {
    let world = try world()
    let code = try await invite(world)
    let (_, first) = try await world.service.createAccount(ada, by: .console, in: world.at(1))
    _ = try await world.signUp("ada@raxx.app", Person(), code: first, at: 1)
    await expect(.signUpEmailTaken, toOutsiders: .signUpRefused) {
      _ = try await world.signUp("ada@raxx.app", Person(), code: code, at: 2)
    }
  }
}
