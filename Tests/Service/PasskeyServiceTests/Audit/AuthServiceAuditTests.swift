// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeyStorage
import PasskeyTransparencyLog
import Testing
import WebAuthnRelyingParty

@testable import PasskeyService

struct AuthServiceAuditTests {
  @Test func `the whole trail is verified, and its checkpoint can be stored elsewhere`() async throws {
    let world = try ServiceWorld()
    try await world.service.claimStore(at: ServiceWorld.start)
    #expect(try await world.service.verifyAuditTrail().checkpoint?.checkpoint.size == 1)
    let ada = try await world.openSession("ada@raxx.app", Person())
    #expect(try await world.service.verifyAuditTrail().waitingCount == 3)
    try await world.service.sweep(at: ServiceWorld.start)
    let early = try #require(try await world.service.verifyAuditTrail().checkpoint)
    #expect(early.checkpoint.size == 4)
    for number in 0..<1200 {
      try await world.service.record(
        AuditEvent(rawValue: "order.placed"), by: ada, subject: (kind: "order", name: "\(number)"),
        outcome: number.isMultiple(of: 7) ? "order.refused" : AuditDraft.success, in: world.at())
    }
    try await world.service.sweep(at: ServiceWorld.start + .seconds(1))
    let end = try await world.service.verifyAuditTrail(knownCheckpoint: early.note)
    #expect(end.checkpoint?.checkpoint.size == 1204 && end.waitingCount == 0)
  }

  @Test func `a sweep with another secret does not sign the log`() async throws {
    let world = try ServiceWorld()
    try await world.service.claimStore(at: ServiceWorld.start)
    _ = try await world.signUp("ada@raxx.app", Person())
    let party = world.service.relyingParty
    let other = try AuthService(
      relyingParty: party, storage: world.storage,
      decoys: DecoyCredentials(key: SecretBytes(utf8: "another key of thirty-two bytes."), for: party.id))
    await expect(.auditKeyMismatch) { try await other.sweep(at: ServiceWorld.start) }
    let log = try #require(try await world.service.auditLog()?.log)
    await expect(.auditKeyMismatch) { try await other.verifyAuditTrail(key: other.verifier(of: log)) }
    try await world.service.sweep(at: ServiceWorld.start)
    #expect(try await world.service.verifyAuditTrail(key: world.service.verifier(of: log)).waitingCount == 0)
  }

  @Test func `a record has the actor, event, time, address and request`() async throws {
    let world = try ServiceWorld()
    let ada = try await world.openSession("ada@raxx.app", Person(), at: 5)
    let entry = try #require(try await world.service.auditEntries(of: ada.account.handle, limit: 99).last)
    #expect(entry.record.event == .sessionOpened)
    #expect(entry.record.actor == ada.account.handle)
    #expect(entry.record.subject == "session:\(ada.session.id)")
    #expect(entry.record.time == ServiceWorld.start + .seconds(5))
    #expect(entry.record.requestID == "request-5")
    #expect(entry.record.outcome == "ok")
    #expect(entry.personalDetails.map(\.value) == [ServiceWorld.address])
  }

  @Test func `a request without an address stores none`() async throws {
    let world = try ServiceWorld()
    let ada = try await world.openSession("ada@raxx.app", Person())
    try await world.service.revokeAll(
      by: ada, keepingCurrent: false, in: CallContext(time: ServiceWorld.start, requestID: "r"))
    #expect(try await world.service.auditEntries(after: 3, limit: 9).map(\.personalDetails) == [[]])
  }
}
