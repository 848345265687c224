// SPDX-License-Identifier: Apache-2.0

import PasskeyServiceTestSupport
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import PasskeyService

/// Tests of the details that a client receives for a refused response.
struct RefusalTests {
  @Test func `a sign-in with a deleted passkey carries the signal to remove it`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    let session = try await world.openSession("ada@raxx.app", ada)
    let id = try await world.service.passkeys(of: session)[0].record.id
    try await world.service.delete(
      id, allowingLast: true, by: session, confirmation: world.confirm(session, ada), in: world.at())
    let refused = await Self.refusal { _ = try await world.signIn(nil, ada) }
    #expect(refused?.publicCode == .signInRefused)
    #expect(refused?.signal == world.service.relyingParty.unknownCredentialSignal(of: id))
  }

  @Test func `a sign-in with a disabled passkey carries no signal`() async throws {
    let world = try ServiceWorld({ $0.cloneSignal = .disable })
    let ada = try Person(Person.counting)
    _ = try await world.signUp("ada@raxx.app", ada)
    let copy = try Person(cloning: ada)
    for _ in 0..<2 { _ = try await world.signIn("ada@raxx.app", ada) }
    let suspected = await Self.refusal { _ = try await world.signIn(nil, copy) }
    #expect(suspected?.code == .signInCloneSuspected)
    #expect(suspected?.signal == nil)
    let disabled = await Self.refusal { _ = try await world.signIn(nil, ada) }
    #expect(disabled?.code == .signInCredentialDisabled)
    #expect(disabled?.signal == nil)
  }

  /// An attacker has an ID that is either a real passkey's or a decoy, and the handle of its user.
  @Test(arguments: Forgery.allCases)
  func `whether a forged response carries a signal does not depend on the store`(_ forgery: Forgery) async throws {
    for isNamed in [true, false] {
      var signals: [Bool] = []
      for email in ["ada@raxx.app", "nobody@raxx.app"] {
        let world = try ServiceWorld()
        // The real passkey must not be a verified one, so that this difference of records does not show either.
        let ada = try Person()
        let registered = try await world.signUp("ada@raxx.app", ada)
        let named = try await world.service.beginSignIn(EmailAddress(email), in: world.at())
        let options = isNamed ? named : try await world.service.beginSignIn(nil, in: world.at())
        let attacker = try Person()
        _ = try await world.signUp("eve@raxx.app", attacker)
        var open = options
        open.allowCredentials = []
        var forged = try await attacker.get(open)
        forged.id = try #require(named.allowCredentials.first?.id)
        forged.userHandle = isNamed ? nil : registered.account.handle
        forgery.change(&forged)
        let response = forged
        let refused = await Self.refusal {
          _ = try await world.service.finishSignIn(response, in: world.at())
        }
        #expect(refused?.publicCode == .signInRefused, "\(email)")
        signals.append(refused?.signal != nil)
      }
      #expect(signals[0] == signals[1], "named: \(isNamed)")
      #expect(signals[0] == forgery.carriesSignal(isNamed: isNamed), "named: \(isNamed)")
    }
  }

  enum Forgery: CaseIterable {
    case signature, otherUser, userNotPresent, backupEligible, missingUser, malformed

    func change(_ response: inout AuthenticationResponse) {
      var data = Array(response.authenticatorData)
      switch self {
      case .signature: break
      case .otherUser: response.userHandle = try? UserHandle([1, 2, 3])
      case .missingUser: response.userHandle = nil
      case .userNotPresent: data[32] &= 0xfe
      case .backupEligible: data[32] ^= 0x08
      case .malformed: data = [1, 2, 3]
      }
      response.authenticatorData = data[...]
    }

    func carriesSignal(isNamed: Bool) -> Bool {
      switch self {
      case .signature: true
      case .otherUser, .missingUser: isNamed == (self == .missingUser)
      case .userNotPresent, .malformed: false
      // A device that is eligible for backup reports its state too: without eligibility the flags contradict.
      case .backupEligible: false
      }
    }
  }

  @Test func `a refused registration carries the signal to remove the new passkey`() async throws {
    let world = try ServiceWorld()
    _ = try await world.signUp("ada@raxx.app", Person())
    let options = try await world.service.beginRegistration(EmailAddress("ada@raxx.app"), in: world.at())
    let response = try await Person().create(options)
    let taken = await Self.refusal { _ = try await world.service.finishRegistration(response, in: world.at()) }
    #expect(taken?.code == .signUpEmailTaken)
    #expect(taken?.signal == world.service.relyingParty.unknownCredentialSignal(of: response.id))
    // A second response finds no ceremony: the first one may have been stored.
    let repeated = await Self.refusal { _ = try await world.service.finishRegistration(response, in: world.at()) }
    #expect(repeated?.code == .signUpCeremonyUnknown)
    #expect(repeated?.signal == nil)
  }

  @Test func `a registration with an unknown outcome or a registered credential carries no signal`() async throws {
    let world = try ServiceWorld()
    let options = try await world.service.beginRegistration(EmailAddress("ada@raxx.app"), in: world.at())
    let response = try await Person().create(options)
    world.faults.fail(with: StorageError(.outcomeUnknown), in: "INSERT INTO passkeys")
    let lost = await Self.refusal { _ = try await world.service.finishRegistration(response, in: world.at()) }
    #expect(lost?.code == .storageOutcomeUnknown)
    #expect(lost?.signal == nil)
  }

  @Test func `a ceremony on a foreign page is refused with the page's origin`() async throws {
    let world = try ServiceWorld()
    var ada = try Person()
    let session = try await world.openSession("ada@raxx.app", ada)
    let stranger = try Person(at: "https://www.raxx.app")
    ada.origin = "https://raxx.app:8443"
    let page = ada
    let signUp = await Self.refusal { _ = try await world.signUp("bob@raxx.app", stranger) }
    let known = await Self.refusal { _ = try await world.signIn("ada@raxx.app", page) }
    let stepUp = await Self.refusal { _ = try await world.confirm(session, page) }
    #expect(signUp?.foreignOrigin == "https://www.raxx.app")
    for refused in [known, stepUp] { #expect(refused?.foreignOrigin == "https://raxx.app:8443") }
    for refused in [signUp, known, stepUp] { #expect(refused?.publicCode == .originMismatch) }
    #expect(signUp?.innermostCode == "registration.origin-mismatch")
    #expect(known?.innermostCode == "authentication.origin-mismatch")
    #expect(known?.signal == nil)
  }

  @Test func `a foreign page learns nothing about accounts`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    let session = try await world.openSession("ada@raxx.app", ada)
    let id = try await world.service.passkeys(of: session)[0].record.id
    var page = try Person(cloning: ada)
    page.origin = "https://evil.example"
    for isDeleted in [false, true] {
      if isDeleted {
        try await world.service.delete(
          id, allowingLast: true, by: session, confirmation: world.confirm(session, ada), in: world.at())
      }
      for user in [session.account.handle, try UserHandle([1, 2, 3])] {
        let options = try await world.service.beginSignIn(nil, in: world.at())
        var response = try await page.get(options)
        response.userHandle = user
        let sent = response
        let refused = await Self.refusal { _ = try await world.service.finishSignIn(sent, in: world.at()) }
        #expect(refused?.publicCode == .originMismatch)
        #expect(refused?.foreignOrigin == "https://evil.example")
        #expect(refused?.signal == nil)
      }
    }
  }

  private static func refusal(_ body: () async throws -> Void) async -> ServiceError? {
    do {
      try await body()
      Issue.record("nothing was refused")
      return nil
    } catch let error as ServiceError {
      return error
    } catch {
      Issue.record(error)
      return nil
    }
  }
}
