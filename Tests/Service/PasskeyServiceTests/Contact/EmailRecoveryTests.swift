// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeyStorage
import Testing
import WebAuthnTypes

@testable import PasskeyService

/// Recovery of accounts by mail.
struct EmailRecoveryTests {
  private let waiting = 72 * 3_600

  private func world(_ verification: ServicePolicy.Contact.EmailVerification = .off) throws -> ServiceWorld {
    try ServiceWorld.mailing(verification, recovery: .email(waiting: .seconds(waiting)))
  }

  private func recover(
    _ world: ServiceWorld, _ email: String = "ada@raxx.app", at seconds: Int
  ) async throws -> [SentMail] {
    try await world.service.requestRecovery(of: EmailAddress(email), in: world.at(seconds))
    return try await world.takeMails(at: seconds)
  }

  @Test func `the code from the mail registers a passkey after the waiting period`() async throws {
    let world = try world()
    let made = try await world.signUp("ada@raxx.app", Person())
    _ = try await world.takeMails()
    let mails = try await recover(world, at: 10)
    #expect(mails.map(\.summary) == ["account.recovery-requested to ada@raxx.app"])
    let code = try #require(mails.first?.recoveryCode)
    let start = ServiceWorld.start + .seconds(10 + waiting)
    #expect(mails.first?.contact.code?.start == start)
    #expect(mails.first?.contact.code?.expiry == start + .seconds(86_400))

    let found = try Person()
    let after = try await world.signUp("ada@raxx.app", found, code: code, at: 10 + waiting)
    #expect(after.account == made.account && after.opened != nil)
    await expect(.sessionUnknown) { _ = try await world.session(made.opened, at: 11) }
    await expect(.signUpCodeRefused) {
      _ = try await world.signUp("ada@raxx.app", Person(), code: code, at: 11 + waiting)
    }
    // The recovery is over, so that another one can begin.
    #expect(try await recover(world, at: 12 + waiting).map(\.event).contains(.recoveryRequested))
    #expect(try await world.trail.contains("recovery.used"))
  }

  @Test func `a code that is used too early is refused with its time`() async throws {
    let world = try world()
    _ = try await world.signUp("ada@raxx.app", Person())
    _ = try await world.takeMails()
    let code = try #require(await recover(world, at: 0).first?.recoveryCode)
    for early in [1, waiting - 1] {
      var refusal: ServiceError?
      do {
        _ = try await world.signUp("ada@raxx.app", Person(), code: code, at: early)
      } catch let error as ServiceError {
        refusal = error
      }
      #expect(refusal?.code == .signUpCodeTooEarly)
      #expect(refusal?.notBefore == ServiceWorld.start + .seconds(waiting))
    }
    // The holder of a code for another address learns nothing.
    await expect(.signUpCodeRefused) { _ = try await world.signUp("ben@raxx.app", Person(), code: code, at: 1) }
    await expect(.signUpCodeRefused) {
      _ = try await world.signUp("ada@raxx.app", Person(), code: code, at: waiting + 86_401)
    }
  }

  @Test func `repeated requests send no second code while one is pending`() async throws {
    let world = try world()
    _ = try await world.signUp("ada@raxx.app", Person())
    _ = try await world.takeMails()
    let code = try #require(await recover(world, at: 0).first?.recoveryCode)
    for seconds in [1, waiting, waiting + 86_400] { #expect(try await recover(world, at: seconds).isEmpty) }
    _ = try await world.signUp("ada@raxx.app", Person(), code: code, at: waiting + 100)
  }

  @Test func `of concurrent requests one sends a code`() async throws {
    let world = try world()
    _ = try await world.signUp("ada@raxx.app", Person())
    _ = try await world.takeMails()
    try await withThrowingTaskGroup { (group) in
      for _ in 0..<8 {
        group.addTask { try await world.service.requestRecovery(of: EmailAddress("ada@raxx.app"), in: world.at(1)) }
      }
      try await group.waitForAll()
    }
    #expect(try await world.takeMails(at: 1).count == 1)
  }

  @Test func `known and unknown addresses make the same store calls, and only known ones get mail`() async throws {
    let world = try world()
    _ = try await world.signUp("ada@raxx.app", Person())
    let disabled = try await world.signUp("ben@raxx.app", Person())
    try await world.service.change(disabled.account.handle, .disable, by: .console, in: world.at())
    _ = try await world.takeMails()
    var mails: [SentMail] = []
    for email in ["ada@raxx.app", "ben@raxx.app", "nobody@raxx.app", "ada@raxx.app", "nobody@raxx.app"] {
      _ = world.faults.takeTransactions()
      try await world.service.requestRecovery(of: EmailAddress(email), in: world.at(1))
      #expect(world.faults.takeTransactions() == ["find accounts", "write email_ceremonies"])
      mails += try await world.takeMails(at: 1)
    }
    #expect(
      mails.map(\.summary) == [
        "account.recovery-requested to ada@raxx.app", "account.recovery-requested to no address",
        "account.recovery-requested to no address",
      ])
    #expect(mails.dropFirst().allSatisfy { $0.contact.code == nil && $0.contact.account == nil })
  }

