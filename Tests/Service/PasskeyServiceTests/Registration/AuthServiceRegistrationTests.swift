// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyServiceTestSupport
import PasskeyStorage
import Testing
import WebAuthnAuthenticator
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import PasskeyService

/// Registration of a new account with its first passkey.
struct AuthServiceRegistrationTests {
  @Test func `a sign-up creates an account, a passkey and a session`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    let options = try await world.service.beginRegistration(EmailAddress("Ada@Raxx.app"), in: world.at())
    #expect(options.user.name == "ada@raxx.app")
    #expect(options.user.id.bytes.count == 32)
    #expect(options.excludeCredentials.isEmpty)
    let made = try await world.service.finishRegistration(
      ada.create(options), name: Passkey.Name("Phone"), in: world.at(1))
    #expect(made.account.state == .active)
    #expect(made.account.name == "ada@raxx.app")
    #expect(made.account.handle == options.user.id)
    #expect(made.account.roles.isEmpty)
    let session = try await world.session(made.opened, at: 2)
    #expect(session.account == made.account)
    let passkeys = try await world.service.passkeys(of: session)
    #expect(passkeys == [made.passkey])
    #expect(passkeys.first?.name.text == "Phone")
    #expect(passkeys.first?.attestation.trust == Passkey.AttestationSummary.Trust.none)
    #expect(passkeys.first?.aaguid == .passkeySoftware)
    #expect(try await world.trail == ["account.created", "credential.registered", "session.opened"])
  }

  @Test func `a sign-up during another session opens a session of the new account`() async throws {
    let world = try ServiceWorld()
    let ada = try await world.openSession("ada@raxx.app", Person())
    let options = try await world.service.beginRegistration(EmailAddress("ben@raxx.app"), in: world.at())
    let made = try await world.service.finishRegistration(Person().create(options), session: ada, in: world.at())
    #expect(try await world.session(made.opened).account.name == "ben@raxx.app")
  }

  @Test func `the trust of an attestation is stored and recorded`() async throws {
    let world = try ServiceWorld()
    let made = try await world.signUp("ada@raxx.app", Person(Person.counting))
    #expect(made.passkey.attestation == Passkey.AttestationSummary(format: .packed, type: "self", trust: .self))
    let entries = try await world.memory.auditEntries(after: 0, of: nil, limit: 9)
    #expect(entries[1].record.details["trust"] == "self")
    #expect(entries[1].record.details["attestation"] == "packed")
  }

  @Test func `unknown transports are dropped`() async throws {
    let world = try ServiceWorld()
    let options = try await world.service.beginRegistration(EmailAddress("ada@raxx.app"), in: world.at())
    var response = try await Person().create(options)
    let names = ["", String(repeating: "x", count: 33), "usb"] + (0..<5000).map { "unheard-\($0)" }
    response.transports = names.map { AuthenticatorTransport(rawValue: $0) }
    let long = response
    let made = try await world.service.finishRegistration(long, in: world.at())
    let kept = ["usb"] + (0..<7).map { "unheard-\($0)" }
    #expect(made.passkey.record.transports.map(\.rawValue) == kept)
    // The transports are shown to any client that names the address.
    let request = try await world.service.beginSignIn(EmailAddress("ada@raxx.app"), in: world.at())
    #expect(request.allowCredentials.map { $0.transports.map(\.rawValue) } == [kept])
  }

  @Test func `a registration is finished once, even if it fails`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    let options = try await world.service.beginRegistration(EmailAddress("ada@raxx.app"), in: world.at())
    let response = try await ada.create(options)
    var elsewhere = ada
    elsewhere.origin = "https://evil.example"
    let phished = try await elsewhere.create(options)
    await expect(.signUpCeremonyFailed, toOutsiders: .originMismatch) {
      _ = try await world.service.finishRegistration(phished, in: world.at())
    }
    await expect(.signUpCeremonyUnknown) { _ = try await world.service.finishRegistration(response, in: world.at()) }
    #expect(try await world.trail == ["credential.registered!registration.origin-mismatch"])
    await expect(.accountUnknown) {
      _ = try await world.service.account(.email(EmailAddress("ada@raxx.app")), by: .console)
    }
  }

  @Test func `an expired registration is refused`() async throws {
    let world = try ServiceWorld()
    let options = try await world.service.beginRegistration(EmailAddress("ada@raxx.app"), in: world.at())
    let response = try await Person().create(options)
    await expect(.signUpCeremonyUnknown) {
      _ = try await world.service.finishRegistration(response, in: world.at(301))
    }
    _ = try await world.service.finishRegistration(response, in: world.at(300))
    await expect(.signUpCeremonyUnknown) { _ = try await world.service.finishRegistration(response, in: world.at()) }
  }

  @Test func `a registration must finish in the browser that began it`() async throws {
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
    // An addition is bound to the session.
    let session = try await world.session(made.opened)
    let addition = try await world.service.beginRegistration(
      for: session, confirmation: world.confirm(session, ada), in: world.at())
    _ = try await world.service.finishRegistration(
      Person().create(addition), binding: CeremonyBinding([1]), session: session, in: world.at())
  }

  @Test func `a sign-in or step-up response cannot finish a registration`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    let session = try await world.openSession("ada@raxx.app", ada)
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

  @Test func `a response without client data is refused before the ceremony is taken`() async throws {
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
