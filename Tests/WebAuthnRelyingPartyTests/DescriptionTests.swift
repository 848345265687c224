// SPDX-License-Identifier: Apache-2.0

import Testing
import WebAuthnRelyingParty
import WebAuthnTypes
import WireFormats

/// What a value says of itself in a log line: enough to find it by, and nothing that opens anything.
@Suite struct DescriptionTests {
  private let world: CeremonyWorld
  private let end = "until 2027-01-15T08:05:00Z"

  init() throws {
    world = try CeremonyWorld()
  }

  @Test func `a pending registration says for whom it is, where and until when`() throws {
    let pending = try world.relyingParty().beginRegistration(
      of: UserEntity(id: world.user, name: "ada@example.org", displayName: "Ada"), at: CeremonyWorld.now
    ).pending
    #expect("\(pending)" == "registration of dXNlci0x at raxx.app \(end)")
  }

  @Test func `a pending authentication says what it is for, by whom, where and until when`() throws {
    let relyingParty = try world.relyingParty()
    let anybody = try relyingParty.beginAuthentication(of: .fromResponse, at: CeremonyWorld.now).pending
    #expect("\(anybody)" == "sign-in, by anybody at raxx.app \(end)")

    let action = StepUpAction(session: [UInt8]("a secret".utf8)[...], action: [UInt8]("an order".utf8)[...])
    let stepUp = try relyingParty.beginAuthentication(
      of: .knownBefore(world.user, credentials: []), purpose: .stepUp(action), at: CeremonyWorld.now
    ).pending
    #expect("\(stepUp)" == "step-up for \(action), by dXNlci0x at raxx.app \(end)")
    for pending in [anybody, stepUp] {
      #expect(!"\(pending)".contains("\(pending.challenge)") && !"\(pending)".contains("secret"))
      #expect(String(reflecting: pending) == "\(pending)")
    }
  }

  @Test func `a credential says which it is, whose, and how far it has counted`() throws {
    var stored = try world.credential()
    stored.record.signCount = 7
    stored.record.backupState = false
    #expect("\(stored)" == "passkey \(stored.record.id) of dXNlci0x, counter 7")
    stored.record.backupState = true
    #expect("\(stored)" == "passkey \(stored.record.id) of dXNlci0x, counter 7, backed up")
  }
}
