// SPDX-License-Identifier: Apache-2.0

import PasskeyServiceTestSupport
import PasskeyStorage
import Testing
import WebAuthnTypes

@testable import PasskeyService

/// Registration with an address or a credential ID that is already taken.
struct SignUpAddressTests {
  @Test func `a taken address is not revealed at the beginning, and refused at the end`() async throws {
    let world = try ServiceWorld()
    let first = try await world.signUp("ada@raxx.app", Person())
    let eve = try Person()
    let options = try await world.service.beginRegistration(EmailAddress("ada@raxx.app"), in: world.at())
    #expect(options.user.id != first.account.handle)
    #expect(options.excludeCredentials.isEmpty)
    let response = try await eve.create(options)
    await expect(.signUpEmailTaken, toOutsiders: .signUpRefused) {
      _ = try await world.service.finishRegistration(response, in: world.at())
    }
    #expect(try await world.memory.passkeys(of: first.account.handle) == [first.passkey])
    #expect(try await world.memory.passkey(response.id) == nil)
  }

  @Test func `with approval, a taken address gets the same answer as a free one`() async throws {
    let world = try ServiceWorld { $0.signUp = .approval }
    let first = try await world.signUp("ada@raxx.app", Person())
    let before = try await world.trail.count
    let eve = try Person()
    let taken = try await world.signUp("ada@raxx.app", eve)
    #expect(taken.account.email == first.account.email && taken.account.handle != first.account.handle)
    #expect(taken.account.state == .pending && taken.opened == nil)
    // Only the audit record was stored, in one transaction as for an available address.
    #expect(try await world.memory.account(email: EmailAddress("ada@raxx.app")) == first.account)
    #expect(try await world.memory.account(taken.account.handle) == nil)
    #expect(try await world.memory.passkey(taken.passkey.record.id) == nil)
    #expect(try await Array(world.trail.dropFirst(before)) == ["credential.registered!sign-up.email-taken"])
    let calls = { (email: String, person: Person) async throws -> [String] in
      _ = world.faults.takeTransactions()
      _ = try await world.signUp(email, person)
      return world.faults.takeTransactions()
    }
    #expect(try await calls("ada@raxx.app", Person()) == calls("free@raxx.app", Person()))
  }

  @Test func `beginning a sign-up makes the same store calls for any address`() async throws {
    let world = try ServiceWorld()
    _ = try await world.signUp("ada@raxx.app", Person())
    var calls: [[String]] = []
    for email in ["ada@raxx.app", "nobody@raxx.app"] {
      _ = world.faults.takeTransactions()
      _ = try await world.service.beginRegistration(EmailAddress(email), in: world.at())
      calls.append(world.faults.takeTransactions())
    }
    #expect(calls == [["find accounts"], ["find accounts"]])
  }

  @Test func `a registered credential id is refused`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    let made = try await world.signUp("ada@raxx.app", ada)
    let options = try await world.service.beginRegistration(EmailAddress("ben@raxx.app"), in: world.at())
    var response = try await ada.create(options)
    response.id = made.passkey.record.id
    let stolen = response
    await expect(.signUpCeremonyFailed, toOutsiders: .signUpRefused) {
      _ = try await world.service.finishRegistration(stolen, in: world.at())
    }
    #expect(try await world.memory.passkey(made.passkey.record.id) == made.passkey)
  }

  @Test func `a credential id registered concurrently is refused`() async throws {
    let world = try ServiceWorld()
    let options = try await world.service.beginRegistration(EmailAddress("ben@raxx.app"), in: world.at())
    let response = try await Person().create(options)
    world.faults.beforeWrite { (memory) in
      // A concurrent registration of the same ID commits first.
      guard let email = try? EmailAddress("eve@raxx.app"), let handle = try? UserHandle([9]) else { return }
      let record = CredentialRecord(
        id: response.id, publicKey: [1], signCount: 0, uvInitialized: true, transports: [], backupEligible: false,
        backupState: false)
      let passkey = Passkey(
        user: handle, record: record, name: .unnamed, aaguid: .zero,
        attestation: Passkey.AttestationSummary(format: .none, type: "none", trust: .none), created: ServiceWorld.start)
      _ = try? await memory.register(
        RegistrationCommit(
          owner: .newAccount(Account(handle: handle, email: email, state: .active, created: ServiceWorld.start)),
          passkey: passkey, code: nil, opening: nil, maximumPasskeyCount: 1, time: ServiceWorld.start, audit: []))
    }
    await expect(.signUpCredentialKnown, toOutsiders: .signUpRefused) {
      _ = try await world.service.finishRegistration(response, in: world.at())
    }
  }
}
