// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeyStorage
import Testing
import WebAuthnTypes

@testable import PasskeyService

/// Sign-ups whose address must be verified before the account exists.
struct SignUpVerificationTests {
  @Test func `a sign-up stores no account until the code is entered`() async throws {
    let world = try ServiceWorld.mailing(.required)
    let begun = try await world.signUp("ada@raxx.app", Person())
    #expect(begun.opened == nil)
    let verification = try #require(begun.verification)
    #expect(verification.expiry == ServiceWorld.start + .seconds(900))
    #expect(try await world.memory.account(email: EmailAddress("ada@raxx.app")) == nil)
    #expect(try await world.memory.passkey(begun.passkey.record.id) == nil)
    let mails = try await world.takeMails()
    #expect(mails.map(\.summary) == ["email.verification-requested to ada@raxx.app"])
    #expect(mails.first?.contact.code?.expiry == verification.expiry)
    #expect(try await world.trail == ["email.verification-requested"])

    let code = try #require(mails.first?.code)
    let verified = try await world.service.verifyEmail(code, token: verification.token, in: world.at(60))
    guard case .registered(let registered) = verified else { throw UnexpectedOutcome("\(verified)") }
    #expect(registered.account.handle == begun.account.handle)
    #expect(registered.account.emailVerified == ServiceWorld.start + .seconds(60))
    #expect(registered.account.created == ServiceWorld.start + .seconds(60))
    #expect(registered.passkey == begun.passkey)
    #expect(try await world.memory.account(registered.account.handle) == registered.account)
    #expect(try await world.memory.passkey(begun.passkey.record.id) == begun.passkey)
    #expect(try await world.session(registered.opened, at: 61).account == registered.account)
    #expect(
      try await world.trail.dropFirst() == [
        "account.created", "credential.registered", "session.opened", "email.verified",
      ])
  }

  @Test func `the passkey of a verified sign-up signs in`() async throws {
    let world = try ServiceWorld.mailing(.required)
    let ada = try Person()
    let made = try await world.signUpVerified("ada@raxx.app", ada)
    #expect(try await world.signIn("ada@raxx.app", ada, at: 5).account == made.account)
  }

  @Test func `a code works once`() async throws {
    let world = try ServiceWorld.mailing(.required)
    let begun = try await world.signUp("ada@raxx.app", Person())
    let code = try #require(await world.takeMail(.emailVerificationRequested).code)
    let token = try #require(begun.verification?.token)
    _ = try await world.service.verifyEmail(code, token: token, in: world.at(1))
    await expect(.emailVerificationUnknown) {
      _ = try await world.service.verifyEmail(code, token: token, in: world.at(2))
    }
  }

  @Test func `of two completions at once one creates the account`() async throws {
    let world = try ServiceWorld.mailing(.required)
    let begun = try await world.signUp("ada@raxx.app", Person())
    let code = try #require(await world.takeMail(.emailVerificationRequested).code)
    let token = try #require(begun.verification?.token)
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

  @Test func `the address can be taken between begin and completion`() async throws {
    let world = try ServiceWorld.mailing(.required)
    let first = try await world.signUp("ada@raxx.app", Person())
    let code = try #require(await world.takeMail(.emailVerificationRequested).code)
    _ = try await world.signUpVerified("ada@raxx.app", Person(), at: 1)
    let token = try #require(first.verification?.token)
    // The client has proved to own the mailbox, so it is told.
    await expect(.accountEmailTaken) {
      _ = try await world.service.verifyEmail(code, token: token, in: world.at(2))
    }
    #expect(try await world.memory.passkey(first.passkey.record.id) == nil)
  }

  @Test func `a taken address gets the same answer, and its owner gets another mail`() async throws {
    let world = try ServiceWorld.mailing(.required)
    let ada = try await world.signUpVerified("ada@raxx.app", Person())
    let eve = try await world.signUp("ada@raxx.app", Person(), at: 10)
    let free = try await world.signUp("free@raxx.app", Person(), at: 10)
    #expect(eve.verification?.expiry == free.verification?.expiry)
    #expect(eve.opened == nil && eve.account.state == free.account.state)
    #expect(
      try await world.takeMails(at: 10).map(\.summary) == [
        "account.sign-up-attempted to ada@raxx.app", "email.verification-requested to free@raxx.app",
      ])
    #expect(try await world.memory.passkeys(of: ada.account.handle) == [ada.passkey])
  }

  @Test func `free and taken addresses make the same store calls`() async throws {
    for verification in [ServicePolicy.Contact.EmailVerification.required, .beforeFirstUse] {
      let world = try ServiceWorld.mailing(verification)
      let owner = try Person()
      let made = try await world.signUp("ada@raxx.app", owner)
      if verification == .required {
        let code = try #require(await world.takeMail(.emailVerificationRequested).code)
        _ = try await world.service.verifyEmail(code, token: #require(made.verification?.token), in: world.at())
      }
      let calls = { (email: String) async throws -> [String] in
        _ = world.faults.takeTransactions()
        let begun = try await world.signUp(email, Person(), at: 5)
        let token = try #require(begun.verification?.token)
        let wrong = try #require(EmailCode("0000-0000"))
        await expect(.emailCodeRefused) {
          _ = try await world.service.verifyEmail(wrong, token: token, in: world.at(6))
        }
        _ = try await world.service.resendVerification(token, in: world.at(7))
        return world.faults.takeTransactions()
      }
      #expect(try await calls("ada@raxx.app") == calls("free@raxx.app"))
    }
  }

  @Test func `no code completes the record of a taken address`() async throws {
    let world = try ServiceWorld.mailing(.required)
    _ = try await world.signUpVerified("ada@raxx.app", Person())
    let eve = try await world.signUp("ada@raxx.app", Person(), at: 1)
    let token = try #require(eve.verification?.token)
    let record = try #require(await world.memory.emailCeremony(token: token.digest))
    // Even the code that the key gives is refused.
    let derived = world.service.emailCode(of: record)
    await expect(.emailCodeRefused) { _ = try await world.service.verifyEmail(derived, token: token, in: world.at(2)) }
  }

  @Test func `a verified account waits for approval if the policy requires that`() async throws {
    let world = try ServiceWorld.mailing(.required) { $0.signUp = .approval }
    let made = try await world.signUpVerified("ada@raxx.app", Person())
    #expect(made.account.state == .pending && made.opened == nil && made.account.emailVerified != nil)
  }

  @Test func `a taken user name is refused at once, and names an address only later`() async throws {
    let world = try ServiceWorld.mailing(.required) { $0.identifiers.username = .required }
    let names = { (username: String, email: String) in
      AccountNames(username: try Username(username), email: try EmailAddress(email))
    }
    let begun = try await world.service.beginRegistration(names("ada", "ada@raxx.app"), in: world.at())
    let first = try await world.service.finishRegistration(Person().create(begun), in: world.at())
    let code = try #require(await world.takeMail(.emailVerificationRequested).code)
    let token = try #require(first.verification?.token)
    guard case .registered(let ada) = try await world.service.verifyEmail(code, token: token, in: world.at()) else {
      throw UnexpectedOutcome("not registered")
    }
    #expect(ada.account.username?.text == "ada" && ada.account.email?.text == "ada@raxx.app")
    let options = try await world.service.beginRegistration(names("Ada", "eve@raxx.app"), in: world.at(1))
    let response = try await Person().create(options)
    await expect(.signUpUsernameTaken) { _ = try await world.service.finishRegistration(response, in: world.at(1)) }
  }

  @Test func `an account without an address is created at once`() async throws {
    let world = try ServiceWorld.mailing(.required) {
      $0.identifiers.username = .required
      $0.identifiers.email = .optional
    }
    let names = AccountNames(username: try Username("ada"))
    let options = try await world.service.beginRegistration(names, in: world.at())
    let made = try await world.service.finishRegistration(Person().create(options), in: world.at())
    #expect(made.opened != nil && made.verification == nil)
  }

  @Test func `adding a passkey needs no verification`() async throws {
    let world = try ServiceWorld.mailing(.required)
    let ada = try Person()
    let session = try await world.session(world.signUpVerified("ada@raxx.app", ada).opened)
    let confirmation = try await world.confirm(session, ada)
    let options = try await world.service.beginRegistration(for: session, confirmation: confirmation, in: world.at(1))
    let added = try await world.service.finishRegistration(Person().create(options), session: session, in: world.at(1))
    #expect(added.verification == nil && added.account == session.account)
  }

  @Test func `a pending registration survives its encoding`() throws {
    let account = try Sample.account("ada@raxx.app", roles: [.administrator])
    for reason in [nil, "no anchors"] {
      var passkey = try Sample.passkey(of: account.handle, signCount: 3)
      passkey.attestation.reason = reason
      for code in [nil, try Sample.identifier()] as [TokenDigest?] {
        let pending = PendingSignUp(account, passkey, code: code, language: code == nil ? nil : "de")
        #expect(PendingSignUp(parsing: pending.encoded) == pending)
        #expect(PendingSignUp(parsing: pending.encoded.dropLast()) == nil)
      }
    }
    #expect(PendingSignUp(parsing: []) == nil)
  }
}

extension PendingSignUp {
  fileprivate init?(parsing bytes: some Sequence<UInt8>) { self.init(parsing: Array(bytes)) }
}
