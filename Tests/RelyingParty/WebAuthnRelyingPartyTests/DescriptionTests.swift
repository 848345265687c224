// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

/// The log descriptions of values: enough to identify them, but no secrets.
@Suite struct DescriptionTests {
  private let world: CeremonyWorld
  private let end = "until 2027-01-15T08:05:00Z"

  init() throws {
    world = try CeremonyWorld()
  }

  @Test func `a pending registration describes its user, relying party and expiry`() throws {
    let begun = try world.relyingParty().beginRegistration(
      of: UserEntity(id: world.user, name: "ada@example.org", displayName: "Ada"), at: CeremonyWorld.now)
    #expect(begun.pending.description == "registration of dXNlci0x at raxx.app \(end)")
  }

  @Test func `a pending authentication describes its purpose, user, relying party and expiry`() throws {
    let relyingParty = try world.relyingParty()
    let anybody = try relyingParty.beginAuthentication(of: .fromResponse, at: CeremonyWorld.now)
    #expect(anybody.pending.description == "sign-in, by anybody at raxx.app \(end)")

    let action = StepUpAction(session: [UInt8]("a secret".utf8), action: [UInt8]("an order".utf8))
    let stepUp = try relyingParty.beginAuthentication(
      of: .knownBefore(world.user, credentials: []), purpose: .stepUp(action), at: CeremonyWorld.now)
    #expect(stepUp.pending.description == "step-up for \(action), by dXNlci0x at raxx.app \(end)")
    for (text, challenge) in [
      (anybody.pending.description, anybody.pending.challenge), (stepUp.pending.description, stepUp.pending.challenge),
    ] {
      #expect(!text.contains("\(challenge)") && !text.contains("secret"))
    }
  }

  @Test func `a credential describes its id, user and counter`() throws {
    var stored = try world.credential()
    stored.record.signCount = 7
    stored.record.backupState = false
    #expect("\(stored)" == "passkey \(stored.record.id) of dXNlci0x, counter 7")
    stored.record.backupState = true
    #expect("\(stored)" == "passkey \(stored.record.id) of dXNlci0x, counter 7, backed up")
  }
}
