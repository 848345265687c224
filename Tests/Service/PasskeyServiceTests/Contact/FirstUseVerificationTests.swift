// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeyStorage
import Testing
import WebAuthnTypes

@testable import PasskeyService

/// Accounts whose address must be verified before the first sign-in.
struct FirstUseVerificationTests {
  @Test func `an account is created at once and signs in after its verification`() async throws {
    let world = try ServiceWorld.mailing(.beforeFirstUse)
    let ada = try Person()
    let made = try await world.signUp("ada@raxx.app", ada)
    #expect(made.opened == nil)
    let stored = try #require(await world.memory.account(made.account.handle))
    #expect(stored.awaitsVerification && stored.emailVerified == nil && stored.state == .active)
    let code = try #require(await world.takeMail(.emailVerificationRequested).code)
    let token = try #require(made.verification?.token)
    guard case .verified(let verified) = try await world.service.verifyEmail(code, token: token, in: world.at(9)) else {
      throw UnexpectedOutcome("not verified")
    }
    #expect(verified.handle == stored.handle && !verified.awaitsVerification)
    #expect(verified.emailVerified == ServiceWorld.start + .seconds(9) && verified.updated == verified.emailVerified)
    #expect(try await world.signIn("ada@raxx.app", ada, at: 10).account == verified)
  }

  @Test func `a sign-in before the verification is refused and begins another one`() async throws {
    let world = try ServiceWorld.mailing(.beforeFirstUse)
    let ada = try Person()
    _ = try await world.signUp("ada@raxx.app", ada)
    _ = try await world.takeMails()
    var refusal: ServiceError?
    do {
      _ = try await world.signIn("ada@raxx.app", ada, at: 5)
    } catch let error as ServiceError {
      refusal = error
    }
    #expect(refusal?.code == .signInEmailUnverified && refusal?.publicCode == .signInEmailUnverified)
    #expect(refusal?.signal == nil)
    let verification = try #require(refusal?.verification)
    let code = try #require(await world.takeMail(.emailVerificationRequested, at: 5).code)
    _ = try await world.service.verifyEmail(code, token: verification.token, in: world.at(6))
    _ = try await world.signIn("ada@raxx.app", ada, at: 7)
    #expect(try await world.trail.contains("session.opened!sign-in.email-unverified"))
  }

  @Test func `a stranger's passkey does not cause a mail`() async throws {
    let world = try ServiceWorld.mailing(.beforeFirstUse)
    let ada = try Person()
    _ = try await world.signUp("ada@raxx.app", ada)
    _ = try await world.takeMails()
    var response = try await ada.get(world.service.beginSignIn(EmailAddress("ada@raxx.app"), in: world.at()))
    response.signature = Array(response.signature.reversed())[...]
    let forged = response
    await expect(.signInCeremonyFailed, toOutsiders: .signInRefused) {
      _ = try await world.service.finishSignIn(forged, in: world.at())
    }
    #expect(try await world.takeMails().isEmpty)
  }

  @Test func `an administrator approves the account meanwhile`() async throws {
    let world = try ServiceWorld.mailing(.beforeFirstUse) { $0.signUp = .approval }
    let ada = try Person()
    let made = try await world.signUp("ada@raxx.app", ada)
    try await world.service.change(made.account.handle, .approve, by: .console, in: world.at(1))
    await expect(.signInEmailUnverified) { _ = try await world.signIn("ada@raxx.app", ada, at: 2) }
    let code = try #require(await world.takeMails(at: 2).last { $0.event == .emailVerificationRequested }?.code)
    // The mail of the sign-in has another code than that of the sign-up.
    await expect(.emailCodeRefused) {
      _ = try await world.service.verifyEmail(code, token: #require(made.verification?.token), in: world.at(3))
    }
  }

  @Test func `a taken address gets the same answer, and its owner another mail`() async throws {
    let world = try ServiceWorld.mailing(.beforeFirstUse)
    let first = try await world.signUp("ada@raxx.app", Person())
    let code = try #require(await world.takeMail(.emailVerificationRequested).code)
    _ = try await world.service.verifyEmail(code, token: #require(first.verification?.token), in: world.at())
    _ = try await world.takeMails()
    let taken = try await world.signUp("ada@raxx.app", Person(), at: 1)
    let free = try await world.signUp("ben@raxx.app", Person(), at: 1)
    #expect(taken.verification?.expiry == free.verification?.expiry && taken.opened == nil)
    #expect(taken.account.awaitsVerification == free.account.awaitsVerification)
    let mails = try await world.takeMails(at: 1).filter { $0.address != nil }
    #expect(
      mails.map(\.summary) == [
        "account.sign-up-attempted to ada@raxx.app", "email.verification-requested to ben@raxx.app",
      ])
    #expect(try await world.memory.passkey(taken.passkey.record.id) == nil)
  }

  @Test func `an unverified account gets codes and no other mail`() async throws {
    let world = try ServiceWorld.mailing(.beforeFirstUse, events: ["*"])
    _ = try await world.signUp("ada@raxx.app", Person())
    let mails = try await world.takeMails()
    #expect(mails.contains { $0.event == .credentialRegistered })
    #expect(mails.filter { $0.address != nil }.map(\.event) == [.emailVerificationRequested])
  }

  @Test func `accounts that await a verification are no model for decoys`() async throws {
    let world = try ServiceWorld.mailing(.beforeFirstUse)
    _ = try await world.signUp("ada@raxx.app", Person())
    #expect(try await world.memory.credentialLists(limit: 10).isEmpty)
  }

  @Test func `the verification of existing accounts is not required, and can be begun`() async throws {
    let old = try ServiceWorld()
    let ada = try Person()
    _ = try await old.signUp("ada@raxx.app", ada)
    let world = try ServiceWorld(on: old) {
      $0.destinations = [NoticeDestination(ServiceWorld.mail, events: ["email.*"])]
      $0.contact.verification = .required
    }
    let session = try await world.session(world.signIn("ada@raxx.app", ada, at: 1), at: 1)
    let begun = try await world.service.beginVerification(by: session, in: world.at(2))
    let code = try #require(await world.takeMail(.emailVerificationRequested, at: 2).code)
    _ = try await world.service.verifyEmail(code, token: begun.token, in: world.at(3))
    let now = try await world.session(world.signIn("ada@raxx.app", ada, at: 4), at: 4)
    await expect(.emailAlreadyVerified) { _ = try await world.service.beginVerification(by: now, in: world.at(5)) }
  }

  @Test func `once the policy is off, the account signs in unverified`() async throws {
    let world = try ServiceWorld.mailing(.beforeFirstUse)
    let ada = try Person()
    _ = try await world.signUp("ada@raxx.app", ada)
    let later = try ServiceWorld(on: world) { _ in }
    _ = try await later.signIn("ada@raxx.app", ada, at: 1)
  }
}