  @Test func `known and unknown addresses write the same rows`() async throws {
    let world = try world()
    _ = try await world.signUp("ada@raxx.app", Person())
    _ = try await world.takeMails()
    for email in ["ada@raxx.app", "nobody@raxx.app"] {
      try await world.service.requestRecovery(of: EmailAddress(email), in: world.at(1))
    }
    let rows = try await world.memory.database.read { (transaction) throws(StorageError) in
      try transaction.batch([
        SQLStatement("SELECT decoy, expiry FROM email_ceremonies ORDER BY decoy"),
        SQLStatement("SELECT \(IssuedCode.columns) FROM codes ORDER BY account IS NULL"),
        SQLStatement("SELECT data FROM outbox WHERE event = $1", [.utf8(NoticeEvent.recoveryRequested.rawValue)]),
      ])
    }
    try #require(rows.map(\.count) == [2, 2, 2])
    // The code for an unknown address is never correct.
    let owner = RegistrationCommit.Owner.account(try Sample.account().handle, session: nil)
    let code = try #require(try IssuedCode([rows[1][1]]))
    #expect(code.admits(owner, at: world.at(waiting + 2).time) == false)
    #expect(try rows[0][1].flag(0) && code.expiry == rows[0][1].time(1))
  }

  @Test func `with verification, only a verified address is sent a code`() async throws {
    let old = try ServiceWorld()
    _ = try await old.signUp("ada@raxx.app", Person())
    for (verification, count) in [
      (ServicePolicy.Contact.EmailVerification.off, 1), (.required, 0), (.beforeFirstUse, 0),
    ] {
      let world = try ServiceWorld(on: old) {
        $0.destinations = [NoticeDestination(ServiceWorld.mail, events: ["*"])]
        $0.contact.verification = verification
        $0.contact.recovery = .email(waiting: .zero)
      }
      let mails = try await recover(world, at: 1)
      #expect(mails.filter { $0.address != nil }.count == count)
      if let cancellation = mails.first?.cancellation {
        try await world.service.cancelRecovery(cancellation, in: world.at(2))
        _ = try await world.takeMails(at: 2)
      } else {
        try await world.service.deleteExpired(at: world.at(100_000).time)
      }
    }
    let world = try self.world(.required)
    _ = try await world.signUpVerified("ada@raxx.app", Person())
    #expect(try await recover(world, at: 1).map(\.event) == [.recoveryRequested])
  }

