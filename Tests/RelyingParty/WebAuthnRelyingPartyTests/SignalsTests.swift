// SPDX-License-Identifier: Apache-2.0

import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

@Suite struct SignalsTests {
  private let world: CeremonyWorld
  private let relyingParty: RelyingParty

  init() throws {
    world = try CeremonyWorld()
    relyingParty = try world.relyingParty()
  }

  @Test func `an unknown credential is signaled from the response`() throws {
    let device = try TestDevice(challenge: Challenge([UInt8](repeating: 0, count: 16)))
    let signal = try UnknownCredentialSignal(
      json: relyingParty.unknownCredentialSignal(for: device.authentication()).json)
    #expect(signal.relyingPartyID == relyingParty.id)
    #expect(signal.credentialID == (try CredentialID(device.credentialID)))
  }

  @Test func `the accepted credentials are those of the store`() throws {
    let first = try world.credential()
    let second = try world.credential {
      $0.record.id = try CredentialID([9])
      $0.record.relyingPartyID = try RelyingPartyID("raxx.app")
    }
    let signal = try AcceptedCredentialsSignal(
      json: relyingParty.acceptedCredentialsSignal(of: world.user, credentials: [first, second]).json)
    #expect(signal.user == world.user)
    #expect(signal.credentialIDs == [first.record.id, second.record.id])
  }

  @Test func `an empty list of credentials is not signaled by mistake`() throws {
    expectFailure(.signalWithoutCredentials, step: nil) {
      try relyingParty.acceptedCredentialsSignal(of: world.user, credentials: [])
    }
    let none = relyingParty.signalForgettingEveryCredential(of: world.user)
    #expect(try AcceptedCredentialsSignal(json: none.json).credentialIDs == [])
  }

  @Test func `another user's credential is not signaled`() throws {
    let foreign = try world.credential { $0.user = try UserHandle([2]) }
    expectFailure(.signalOfAnotherUser, step: nil) {
      try relyingParty.acceptedCredentialsSignal(of: world.user, credentials: [try world.credential(), foreign])
    }
  }

  @Test func `another relying party's credential is not signaled`() throws {
    let foreign = try world.credential { $0.record.relyingPartyID = try RelyingPartyID("other.example") }
    expectFailure(.signalOfAnotherRelyingParty, step: nil) {
      try relyingParty.acceptedCredentialsSignal(of: world.user, credentials: [foreign])
    }
  }

  @Test func `a user's new names are signaled with the same handle`() throws {
    let user = UserEntity(id: world.user, name: "lovelace@example.org", displayName: "Ada L.")
    let signal = try UserDetailsSignal(json: relyingParty.userDetailsSignal(of: user).json)
    #expect(signal.user == user)
    #expect(signal.relyingPartyID == relyingParty.id)
  }
}
