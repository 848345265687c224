// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

@Suite struct DecoyCredentialsTests {
  private static let key = SecretBytes([UInt8](0..<32)[...])

  private let world: CeremonyWorld
  private let decoys: DecoyCredentials

  init() throws {
    world = try CeremonyWorld()
    decoys = try DecoyCredentials(key: Self.key, for: RelyingPartyID("raxx.app"))
  }

  private func decoy(
    _ name: String, _ decoys: DecoyCredentials? = nil
  ) throws -> (user: UserHandle, credentials: [CredentialDescriptor]) {
    let identification = try (decoys ?? self.decoys).identification(for: name, known: nil)
    guard case .knownBefore(let user, let credentials) = identification else { throw NotIdentified() }
    return (user, credentials)
  }

  private struct NotIdentified: Error {}

  @Test func `a name always has the same decoy`() throws {
    let again = try DecoyCredentials(key: Self.key, for: RelyingPartyID("raxx.app"))
    let decoy = try decoy("user-58@example.org")
    #expect(try self.decoy("user-58@example.org", again) == decoy)
    // These values must never change: if a version changed them, existing decoys would differ from accounts. Another
    // implementation computed them independently.
    #expect("\(decoy.user)" == "xTOP_eaG0RRhRfq0ihg0Sg_mBZNPWVbfdyF0AaryyP4")
    #expect(decoy.credentials.map { "\($0.transports)" } == ["[internal]", "[internal]"])
    #expect(
      decoy.credentials.map { "\($0.id)" } == [
        "2yNjfSKLLKB6l1Oe58LvZCN-KjqZrJFzoE-yDnQukq4", "MCIJ_081G3_S1JgpdyxlEx9kx_GQt8veQhPI6u152hU",
      ])
  }

  @Test func `another name, key or relying party has another decoy`() throws {
    let decoy = try decoy("nobody@example.org")
    let otherKey = try DecoyCredentials(
      key: SecretBytes([UInt8](repeating: 1, count: 32)[...]), for: RelyingPartyID("raxx.app"))
    let otherParty = try DecoyCredentials(key: Self.key, for: RelyingPartyID("raxx.example"))
    for other in [
      try self.decoy("nobody@example.com"), try self.decoy("Nobody@example.org"), try self.decoy(""),
      try self.decoy("nobody@example.org", otherKey), try self.decoy("nobody@example.org", otherParty),
    ] {
      #expect(other.user != decoy.user)
      #expect(Set(other.credentials.map(\.id)).isDisjoint(with: decoy.credentials.map(\.id)))
    }
  }

  @Test func `a known account gets its own options`() throws {
    let credential = try world.credential()
    let identification = try decoys.identification(
      for: "ada@example.org", known: (world.user, [credential.record.descriptor]))
    #expect(identification == .knownBefore(world.user, credentials: [credential.record.descriptor]))
  }

  @Test func `an account without credentials looks like an unknown name`() throws {
    #expect(
      try decoys.identification(for: "ada@example.org", known: (world.user, []))
        == decoys.identification(for: "ada@example.org", known: nil))
  }

  @Test func `options with decoys have the same members as others`() throws {
    let relyingParty = try world.relyingParty()
    var descriptor = try world.credential().record.descriptor
    descriptor.transports = [.hybrid, .internal]
    func shape(_ account: (user: UserHandle, credentials: [CredentialDescriptor])?) throws -> [String] {
      let identification = try decoys.identification(for: "nobody@example.org", known: account)
      let begun = try relyingParty.beginAuthentication(
        of: identification, at: CeremonyWorld.now, random: world.random)
      let json = try JSON.parse(begun.options.json[...])
      let members = try json.members.map(\.name)
      return try members + json.require("allowCredentials").array.prefix(1).flatMap { try $0.members.map(\.name) }
    }
    #expect(try shape(nil) == shape((world.user, [descriptor])))
  }

  @Test func `a ceremony with decoys cannot succeed`() throws {
    let relyingParty = try world.relyingParty()
    let stored = try world.credential()
    let identification = try decoys.identification(for: "nobody@example.org", known: nil)
    let begun = try relyingParty.beginAuthentication(
      of: identification, at: CeremonyWorld.now, random: world.random)
    var device = try TestDevice(challenge: begun.pending.challenge)
    device.type = .get
    expectFailure(.authenticationCredentialNotAllowed, step: 5) {
      try relyingParty.finishAuthentication(
        device.authentication(), pending: begun.pending.duplicateForTesting(), credential: stored, at: CeremonyWorld.now
      )
    }
  }

  @Test func `a credential registered under a decoy's id does not succeed either`() throws {
    let relyingParty = try world.relyingParty()
    let identification = try decoys.identification(for: "nobody@example.org", known: nil)
    guard case .knownBefore(_, let credentials) = identification else { throw NotIdentified() }
    let id = try #require(credentials.first?.id)
    let stored = try world.credential { $0.record.id = id }
    let begun = try relyingParty.beginAuthentication(
      of: identification, at: CeremonyWorld.now, random: world.random)
    var device = try TestDevice(challenge: begun.pending.challenge)
    device.type = .get
    device.credentialID = [UInt8](id.bytes)
    device.userHandle = nil
    expectFailure(.authenticationUserHandleMismatch, step: 6) {
      try relyingParty.finishAuthentication(
        device.authentication(), pending: begun.pending.duplicateForTesting(), credential: stored, at: CeremonyWorld.now
      )
    }
  }

  @Test func `a key that can be guessed is refused`() throws {
    let id = try RelyingPartyID("raxx.app")
    expectFailure(.decoyKeyTooShort, step: nil) {
      try DecoyCredentials(key: SecretBytes([UInt8](repeating: 0, count: 31)[...]), for: id)
    }
  }
}
