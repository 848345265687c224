// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeyStorage
import Testing
import WebAuthnAuthenticator
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import PasskeyService

struct AuthServiceSignInTests {
  @Test(arguments: ["ada@raxx.app", nil])
  func `a user signs in by address or with the passkey alone`(email: String?) async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    let made = try await world.signUp("ada@raxx.app", ada)
    let options = try await world.service.beginSignIn(email.map { .email(try EmailAddress($0)) }, in: world.at(10))
    #expect(options.allowCredentials.map(\.id) == (email == nil ? [] : [made.passkey.record.id]))
    #expect(options.userVerification == .required)
    let opened = try await world.service.finishSignIn(ada.get(options), in: world.at(11))
    #expect(opened.account == made.account)
    #expect(opened.session.expiry == ServiceWorld.start + .seconds(11 + 900))
    #expect(opened.session.credential == made.passkey.record.id)
    #expect(opened.refreshToken == nil)
    let session = try await world.session(opened, at: 12)
    #expect(session.account == made.account)
    #expect(try await world.service.passkeys(of: session).first?.lastUsed == ServiceWorld.start + .seconds(11))
    #expect(try await world.trail.last == "session.opened")
  }

  @Test func `a passkey registered without user verification is refused if a sign-in requires it`()
    async throws
  {
    let lenient = try ServiceWorld(ceremony: { $0.userVerification = .discouraged })
    let ada = try Person.withoutVerification()
    _ = try await lenient.signUp("ada@raxx.app", ada)
    _ = try await lenient.signIn("ada@raxx.app", ada)
    let strict = try AuthService(
      relyingParty: ServiceWorld.relyingParty(), storage: lenient.storage, decoys: ServiceWorld.decoys())
    let options = try await strict.beginSignIn(EmailAddress("ada@raxx.app"), in: lenient.at())
    let response = try await ada.enrolled().get(options)
    let error = await #expect(throws: ServiceError.self) {
      _ = try await strict.finishSignIn(response, in: lenient.at())
    }
    #expect(error?.code == .signInCeremonyFailed)
    guard case .ceremony(let cause)? = error?.cause else {
      Issue.record("no cause")
      return
    }
    #expect(cause.code == .authenticationUserVerificationNotInitialized && cause.step == 17)
  }

  @Test func `a sign-in can be finished once`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    _ = try await world.signUp("ada@raxx.app", ada)
    let options = try await world.service.beginSignIn(EmailAddress("ada@raxx.app"), in: world.at())
    let response = try await ada.get(options)
    let outcomes = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<200 {
        group.addTask { (try? await world.service.finishSignIn(response, in: world.at())) != nil }
      }
      return await group.reduce(into: 0) { count, isIn in count += isIn ? 1 : 0 }
    }
    #expect(outcomes == 1)
    await expect(.signInCeremonyUnknown) { _ = try await world.service.finishSignIn(response, in: world.at()) }
  }

  @Test func `a failed sign-in is consumed, and recorded with its cause`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    let made = try await world.signUp("ada@raxx.app", ada)
    let options = try await world.service.beginSignIn(EmailAddress("ada@raxx.app"), in: world.at())
    let response = try await ada.get(options)
    var forged = response
    forged.signature = [UInt8](repeating: 0, count: 70)[...]
    let wrong = forged
    await expect(.signInCeremonyFailed, toOutsiders: .signInRefused) {
      _ = try await world.service.finishSignIn(wrong, in: world.at())
    }
    await expect(.signInCeremonyUnknown) { _ = try await world.service.finishSignIn(response, in: world.at()) }
    #expect(try await world.trail.last == "session.opened!authentication.signature-invalid")
    let last = try await world.memory.auditEntries(after: 3, of: made.account.handle, limit: 9).last
    #expect(last?.record.actor == nil)
    #expect(last?.personalDetails.map(\.value) == [ServiceWorld.address])
  }

  @Test func `an unknown address gets options like a known one`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    _ = try await world.signUp("ada@raxx.app", ada)
    // The first sign-in by name fixes the decoys.
    _ = try await world.service.beginSignIn(EmailAddress("ben@raxx.app"), in: world.at())
    _ = world.faults.takeTransactions()
    let known = try await world.service.beginSignIn(EmailAddress("ada@raxx.app"), in: world.at())
    let knownCalls = world.faults.takeTransactions()
    let unknown = try await world.service.beginSignIn(EmailAddress("nobody@raxx.app"), in: world.at())
    #expect(world.faults.takeTransactions() == knownCalls)
    #expect(knownCalls == ["find accounts"])
    let again = try await world.service.beginSignIn(EmailAddress(" Nobody@raxx.app"), in: world.at())
    #expect(!unknown.allowCredentials.isEmpty)
    #expect(unknown.allowCredentials == again.allowCredentials)
    #expect(unknown.challenge != again.challenge)
    #expect(unknown.timeout == known.timeout)
    #expect(unknown.userVerification == known.userVerification)
    #expect(unknown.relyingPartyID == known.relyingPartyID)
  }

  @Test func `refused sign-ins with a known credential and with a decoy's make the same store calls`() async throws {
    // Someone wants to know of sign-ins from new networks.
    let world = try ServiceWorld {
      $0.destinations = [NoticeDestination(DestinationName(rawValue: "mail"), events: ["*"])]
    }
    let ada = try Person()
    _ = try await world.signUp("ada@raxx.app", ada)
    let calls = { (email: String) async throws -> [String] in
      let options = try await world.service.beginSignIn(EmailAddress(email), in: world.at())
      var response = try await ada.get(world.service.beginSignIn(EmailAddress("ada@raxx.app"), in: world.at()))
      response.id = try #require(options.allowCredentials.first).id
      response.clientDataJSON =
        ClientData(type: .get, challenge: options.challenge, origin: try WebOrigin("https://raxx.app")).encoded
      let forged = response
      _ = world.faults.takeTransactions()
      await #expect(throws: ServiceError.self) { _ = try await world.service.finishSignIn(forged, in: world.at()) }
      return world.faults.takeTransactions()
    }
    #expect(try await calls("ada@raxx.app") == calls("nobody@raxx.app"))
  }

  @Test func `an account without passkeys gets decoys too`() async throws {
    let world = try ServiceWorld()
    _ = try await world.service.createAccount(EmailAddress("ada@raxx.app"), by: .console, in: world.at())
    let options = try await world.service.beginSignIn(EmailAddress("ada@raxx.app"), in: world.at())
    #expect(!options.allowCredentials.isEmpty)
  }

  @Test func `an unknown credential and another user's are refused alike`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    let eve = try Person()
    _ = try await world.signUp("ada@raxx.app", ada)
    let eves = try await world.signUp("eve@raxx.app", eve)
    // Another user's credential.
    let first = try await world.service.beginSignIn(EmailAddress("ada@raxx.app"), in: world.at())
    var asked = first
    asked.allowCredentials = []
    let another = try await eve.get(asked)
    #expect(another.id == eves.passkey.record.id)
    await expect(.signInCeremonyFailed, toOutsiders: .signInRefused) {
      _ = try await world.service.finishSignIn(another, in: world.at())
    }
    // An unknown credential, with a decoy's ID and with its own.
    let decoys = try await world.service.beginSignIn(EmailAddress("nobody@raxx.app"), in: world.at())
    var answer = another
    answer.id = try #require(decoys.allowCredentials.first).id
    answer.clientDataJSON =
      ClientData(type: .get, challenge: decoys.challenge, origin: try WebOrigin("https://raxx.app")).encoded
    let guessed = answer
    await expect(.signInCredentialUnknown, toOutsiders: .signInRefused) {
      _ = try await world.service.finishSignIn(guessed, in: world.at())
    }
    // An unverified credential ID is not recorded verbatim.
    let subjects = try await world.service.auditEntries(limit: 99).suffix(2).map(\.record.subject)
    let hash = Base64URL.encode(Digest.sha256(guessed.id.bytes))
    #expect(subjects == ["credential:\(another.id)", "unknown-credential:\(hash)"])
    await expect(.signInCeremonyUnknown) { _ = try await world.service.finishSignIn(guessed, in: world.at()) }
  }

  @Test func `a passkey that the store has lost is refused`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    let made = try await world.signUp("ada@raxx.app", ada)
    let options = try await world.service.beginSignIn(nil, in: world.at())
    let response = try await ada.get(options)
    _ = try await world.memory.erase(made.account.handle, spending: nil, audit: [])
    await expect(.signInCredentialUnknown, toOutsiders: .signInRefused) {
      _ = try await world.service.finishSignIn(response, in: world.at())
    }
  }

  @Test func `only the passkey's owner learns why an account cannot sign in`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    let made = try await world.signUp("ada@raxx.app", ada)
    try await world.service.change(made.account.handle, .disable, by: .console, in: world.at())
    await expect(.signInAccountDisabled) { _ = try await world.signIn("ada@raxx.app", ada) }
    let options = try await world.service.beginSignIn(EmailAddress("ada@raxx.app"), in: world.at())
    #expect(options.allowCredentials.map(\.id) == [made.passkey.record.id])
    var forged = try await ada.get(options)
    forged.signature = [1, 2, 3]
    let wrong = forged
    await expect(.signInCeremonyFailed, toOutsiders: .signInRefused) {
      _ = try await world.service.finishSignIn(wrong, in: world.at())
    }
  }

  @Test func `an account that is disabled meanwhile gets no session`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    let made = try await world.signUp("ada@raxx.app", ada)
    world.faults.beforeWrite { (memory) in
      _ = try? await memory.change(made.account.handle, .disable, at: ServiceWorld.start, spending: nil, audit: [])
    }
    await expect(.signInAccountDisabled) { _ = try await world.signIn("ada@raxx.app", ada) }
  }

  @Test func `a disabled passkey is refused`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    let made = try await world.signUp("ada@raxx.app", ada)
    _ = try await world.memory.disable(made.passkey.record.id, of: made.account.handle, cloneSignal: nil, audit: [])
    await expect(.signInCredentialDisabled, toOutsiders: .signInRefused) { _ = try await world.signIn(nil, ada) }
    let options = try await world.service.beginSignIn(EmailAddress("ada@raxx.app"), in: world.at())
    #expect(!options.allowCredentials.map(\.id).contains(made.passkey.record.id))
  }

  @Test func `a concurrently used passkey is verified again`() async throws {
    let world = try ServiceWorld()
    let ada = try Person(Person.counting)
    let made = try await world.signUp("ada@raxx.app", ada)
    let id = made.passkey.record.id
    world.faults.beforeWrite { (memory) in
      guard let passkey = try? await memory.passkey(id), passkey.revision == 1 else { return }
      await memory.use(passkey)
    }
    let opened = try await world.signIn("ada@raxx.app", ada)
    #expect(try await world.memory.session(token: opened.token.digest) != nil)
    #expect(try await world.memory.passkey(id)?.revision == 3)
    // The device's counter is no longer the greater one, which is recorded.
    #expect(try await world.memory.passkey(id)?.cloneSignal != nil)
    world.faults.beforeWrite { (memory) in
      if let passkey = try? await memory.passkey(id) { await memory.use(passkey) }
    }
    await expect(.signInContended) { _ = try await world.signIn("ada@raxx.app", ada) }
    world.faults.beforeWrite { (memory) in
      _ = try? await memory.delete(
        id, of: made.account.handle, keeping: nil, allowingLast: true, spending: nil, audit: [])
    }
    await expect(.signInCredentialUnknown, toOutsiders: .signInRefused) {
      _ = try await world.signIn("ada@raxx.app", ada)
    }
  }

  @Test func `a sign-in is bound to its browser and expires`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    _ = try await world.signUp("ada@raxx.app", ada)
    let bound = try await world.service.beginSignIn(nil, binding: CeremonyBinding([1]), in: world.at())
    let response = try await ada.get(bound)
    await expect(.signInCeremonyUnknown) {
      _ = try await world.service.finishSignIn(response, binding: CeremonyBinding([2]), in: world.at())
    }
    // An attacker answers their own ceremony outside a browser with their passkey, and makes another user's browser
    // send the response.
    let unbound = try await ada.get(world.service.beginSignIn(nil, in: world.at()))
    await expect(.signInCeremonyUnknown) {
      _ = try await world.service.finishSignIn(unbound, binding: CeremonyBinding([1]), in: world.at())
    }
    let late = try await ada.get(world.service.beginSignIn(nil, in: world.at()))
    await expect(.signInCeremonyUnknown) { _ = try await world.service.finishSignIn(late, in: world.at(301)) }
    let mine = try await world.service.beginSignIn(nil, binding: CeremonyBinding([1]), in: world.at())
    _ = try await world.service.finishSignIn(ada.get(mine), binding: CeremonyBinding([1]), in: world.at(300))
  }

  @Test func `a step-up or registration response cannot finish a sign-in`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    let session = try await world.openSession("ada@raxx.app", ada)
    let stepUp = try await ada.get(
      world.service.beginStepUp(for: ServiceWorld.action, by: session, in: world.at()))
    await expect(.signInCeremonyUnknown) { _ = try await world.service.finishSignIn(stepUp, in: world.at()) }
    let creation = try await world.service.beginRegistration(EmailAddress("x@raxx.app"), in: world.at())
    var options = try await world.service.beginSignIn(nil, in: world.at())
    options.challenge = creation.challenge
    let crossed = try await ada.get(options)
    await expect(.signInCeremonyUnknown) { _ = try await world.service.finishSignIn(crossed, in: world.at()) }
  }
}
