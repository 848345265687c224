// SPDX-License-Identifier: Apache-2.0

import COSE
import PasskeyStorage
import ServiceTestSupport
import SystemCrypto
import Testing
import WebAuthnAuthenticator
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import PasskeyService

struct RegistrationVerbTests {
  @Test func `whoever comes makes an account, a passkey and a session at once`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    let options = try await world.service.beginRegistration(EmailAddress("Ada@Raxx.app"), in: world.at())
    #expect(options.user.name == "ada@raxx.app")
    #expect(options.user.id.bytes.count == 32)
    #expect(options.excludeCredentials.isEmpty)
    let made = try await world.service.finishRegistration(
      ada.create(options), name: CredentialName("Phone"), in: world.at(1))
    #expect(made.account.state == .active)
    #expect(made.account.email.text == "ada@raxx.app")
    #expect(made.account.handle == options.user.id)
    #expect(made.account.roles.isEmpty)
    let session = try await world.session(made.opened, at: 2)
    #expect(session.account == made.account)
    let passkeys = try await world.service.passkeys(of: session)
    #expect(passkeys == [made.passkey])
    #expect(passkeys.first?.name.text == "Phone")
    #expect(passkeys.first?.attestation.trust == AttestationSummary.Trust.none)
    #expect(passkeys.first?.aaguid == .passkeySoftware)
    #expect(try await world.trail == ["account.created", "credential.registered", "session.opened"])
  }

  @Test func `whoever makes an account while signed in to another gets a session of the new one`() async throws {
    let world = try ServiceWorld()
    let ada = try await world.settle("ada@raxx.app", Person())
    let options = try await world.service.beginRegistration(EmailAddress("ben@raxx.app"), in: world.at())
    let made = try await world.service.finishRegistration(Person().create(options), session: ada, in: world.at())
    #expect(try await world.session(made.opened).account.email.text == "ben@raxx.app")
  }

  @Test func `an attestation's worth is kept and recorded`() async throws {
    let world = try ServiceWorld()
    let made = try await world.signUp("ada@raxx.app", Person(Person.counting))
    #expect(made.passkey.attestation == AttestationSummary(format: .packed, type: "self", trust: .self))
    let entries = try await world.memory.auditEntries(after: 0, of: nil, limit: 9)
    #expect(entries[1].record.details["trust"] == "self")
    #expect(entries[1].record.details["attestation"] == "packed")
  }

  @Test func `of the transports that a client names, as many are kept as there can be`() async throws {
    let world = try ServiceWorld()
    let options = try await world.service.beginRegistration(EmailAddress("ada@raxx.app"), in: world.at())
    var response = try await Person().create(options)
    let names = ["", String(repeating: "x", count: 33), "usb"] + (0..<5000).map { "unheard-\($0)" }
    response.transports = names.map { AuthenticatorTransport(rawValue: $0) }
    let long = response
    let made = try await world.service.finishRegistration(long, in: world.at())
    let kept = ["usb"] + (0..<7).map { "unheard-\($0)" }
    #expect(made.passkey.record.transports.map(\.rawValue) == kept)
    // Anybody is told of them who names the address.
    let request = try await world.service.beginSignIn(EmailAddress("ada@raxx.app"), in: world.at())
    #expect(request.allowCredentials.map { $0.transports.map(\.rawValue) } == [kept])
  }

  @Test func `a registration is finished once, also when it failed`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    let options = try await world.service.beginRegistration(EmailAddress("ada@raxx.app"), in: world.at())
    let response = try await ada.create(options)
    var elsewhere = ada
    elsewhere.origin = "https://evil.example"
    let phished = try await elsewhere.create(options)
    await expect(.signUpCeremonyFailed, toOutsiders: .signUpRefused) {
      _ = try await world.service.finishRegistration(phished, in: world.at())
    }
    await expect(.signUpCeremonyUnknown) { _ = try await world.service.finishRegistration(response, in: world.at()) }
    #expect(try await world.trail == ["credential.registered!registration.origin-mismatch"])
    await expect(.accountUnknown) {
      _ = try await world.service.account(EmailAddress("ada@raxx.app"), by: .console)
    }
  }

  @Test func `a registration that took too long is over`() async throws {
    let world = try ServiceWorld()
    let options = try await world.service.beginRegistration(EmailAddress("ada@raxx.app"), in: world.at())
    let response = try await Person().create(options)
    await expect(.signUpCeremonyUnknown) {
      _ = try await world.service.finishRegistration(response, in: world.at(301))
    }
    await expect(.signUpCeremonyUnknown) { _ = try await world.service.finishRegistration(response, in: world.at()) }
  }

  @Test func `a registration is finished in the browser in which it was begun`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    for binding in [nil, CeremonyBinding([2])] {
      let options = try await world.service.beginRegistration(
        EmailAddress("ada@raxx.app"), binding: CeremonyBinding([1]), in: world.at())
      let response = try await ada.create(options)
      await expect(.signUpCeremonyUnknown) {
        _ = try await world.service.finishRegistration(response, binding: binding, in: world.at())
      }
    }
    let options = try await world.service.beginRegistration(
      EmailAddress("ada@raxx.app"), binding: CeremonyBinding([1]), in: world.at())
    let made = try await world.service.finishRegistration(
      ada.create(options), binding: CeremonyBinding([1]), in: world.at())
    #expect(made.opened != nil)
    let unbound = try await ada.create(world.service.beginRegistration(EmailAddress("ben@raxx.app"), in: world.at()))
    await expect(.signUpCeremonyUnknown) {
      _ = try await world.service.finishRegistration(unbound, binding: CeremonyBinding([1]), in: world.at())
    }
    // What is added in a session is tied by that.
    let session = try await world.session(made.opened)
    let addition = try await world.service.beginRegistration(
      for: session, confirmation: world.confirm(session, ada), in: world.at())
    _ = try await world.service.finishRegistration(
      Person().create(addition), binding: CeremonyBinding([1]), session: session, in: world.at())
  }

  @Test func `an address that has an account is not told at the beginning, and refused at the end`() async throws {
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

  @Test func `where accounts wait for approval, a taken address is answered as a free one`() async throws {
    let world = try ServiceWorld { $0.signUp = .approval }
    let first = try await world.signUp("ada@raxx.app", Person())
    let before = try await world.trail.count
    let eve = try Person()
    let taken = try await world.signUp("ada@raxx.app", eve)
    #expect(taken.account.email == first.account.email && taken.account.handle != first.account.handle)
    #expect(taken.account.state == .pending && taken.opened == nil)
    // Nothing was stored but the record, in one transaction as for a free address.
    #expect(try await world.memory.account(email: EmailAddress("ada@raxx.app")) == first.account)
    #expect(try await world.memory.account(taken.account.handle) == nil)
    #expect(try await world.memory.passkey(taken.passkey.record.id) == nil)
    #expect(try await Array(world.trail.dropFirst(before)) == ["credential.registered!sign-up.email-taken"])
    let calls = { (email: String, person: Person) async throws -> [String] in
      _ = world.storage.takeCalls()
      _ = try await world.signUp(email, person)
      return world.storage.takeCalls().filter { !$0.lowercased().contains("lists") }
    }
    #expect(try await calls("ada@raxx.app", Person()) == calls("free@raxx.app", Person()))
  }

  @Test func `beginning to sign up asks the store the same, whoever has the address`() async throws {
    let world = try ServiceWorld()
    _ = try await world.signUp("ada@raxx.app", Person())
    var calls: [[String]] = []
    for email in ["ada@raxx.app", "nobody@raxx.app"] {
      _ = world.storage.takeCalls()
      _ = try await world.service.beginRegistration(EmailAddress(email), in: world.at())
      calls.append(world.storage.takeCalls())
    }
    #expect(calls == [["account", "keep"], ["account", "keep"]])
  }

  @Test func `what somebody has begun under an address goes with its account`() async throws {
    let world = try ServiceWorld()
    let made = try await world.signUp("ada@raxx.app", Person())
    let options = try await world.service.beginRegistration(EmailAddress("ada@raxx.app"), in: world.at())
    let response = try await Person().create(options)
    try await world.service.erase(made.account.handle, by: .console, in: world.at())
    await expect(.signUpCeremonyUnknown) { _ = try await world.service.finishRegistration(response, in: world.at()) }
  }

  @Test func `a credential that somebody has is refused`() async throws {
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

  @Test func `a credential that somebody registers in between is refused`() async throws {
    let world = try ServiceWorld()
    let options = try await world.service.beginRegistration(EmailAddress("ben@raxx.app"), in: world.at())
    let response = try await Person().create(options)
    world.storage.meddle { (memory) in
      // Somebody's registration of the same id comes first.
      guard let email = try? EmailAddress("eve@raxx.app"), let handle = try? UserHandle([9]) else { return }
      let record = CredentialRecord(
        id: response.id, publicKey: [1], signCount: 0, uvInitialized: true, transports: [], backupEligible: false,
        backupState: false)
      let passkey = Passkey(
        user: handle, record: record, name: .unnamed, aaguid: .zero,
        attestation: AttestationSummary(format: .none, type: "none", trust: .none), created: ServiceWorld.start)
      _ = try? await memory.register(
        RegistrationCommit(
          owner: .newAccount(Account(handle: handle, email: email, state: .active, created: ServiceWorld.start)),
          passkey: passkey, code: nil, opening: nil, maximumPasskeyCount: 1, time: ServiceWorld.start, audit: []))
    }
    await expect(.signUpCredentialKnown, toOutsiders: .signUpRefused) {
      _ = try await world.service.finishRegistration(response, in: world.at())
    }
  }

  @Test func `by invitation nobody makes an account without a code`() async throws {
    let world = try ServiceWorld({ $0.signUp = .invitation })
    await expect(.signUpInvitationRequired) {
      _ = try await world.service.beginRegistration(EmailAddress("ada@raxx.app"), in: world.at())
    }
    let code = try await world.service.invite(
      EmailAddress("ada@raxx.app"), roles: [Role(rawValue: "trader")], by: .console, in: world.at())
    await expect(.signUpCodeRefused) {
      _ = try await world.service.beginRegistration(EmailAddress("ben@raxx.app"), code: code, in: world.at())
    }
    let wrong = try OneTimeCode(random: .system)
    await expect(.signUpCodeRefused) {
      _ = try await world.service.beginRegistration(EmailAddress("ada@raxx.app"), code: wrong, in: world.at())
    }
    await expect(.signUpCodeRefused) {
      _ = try await world.service.beginRegistration(
        EmailAddress("ada@raxx.app"), code: code, in: world.at(7 * 86_400 + 1))
    }
    let made = try await world.signUp("ada@raxx.app", Person(), code: code)
    #expect(made.account.roles == [Role(rawValue: "trader")])
    #expect(made.opened != nil)
    await expect(.signUpCodeRefused) {
      _ = try await world.service.beginRegistration(EmailAddress("cora@raxx.app"), code: code, in: world.at())
    }
  }

  @Test func `an invitation makes one account, whoever begins with it`() async throws {
    let world = try ServiceWorld({ $0.signUp = .invitation })
    let code = try await world.service.invite(nil, by: .console, in: world.at())
    let first = try await world.service.beginRegistration(EmailAddress("ada@raxx.app"), code: code, in: world.at())
    let second = try await world.service.beginRegistration(EmailAddress("ben@raxx.app"), code: code, in: world.at())
    _ = try await world.service.finishRegistration(Person().create(first), in: world.at())
    let response = try await Person().create(second)
    await expect(.signUpCodeRefused) { _ = try await world.service.finishRegistration(response, in: world.at()) }
  }

  @Test func `where accounts are approved, a new one waits, and an invited one does not`() async throws {
    let world = try ServiceWorld({ $0.signUp = .approval })
    let ada = try Person()
    let made = try await world.signUp("ada@raxx.app", ada)
    #expect(made.account.state == .pending)
    #expect(made.opened == nil)
    await expect(.signInAccountPending) { _ = try await world.signIn("ada@raxx.app", ada) }
    try await world.service.change(made.account.handle, .approve, by: .console, in: world.at())
    let opened = try await world.signIn("ada@raxx.app", ada)
    #expect(opened.account.state == .active)
    let code = try await world.service.invite(nil, by: .console, in: world.at())
    #expect(try await world.signUp("ben@raxx.app", Person(), code: code).account.state == .active)
  }

  @Test func `a recovery code gives one more passkey to the account that it is for`() async throws {
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

  @Test func `a recovery ends every session, and disables the old passkeys where the policy says so`() async throws {
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

  @Test func `a newer recovery code ends an older one, and a disabled account gets no passkey`() async throws {
    let world = try ServiceWorld()
    let made = try await world.signUp("ada@raxx.app", Person())
    let older = try await world.service.recover(made.account.handle, by: .console, in: world.at())
    let newer = try await world.service.recover(made.account.handle, by: .console, in: world.at())
    await expect(.signUpCodeRefused) {
      _ = try await world.service.beginRegistration(EmailAddress("ada@raxx.app"), code: older, in: world.at())
    }
    let options = try await world.service.beginRegistration(EmailAddress("ada@raxx.app"), code: newer, in: world.at())
    let response = try await Person().create(options)
    world.storage.meddle { (memory) in
      // Its code goes with that; another one would not do either.
      let code = try? await memory.code(newer.digest)
      _ = try? await memory.change(made.account.handle, .disable, spending: nil, audit: [])
      if let code { _ = try? await memory.issue(code, spending: nil, audit: []) }
    }
    await expect(.signUpAccountRefused, toOutsiders: .signUpRefused) {
      _ = try await world.service.finishRegistration(response, in: world.at())
    }
  }

  @Test func `a passkey is added in a session, with a confirmation, which is spent`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    let session = try await world.settle("ada@raxx.app", ada)
    let none = PresentedConfirmation(of: ServiceWorld.action, grant: nil)
    await expect(.stepUpRequired) {
      _ = try await world.service.beginRegistration(for: session, confirmation: none, in: world.at())
    }
    let confirmation = try await world.confirm(session, ada)
    let options = try await world.service.beginRegistration(for: session, confirmation: confirmation, in: world.at())
    #expect(options.user.id == session.account.handle)
    #expect(options.excludeCredentials.count == 1)
    await expect(.stepUpGrantRefused) {
      _ = try await world.service.beginRegistration(for: session, confirmation: confirmation, in: world.at())
    }
    let second = try Person()
    let made = try await world.service.finishRegistration(second.create(options), session: session, in: world.at())
    #expect(made.opened == nil)
    #expect(try await world.service.passkeys(of: session).count == 2)
    #expect(try await world.signIn("ada@raxx.app", second).account == session.account)
  }

  @Test func `a passkey that is added is finished in the session in which it was begun`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    let session = try await world.settle("ada@raxx.app", ada)
    let other = try await world.session(world.signIn("ada@raxx.app", ada))
    let eve = try await world.settle("eve@raxx.app", Person())
    for wrong in [nil, other, eve] {
      let confirmation = try await world.confirm(session, ada)
      let options = try await world.service.beginRegistration(
        for: session, confirmation: confirmation, in: world.at())
      let response = try await Person().create(options)
      await expect(.signUpCeremonyUnknown) {
        _ = try await world.service.finishRegistration(response, session: wrong, in: world.at())
      }
    }
    let options = try await world.service.beginRegistration(
      for: session, confirmation: world.confirm(session, ada), in: world.at())
    let response = try await Person().create(options)
    try await world.service.revoke(session.session.id, by: session, in: world.at())
    await expect(.sessionUnknown) {
      _ = try await world.service.finishRegistration(response, session: session, in: world.at())
    }
    #expect(try await world.memory.passkeys(of: session.account.handle).count == 1)
  }

  @Test func `an account has no more passkeys than it may, but for one that was lost`() async throws {
    let world = try ServiceWorld({ $0.maximumPasskeyCount = 1 })
    let ada = try Person()
    let session = try await world.settle("ada@raxx.app", ada)
    let confirmation = try await world.confirm(session, ada)
    await expect(.credentialTooMany) {
      _ = try await world.service.beginRegistration(for: session, confirmation: confirmation, in: world.at())
    }
    let code = try await world.service.recover(session.account.handle, by: .console, in: world.at())
    let recovered = try await world.session(world.signUp("ada@raxx.app", Person(), code: code).opened)
    #expect(try await world.service.passkeys(of: recovered).count == 2)
  }

  @Test func `a sign-in or a step-up is no registration`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    let session = try await world.settle("ada@raxx.app", ada)
    for options in [
      try await world.service.beginSignIn(EmailAddress("ada@raxx.app"), in: world.at()),
      try await world.service.beginStepUp(for: ServiceWorld.action, by: session, in: world.at()),
    ] {
      let asked = CreationOptions(
        relyingParty: RelyingPartyEntity(id: try RelyingPartyID("raxx.app"), name: "Raxx"),
        user: UserEntity(id: session.account.handle, name: "ada", displayName: "ada"), challenge: options.challenge,
        credentialParameters: [CredentialParameters(algorithm: .es256)])
      let response = try await Person().create(asked)
      await expect(.signUpCeremonyUnknown) {
        _ = try await world.service.finishRegistration(response, session: session, in: world.at())
      }
    }
  }

  @Test func `a response without client data is refused before anything is taken`() async throws {
    let world = try ServiceWorld()
    let options = try await world.service.beginRegistration(EmailAddress("ada@raxx.app"), in: world.at())
    let response = try await Person().create(options)
    var malformed = response
    malformed.clientDataJSON = [UInt8]("{".utf8)[...]
    let wrong = malformed
    await expect(.signUpCeremonyFailed, toOutsiders: .signUpRefused) {
      _ = try await world.service.finishRegistration(wrong, in: world.at())
    }
    _ = try await world.service.finishRegistration(response, in: world.at())
  }
}
