// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeyStorage
import Testing
import WebAuthnAuthenticator
import WebAuthnTypes

@testable import PasskeyService

/// The policy for a counter that does not increase and for a changed backup flag.
struct SignalPolicyTests {
  /// Ada's device was cloned, and her device has counted further than the clone.
  private static func cloned(
    _ policy: ServicePolicy.Signals
  ) async throws -> (ServiceWorld, ada: Person, copy: Person) {
    let world = try ServiceWorld({ $0.cloneSignal = policy })
    let ada = try Person(Person.counting)
    _ = try await world.signUp("ada@raxx.app", ada)
    let copy = try Person(cloning: ada)
    _ = try await world.signIn("ada@raxx.app", ada, at: 1)
    _ = try await world.signIn("ada@raxx.app", ada, at: 2)
    return (world, ada, copy)
  }

  @Test func `a clone is reported`() async throws {
    let (world, _, copy) = try await Self.cloned(.report)
    let opened = try await world.signIn("ada@raxx.app", copy, at: 3)
    let passkey = try await world.memory.passkeys(of: opened.account.handle).first
    #expect(passkey?.cloneSignal == ServiceWorld.start + .seconds(3))
    #expect(passkey?.isDisabled == false)
    #expect(try await world.trail.suffix(2) == ["credential.clone-suspected", "session.opened"])
    let entry = try await world.memory.auditEntries(after: 0, of: nil, limit: 99).suffix(2).first
    #expect(entry?.record.details["stored"] == "2")
    #expect(entry?.record.details["received"] == "1")
  }

  @Test func `a clone is refused`() async throws {
    let (world, ada, copy) = try await Self.cloned(.refuse)
    await expect(.signInCloneSuspected, toOutsiders: .signInRefused) {
      _ = try await world.signIn("ada@raxx.app", copy, at: 3)
    }
    #expect(
      try await world.trail.suffix(2) == ["credential.clone-suspected", "session.opened!sign-in.clone-suspected"])
    _ = try await world.signIn("ada@raxx.app", ada, at: 4)
  }

  @Test func `a clone disables the passkey, and ends all sessions`() async throws {
    let (world, ada, copy) = try await Self.cloned(.disable)
    let opened = try await world.signIn("ada@raxx.app", ada, at: 3)
    await expect(.signInCloneSuspected, toOutsiders: .signInRefused) {
      _ = try await world.signIn("ada@raxx.app", copy, at: 3)
    }
    await expect(.sessionUnknown) { _ = try await world.session(opened, at: 4) }
    #expect(try await world.memory.passkeys(of: opened.account.handle).first?.isDisabled == true)
    #expect(
      try await world.trail.suffix(3) == [
        "credential.clone-suspected", "credential.disabled", "session.opened!sign-in.clone-suspected",
      ])
    await expect(.signInCredentialDisabled, toOutsiders: .signInRefused) { _ = try await world.signIn(nil, ada, at: 5) }
  }

  @Test(arguments: ServicePolicy.Signals.allCases)
  func `a passkey whose backup eligibility changes is handled by the policy`(
    policy: ServicePolicy.Signals
  ) async throws {
    let world = try ServiceWorld({ $0.backupSignal = policy })
    let ada = try Person()
    // The stored credential is marked as not eligible for backup, as before it moved.
    let options = try await world.service.beginRegistration(EmailAddress("ada@raxx.app"), in: world.at())
    let response = try await ada.create(options)
    let made = try await world.service.finishRegistration(response, in: world.at())
    _ = try await world.memory.erase(made.account.handle, spending: nil, audit: [])
    var passkey = made.passkey
    passkey.record.backupEligible = false
    passkey.record.backupState = false
    let account = made.account
    _ = try await world.memory.register(
      RegistrationCommit(
        owner: .newAccount(account), passkey: passkey, code: nil, opening: nil, maximumPasskeyCount: 9,
        time: ServiceWorld.start, audit: []))
    switch policy {
    case .report:
      _ = try await world.signIn("ada@raxx.app", ada, at: 3)
      let stored = try await world.memory.passkeys(of: account.handle).first
      #expect(stored?.backupSignal == ServiceWorld.start + .seconds(3))
      #expect(stored?.record.backupState == true)
      #expect(
        try await world.trail.suffix(3) == [
          "credential.backup-eligibility-changed", "credential.backup-state-changed", "session.opened",
        ])
    case .refuse, .disable:
      await expect(.signInBackupEligibilityChanged, toOutsiders: .signInRefused) {
        _ = try await world.signIn("ada@raxx.app", ada, at: 3)
      }
      #expect(
        try await world.memory.passkeys(of: account.handle).first?.isDisabled == (policy == .disable))
      #expect(try await world.trail.contains("credential.backup-eligibility-changed"))
    }
  }

  @Test func `a changed backup state is recorded`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    let made = try await world.signUp("ada@raxx.app", ada)
    try VaultOwner(of: ada.vault).setBackedUp(false, made.passkey.record.id)
    _ = try await world.signIn("ada@raxx.app", ada)
    #expect(try await world.memory.passkey(made.passkey.record.id)?.record.backupState == false)
    #expect(try await world.trail.suffix(2) == ["credential.backup-state-changed", "session.opened"])
  }
}
