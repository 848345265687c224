// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeyStorage
import Testing
import WebAuthnTypes

@testable import PasskeyService

/// Attacks on the verification of addresses.
struct EmailAttackTests {
  private func begun(
    _ world: ServiceWorld, _ email: String = "ada@raxx.app", at seconds: Int = 0
  ) async throws -> (token: Token, code: EmailCode) {
    let made = try await world.signUp(email, Person(), at: seconds)
    let code = try #require(await world.takeMail(.emailVerificationRequested, at: seconds).code)
    return (try #require(made.verification?.token), code)
  }

  @Test func `five wrong codes end a verification`() async throws {
    let world = try ServiceWorld.mailing(.required)
    let (token, code) = try await begun(world)
    let wrong = try ServiceWorld.wrongCode(besides: code)
    var left: [Int?] = []
    for attempt in 1...5 {
      do {
        _ = try await world.service.verifyEmail(wrong, token: token, in: world.at(attempt))
      } catch {
        #expect(error.code == .emailCodeRefused)
        left.append(error.attemptsLeft)
      }
    }
    #expect(left == [4, 3, 2, 1, 0])
    await expect(.emailVerificationUnknown) {
      _ = try await world.service.verifyEmail(code, token: token, in: world.at(6))
    }
    #expect(try await world.trail.count { $0 == "email.verified!email.code-refused" } == 5)
  }

  @Test func `concurrent guesses share the attempts`() async throws {
    let world = try ServiceWorld.mailing(.required)
    let (token, code) = try await begun(world)
    let wrong = try ServiceWorld.wrongCode(besides: code)
    let codes = await withTaskGroup(of: ServiceError.Code?.self) { (group) in
      for _ in 0..<40 {
        group.addTask {
          do throws(ServiceError) {
            _ = try await world.service.verifyEmail(wrong, token: token, in: world.at(1))
            return nil
          } catch {
            return error.code
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(codes.count { $0 == .emailCodeRefused } == 5)
    #expect(codes.count { $0 == .emailVerificationUnknown } == 35)
  }

  @Test func `attempts survive a repeated mail`() async throws {
    let world = try ServiceWorld.mailing(.required)
    let (token, code) = try await begun(world)
    let wrong = try ServiceWorld.wrongCode(besides: code)
    for _ in 1...4 {
      await expect(.emailCodeRefused) { _ = try await world.service.verifyEmail(wrong, token: token, in: world.at(1)) }
    }
    _ = try await world.service.resendVerification(token, in: world.at(2))
    await expect(.emailCodeRefused) { _ = try await world.service.verifyEmail(wrong, token: token, in: world.at(3)) }
    await expect(.emailVerificationUnknown) {
      _ = try await world.service.verifyEmail(code, token: token, in: world.at(4))
    }
  }

  @Test func `a code needs its token, and a token its code`() async throws {
    let world = try ServiceWorld.mailing(.required)
    let ada = try await begun(world)
    let eve = try await begun(world, "eve@raxx.app")
    await expect(.emailCodeRefused) {
      _ = try await world.service.verifyEmail(ada.code, token: eve.token, in: world.at(1))
    }
    await expect(.emailCodeRefused) {
      _ = try await world.service.verifyEmail(eve.code, token: ada.token, in: world.at(1))
    }
    let forged = try Token(at: ServiceWorld.start, random: .system)
    await expect(.emailVerificationUnknown) {
      _ = try await world.service.verifyEmail(ada.code, token: forged, in: world.at(1))
    }
    _ = try await world.service.verifyEmail(ada.code, token: ada.token, in: world.at(2))
  }

  @Test func `the cancellation code of a recovery is no token`() async throws {
    let world = try ServiceWorld.mailing(.off, recovery: .email(waiting: .zero))
    _ = try await world.signUp("ada@raxx.app", Person())
    try await world.service.requestRecovery(of: EmailAddress("ada@raxx.app"), in: world.at())
    let items = try await world.memory.outboxItems(OutboxSelection(), after: 0, limit: 9)
    let id = try #require(items.compactMap(\.notice.emailCeremony).first)
    let record = try #require(await world.memory.emailCeremony(id))
    // A client cannot present the stored hash, and no token hashes to a code's hash.
    await expect(.emailVerificationUnknown) {
      _ = try await world.service.verifyEmail(
        world.service.emailCode(of: record), token: #require(Token("\(record.token)")), in: world.at())
    }
  }

  @Test func `an expired code is refused`() async throws {
    let world = try ServiceWorld.mailing(.required)
    let (token, code) = try await begun(world)
    await expect(.emailVerificationUnknown) {
      _ = try await world.service.verifyEmail(code, token: token, in: world.at(901))
    }
    await expect(.emailVerificationUnknown) { _ = try await world.service.resendVerification(token, in: world.at(901)) }
    try await world.service.deleteExpired(at: world.at(901).time)
    #expect(try await world.memory.emailCeremony(token: token.digest) == nil)
  }

  @Test func `a repeated mail has the same code, and prolongs it up to an hour`() async throws {
    let world = try ServiceWorld.mailing(.required)
    let (token, code) = try await begun(world)
    var expiry = ServiceWorld.start
    for seconds in [600, 1_400, 2_200, 3_000, 3_400] {
      expiry = try await world.service.resendVerification(token, in: world.at(seconds)).expiry
    }
    #expect(expiry == ServiceWorld.start + .seconds(3_600))
    let mails = try await world.takeMails(at: 3_500)
    #expect(mails.allSatisfy { $0.code?.exposedText == code.exposedText })
    _ = try await world.service.verifyEmail(code, token: token, in: world.at(3_600))
  }

  @Test func `an address gets a limited number of mails in an hour, with the same answers`() async throws {
    let world = try ServiceWorld.mailing(.required)
    var mails = 0
    for seconds in 0..<9 {
      let begun = try await world.signUp("ada@raxx.app", Person(), at: seconds)
      #expect(begun.verification?.expiry == ServiceWorld.start + .seconds(seconds + 900))
      mails += try await world.takeMails(at: seconds).count
    }
    #expect(mails == 5)
    // Another address has a limit of its own, and the period ends.
    _ = try await world.signUp("ben@raxx.app", Person(), at: 9)
    #expect(try await world.takeMails(at: 9).compactMap(\.address) == ["ben@raxx.app"])
    _ = try await world.signUp("ada@raxx.app", Person(), at: 3_601)
    #expect(try await world.takeMails(at: 3_601).compactMap(\.address) == ["ada@raxx.app"])
  }

  @Test func `the owner of a taken address gets a limited number of mails`() async throws {
    let world = try ServiceWorld.mailing(.required)
    _ = try await world.signUpVerified("ada@raxx.app", Person())
    for seconds in 1...9 { _ = try await world.signUp("ada@raxx.app", Person(), at: seconds) }
    // One of the five was the code for the account.
    #expect(try await world.takeMails(at: 10).map(\.event) == Array(repeating: .signUpAttempted, count: 4))
  }

  @Test func `the count of mails contains no address, and each address has one`() throws {
    let world = try ServiceWorld.mailing(.required)
    let keys = try ["ada@raxx.app", "ben@raxx.app", "ada@raxx.app"].map {
      world.service.mailLimit(of: try EmailAddress($0), at: world.at().time).key
    }
    #expect(keys[0] == keys[2] && keys[0] != keys[1])
    #expect(keys.allSatisfy { $0.utf8.count == 43 && !$0.contains("@") })
  }

  @Test(arguments: [ServicePolicy.Contact.EmailVerification.required, .beforeFirstUse])
  func `mails of sign-ups have the rank of strangers, and codes of users the first`(
    rule: ServicePolicy.Contact.EmailVerification
  ) async throws {
    let world = try ServiceWorld.mailing(rule, recovery: .email(waiting: .zero))
    let ada = try Person()
    // A free and a taken address, a repeated mail, and an unknown one.
    let token = try #require(await world.signUp("ada@raxx.app", ada).verification?.token)
    _ = try await world.service.resendVerification(token, in: world.at())
    let code = try #require(await world.mails().last?.code)
    _ = try await world.service.verifyEmail(code, token: token, in: world.at())
    _ = try await world.signUp("ada@raxx.app", Person())
    try await world.service.requestRecovery(of: EmailAddress("nobody@raxx.app"), in: world.at())
    #expect(try await world.mails().map(\.rank) == Array(repeating: .stranger, count: 4))
    _ = try await world.takeMails()

    let session = try await world.session(world.signIn("ada@raxx.app", ada, at: 1), at: 1)
    let confirmation = try await world.confirm(ServiceWorld.action, session, ada, at: 1)
    _ = try await world.service.changeEmail(
      to: EmailAddress("ada@new.example"), by: session, confirmation: confirmation, in: world.at(1))
    try await world.service.requestRecovery(of: EmailAddress("ada@raxx.app"), in: world.at(1))
    #expect(try await world.mails().map(\.rank) == [.code, .code])
  }

  @Test func `a deliverer that dies after its claim loses no code`() async throws {
    let world = try ServiceWorld.mailing(.required)
    let begun = try await world.signUp("ada@raxx.app", Person())
    let claim = { (owner: UInt8, seconds: Int) async throws -> [OutboxItem] in
      try await world.service.claim(
        OutboxClaim(
          ServiceWorld.mail, by: DelivererID(unchecked: [UInt8](repeating: owner, count: 8)), limit: 9,
          at: world.at(seconds).time, until: world.at(seconds + 60).time))
    }
    let lost = try await claim(1, 0)
    let again = try await claim(2, 61)
    #expect(lost.map(\.notice) == again.map(\.notice) && again.count == 1)
    let notice = try #require(again.first?.notice)
    let contact = try await world.service.contact(of: notice, withDevices: false, at: world.at(61).time)
    let code = try #require(contact.code.flatMap { EmailCode($0.exposedText) })
    _ = try await world.service.verifyEmail(code, token: #require(begun.verification?.token), in: world.at(62))
  }

  @Test func `a store that fails in the commit leaves the code valid`() async throws {
    let world = try ServiceWorld.mailing(.required)
    let (token, code) = try await begun(world)
    world.faults.fail(with: StorageError(.unavailable), in: "INSERT INTO passkeys")
    await expect(.storageUnavailable) { _ = try await world.service.verifyEmail(code, token: token, in: world.at(1)) }
    world.faults.fail(with: nil)
    _ = try await world.service.verifyEmail(code, token: token, in: world.at(2))
  }

  @Test func `erasing an account ends its verifications and recoveries`() async throws {
    let world = try ServiceWorld.mailing(.off, recovery: .email(waiting: .zero))
    let ada = try Person()
    let session = try await world.openSession("ada@raxx.app", ada)
    _ = try await world.takeMails()
    let begun = try await world.service.beginVerification(by: session, in: world.at(1))
    try await world.service.requestRecovery(of: EmailAddress("ada@raxx.app"), in: world.at(1))
    let confirmation = try await world.confirm(ServiceWorld.action, session, ada, at: 1)
    let change = try await world.service.changeEmail(
      to: EmailAddress("ada@new.example"), by: session, confirmation: confirmation, in: world.at(1))
    let mails = try await world.takeMails(at: 1)
    try await world.service.erase(session.account.handle, by: .console, in: world.at(2))
    for token in [begun.token, change.token] {
      #expect(try await world.memory.emailCeremony(token: token.digest) == nil)
    }
    let recovery = try #require(mails.first { $0.event == .recoveryRequested })
    #expect(try await world.memory.code(#require(recovery.recoveryCode).digest) == nil)
    #expect(try await world.memory.emailCeremony(token: #require(recovery.cancellation).digest) == nil)
  }

  @Test func `disabling an account ends its verifications and recoveries`() async throws {
    let world = try ServiceWorld.mailing(.off, recovery: .email(waiting: .zero))
    let session = try await world.openSession("ada@raxx.app", Person())
    let begun = try await world.service.beginVerification(by: session, in: world.at(1))
    try await world.service.requestRecovery(of: EmailAddress("ada@raxx.app"), in: world.at(1))
    let mails = try await world.takeMails(at: 1)
    try await world.service.change(session.account.handle, .disable, by: .console, in: world.at(2))
    #expect(try await world.memory.emailCeremony(token: begun.token.digest) == nil)
    let code = try #require(mails.compactMap(\.recoveryCode).first)
    await expect(.signUpCodeRefused) { _ = try await world.signUp("ada@raxx.app", Person(), code: code, at: 3) }
  }

  @Test func `notices, audit records and errors have no address and no code`() async throws {
    let world = try ServiceWorld.mailing(.required, recovery: .email(waiting: .zero), events: ["*"])
    let ada = try Person()
    let made = try await world.signUpVerified("ada@raxx.app", ada)
    _ = try await world.signUp("ada@raxx.app", Person(), at: 1)
    try await world.service.requestRecovery(of: EmailAddress("ada@raxx.app"), in: world.at(2))
    let session = try await world.session(made.opened, at: 3)
    let confirmation = try await world.confirm(ServiceWorld.action, session, ada, at: 3)
    let begun = try await world.service.changeEmail(
      to: EmailAddress("ada@new.example"), by: session, confirmation: confirmation, in: world.at(3))
    let items = try await world.memory.outboxItems(OutboxSelection(), after: 0, limit: 99)
    let mails = try await world.takeMails(at: 3)
    let code = try #require(mails.last { $0.event == .emailVerificationRequested }?.code)
    var texts: [String] = []
    do {
      _ = try await world.service.verifyEmail(
        ServiceWorld.wrongCode(besides: code), token: begun.token, in: world.at(4))
    } catch {
      texts.append("\(error)")
    }
    _ = try await world.service.verifyEmail(code, token: begun.token, in: world.at(4))
    texts += (items + (try await world.memory.outboxItems(OutboxSelection(), after: 0, limit: 99))).map {
      String(decoding: $0.notice.data, as: UTF8.self)
    }
    let entries = try await world.memory.auditEntries(after: 0, of: nil, limit: 999)
    texts += entries.map { String(decoding: $0.record.encoded, as: UTF8.self) }
    #expect(entries.flatMap(\.personalDetails).allSatisfy { $0.value == ServiceWorld.address })
    let secrets = mails.compactMap(\.contact.code).flatMap {
      [$0.exposedText, $0.exposedCancellation].compactMap(\.self)
    }
    #expect(secrets.count == 3 && texts.count > 20)
    for text in texts {
      #expect(!text.contains("raxx.app") && !text.contains("new.example"))
      for secret in secrets {
        #expect(!text.contains(secret) && !text.contains(secret.filter { $0 != "-" }))
      }
    }
  }
}

extension ServiceWorld {
  /// The ranks and codes of the waiting mails that ceremonies or strangers cause, oldest first.
  fileprivate func mails() async throws -> [(rank: NoticeRank, code: EmailCode?)] {
    var mails: [(rank: NoticeRank, code: EmailCode?)] = []
    for item in try await memory.outboxItems(OutboxSelection(destination: Self.mail), after: 0, limit: 99)
    where NoticeEvent.withCeremony.union([.signUpAttempted]).contains(item.notice.event) {
      let contact = try await service.contact(of: item.notice, withDevices: false, at: at().time)
      mails.append((item.notice.rank, contact.code.flatMap { EmailCode($0.exposedText) }))
    }
    return mails
  }
}