  @Test func `a request before the verification does not suppress one after it`() async throws {
    let world = try ServiceWorld.mailing(.required, recovery: .email(waiting: .zero))
    // An invitation is not a verified address.
    let (_, code) = try await world.service.createAccount(EmailAddress("bob@raxx.app"), by: .console, in: world.at())
    let session = try await world.session(world.signUp("bob@raxx.app", Person(), code: code).opened)
    _ = try await world.takeMails()
    #expect(try await recover(world, "bob@raxx.app", at: 1).allSatisfy { $0.address == nil })
    #expect(try await recover(world, "bob@raxx.app", at: 2).isEmpty)
    let begun = try await world.service.beginVerification(by: session, in: world.at(3))
    let mailed = try #require(await world.takeMail(.emailVerificationRequested, at: 3).code)
    _ = try await world.service.verifyEmail(mailed, token: begun.token, in: world.at(3))
    _ = try await world.takeMails(at: 3)
    #expect(
      try await recover(world, "bob@raxx.app", at: 4).map(\.summary) == ["account.recovery-requested to bob@raxx.app"])
    #expect(try await recover(world, "bob@raxx.app", at: 5).isEmpty)
  }

  @Test func `the audit trail says why a request sent no mail`() async throws {
    let world = try world()
    let ada = try await world.signUp("ada@raxx.app", Person())
    let ben = try await world.signUp("ben@raxx.app", Person())
    try await world.service.change(ben.account.handle, .disable, by: .console, in: world.at())
    let unverified = try ServiceWorld(on: world) {
      $0.destinations = [NoticeDestination(ServiceWorld.mail, events: ["*"])]
      $0.contact.verification = .required
      $0.contact.recovery = .email(waiting: .zero)
    }
    let start = try await world.trail.count
    try await unverified.service.requestRecovery(of: EmailAddress("ada@raxx.app"), in: world.at(1))
    for email in ["ben@raxx.app", "nobody@raxx.app", "ada@raxx.app", "ada@raxx.app"] {
      try await world.service.requestRecovery(of: EmailAddress(email), in: world.at(2))
    }
    let records = try await world.memory.auditEntries(after: Int64(start), of: nil, limit: 9).map(\.record)
    #expect(
      records.map(\.outcome) == [
        "sign-in.email-unverified", "sign-in.account-disabled", "account.unknown", "ok", "account.recovery-pending",
      ])
    let handles = [ada.account.handle, ben.account.handle, nil, ada.account.handle, ada.account.handle]
    #expect(records.map(\.account) == handles)
    // The notices of refused requests name no account.
    let notices = try await world.memory.outboxItems(OutboxSelection(), after: 0, limit: 99).map(\.notice)
      .filter { $0.event == .recoveryRequested }
    #expect(notices.map(\.account) == [nil, nil, nil, ada.account.handle])
  }

  @Test func `a recovery is cancelled in a session`() async throws {
    let world = try world()
    let ada = try Person()
    let session = try await world.openSession("ada@raxx.app", ada)
    await expect(.recoveryUnknown) { try await world.service.cancelRecovery(by: session, in: world.at()) }
    _ = try await world.takeMails()
    let mail = try #require(await recover(world, at: 1).first)
    try await world.service.cancelRecovery(by: session, in: world.at(2))
    #expect(try await world.takeMails(at: 2).map(\.summary) == ["account.recovery-cancelled to ada@raxx.app"])
    let code = try #require(mail.recoveryCode)
    await expect(.signUpCodeRefused) {
      _ = try await world.signUp("ada@raxx.app", Person(), code: code, at: waiting + 9)
    }
    await expect(.recoveryUnknown) { try await world.service.cancelRecovery(by: session, in: world.at(3)) }
    await expect(.recoveryUnknown) {
      try await world.service.cancelRecovery(#require(mail.cancellation), in: world.at(3))
    }
    // The mail of a cancelled recovery is not sent any more.
    #expect(try await recover(world, at: 4).count == 1)
  }

  @Test func `a recovery is cancelled with the code from the mail, and with no other`() async throws {
    let world = try world()
    _ = try await world.signUp("ada@raxx.app", Person())
    _ = try await world.takeMails()
    let mail = try #require(await recover(world, at: 1).first)
    let recovery = try #require(mail.recoveryCode)
    let cancellation = try #require(mail.cancellation)
    await expect(.recoveryUnknown) { try await world.service.cancelRecovery(recovery, in: world.at(2)) }
    // The code that cancels does not recover.
    await expect(.signUpCodeRefused) {
      _ = try await world.signUp("ada@raxx.app", Person(), code: cancellation, at: waiting + 2)
    }
    try await world.service.cancelRecovery(cancellation, in: world.at(3))
    await expect(.signUpCodeRefused) {
      _ = try await world.signUp("ada@raxx.app", Person(), code: recovery, at: waiting + 4)
    }
  }

  @Test func `a cancelled recovery whose mail was not sent yet sends nothing`() async throws {
    let world = try world()
    let session = try await world.openSession("ada@raxx.app", Person())
    _ = try await world.takeMails()
    try await world.service.requestRecovery(of: EmailAddress("ada@raxx.app"), in: world.at(1))
    try await world.service.cancelRecovery(by: session, in: world.at(2))
    let mails = try await world.takeMails(at: 3)
    #expect(
      mails.map(\.summary) == [
        "account.recovery-requested to no address", "account.recovery-cancelled to ada@raxx.app",
      ])
    #expect(mails.first?.contact.code == nil)
  }

  @Test func `an administrator's code and a recovery by mail`() async throws {
    let world = try world()
    let made = try await world.signUp("ada@raxx.app", Person())
    _ = try await world.takeMails()
    // A request by a stranger does not invalidate the administrator's code.
    let code = try await world.service.recover(made.account.handle, by: .console, in: world.at())
    let mailed = try #require(await recover(world, at: 1).first?.recoveryCode)
    _ = try await world.signUp("ada@raxx.app", Person(), code: code, at: 2)
    // A newer code of an administrator replaces the mailed one.
    _ = try await world.service.recover(made.account.handle, by: .console, in: world.at(3))
    await expect(.signUpCodeRefused) {
      _ = try await world.signUp("ada@raxx.app", Person(), code: mailed, at: waiting + 5)
    }
  }

  @Test func `changing the address ends a recovery that was mailed to the old one`() async throws {
    let world = try world()
    let ada = try Person()
    let session = try await world.openSession("ada@raxx.app", ada)
    _ = try await world.takeMails()
    let code = try #require(await recover(world, at: 1).first?.recoveryCode)
    let confirmation = try await world.confirm(ServiceWorld.action, session, ada, at: 2)
    let begun = try await world.service.changeEmail(
      to: EmailAddress("ada@new.example"), by: session, confirmation: confirmation, in: world.at(2))
    let change = try #require(await world.takeMail(.emailVerificationRequested, at: 2).code)
    _ = try await world.service.verifyEmail(change, token: begun.token, in: world.at(3))
    await expect(.signUpCodeRefused) {
      _ = try await world.signUp("ada@new.example", Person(), code: code, at: waiting + 5)
    }
  }

  @Test func `without the policy only an administrator recovers`() async throws {
    let world = try ServiceWorld.mailing(.off)
    await expect(.recoveryUnavailable) {
      try await world.service.requestRecovery(of: EmailAddress("ada@raxx.app"), in: world.at())
    }
  }
}
