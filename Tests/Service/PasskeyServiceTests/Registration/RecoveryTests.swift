// SPDX-License-Identifier: Apache-2.0

import PasskeyServiceTestSupport
import PasskeyStorage
import Testing
import WebAuthnTypes

@testable import PasskeyService

/// Registration of a passkey with a recovery code.
struct RecoveryTests {
  @Test func `a recovery code adds one passkey to its account`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    let lost = try await world.signUp("ada@raxx.app", ada)
    _ = try await world.signUp("ben@raxx.app", Person())
    let code = try await world.service.recover(lost.account.handle, by: .console, in: world.at())
    await expect(.signUpCodeRefused) {
      _ = try await world.service.beginRegistration(EmailAddress("ben@raxx.app"), code: code, in: world.at())
    }
    await expect(.signUpCodeRefused) {
      _ = try await world.service.beginRegistration(EmailAddress("new@raxx.app"), code: code, in: world.at())
    }
    let options = try await world.service.beginRegistration(EmailAddress("ada@raxx.app"), code: code, in: world.at())
    #expect(options.user.id == lost.account.handle)
    #expect(options.excludeCredentials.map(\.id) == [lost.passkey.record.id])
    let found = try Person()
    let made = try await world.service.finishRegistration(found.create(options), in: world.at())
    #expect(made.account == lost.account)
    #expect(made.opened != nil)
    #expect(try await world.memory.passkeys(of: lost.account.handle).count == 2)
    await expect(.signUpCodeRefused) {
      _ = try await world.service.beginRegistration(EmailAddress("ada@raxx.app"), code: code, in: world.at())
    }
    #expect(try await world.signIn("ada@raxx.app", found).account == lost.account)
    #expect(try await world.trail.suffix(4).prefix(2) == ["recovery.used", "credential.registered"])
  }

  @Test func `a recovery ends every session, and disables old passkeys if configured`() async throws {
    for disables in [false, true] {
      let world = try ServiceWorld({ $0.recoveryDisablesPasskeys = disables })
      let thief = try Person()
      let taken = try await world.signUp("ada@raxx.app", thief)
      let other = try await world.signIn("ada@raxx.app", thief, at: 1)
      let code = try await world.service.recover(taken.account.handle, by: .console, in: world.at(2))
      let made = try await world.signUp("ada@raxx.app", Person(), code: code, at: 3)
      for ended in [taken.opened, other] {
        await expect(.sessionUnknown) { _ = try await world.session(ended, at: 4) }
      }
      _ = try await world.session(made.opened, at: 4)
      let passkeys = try await world.memory.passkeys(of: taken.account.handle)
      #expect(passkeys.map(\.isDisabled) == [disables, false])
      if disables {
        await expect(.signInCredentialDisabled, toOutsiders: .signInRefused) {
          _ = try await world.signIn(nil, thief, at: 5)
        }
      } else {
        _ = try await world.signIn(nil, thief, at: 5)
      }
      let used = try await world.memory.auditEntries(after: 0, of: nil, limit: 99).map(\.record)
        .first { $0.event == .recoveryUsed }
      #expect(used?.details == ["sessions": "ended", "passkeys": disables ? "disabled" : "kept"])
    }
  }

  @Test func `the first passkey of an administrator's account is no recovery`() async throws {
    let world = try ServiceWorld.mailing(.off, events: ["*"])
    let name = try EmailAddress("ada@raxx.app")
    let (account, code) = try await world.service.createAccount(name, by: .console, in: world.at())
    let made = try await world.signUp("ada@raxx.app", Person(), code: code, at: 1)
    #expect(made.account == account && made.opened != nil)
    let events = try await world.takeMails(at: 1).map(\.event)
    #expect(events.contains(.credentialRegistered) && !events.contains(.accountRecovered))
    let records = { try await world.memory.auditEntries(after: 0, of: nil, limit: 99).map(\.record) }
    #expect(try await records().last { $0.event == .recoveryUsed }?.details == ["passkeys": "first"])
    // A code for an account that had a passkey recovers it.
    let recovery = try await world.service.recover(account.handle, by: .console, in: world.at(2))
    _ = try await world.signUp("ada@raxx.app", Person(), code: recovery, at: 3)
    #expect(try await world.takeMails(at: 3).map(\.event).contains(.accountRecovered))
    await expect(.sessionUnknown) { _ = try await world.session(made.opened, at: 4) }
  }

  @Test func `the code for a first passkey ends with a recovery`() async throws {
    let world = try ServiceWorld.mailing(.off, recovery: .email(waiting: .zero), events: ["*"])
    let name = try EmailAddress("ada@raxx.app")
    let (_, first) = try await world.service.createAccount(name, by: .console, in: world.at())
    try await world.service.requestRecovery(of: name, in: world.at(1))
    let mailed = try #require(await world.takeMail(.recoveryRequested, at: 1).recoveryCode)
    let made = try await world.signUp("ada@raxx.app", Person(), code: mailed, at: 2)
    await expect(.signUpCodeRefused) {
      _ = try await world.service.beginRegistration(name, code: first, in: world.at(3))
    }
    _ = try await world.session(made.opened, at: 4)
  }

  @Test func `a newer recovery code replaces an older one, and a disabled account cannot recover`() async throws {
    let world = try ServiceWorld()
    let made = try await world.signUp("ada@raxx.app", Person())
    let older = try await world.service.recover(made.account.handle, by: .console, in: world.at())
    let newer = try await world.service.recover(made.account.handle, by: .console, in: world.at())
    await expect(.signUpCodeRefused) {
      _ = try await world.service.beginRegistration(EmailAddress("ada@raxx.app"), code: older, in: world.at())
    }
    let options = try await world.service.beginRegistration(EmailAddress("ada@raxx.app"), code: newer, in: world.at())
    let response = try await Person().create(options)
    world.faults.beforeWrite { (memory) in
      // Disabling the account deletes its code, and issuing the code again does not help.
      let code = try? await memory.code(newer.digest)
      _ = try? await memory.change(made.account.handle, .disable, at: ServiceWorld.start, spending: nil, audit: [])
      if let code { _ = try? await memory.issue(code, spending: nil, audit: []) }
    }
    await expect(.signUpAccountRefused, toOutsiders: .signUpRefused) {
      _ = try await world.service.finishRegistration(response, in: world.at())
    }
  }
}
