// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeyStorage
import Testing
import WebAuthnRelyingParty

@testable import PasskeyService

struct AuthServiceAuditTests {
  @Test func `the whole trail is verified, and its end can be stored elsewhere`() async throws {
    let world = try ServiceWorld()
    try await world.service.claimStore()
    #expect(try await world.service.verifyAudit() == .beginning)
    let ada = try await world.openSession("ada@raxx.app", Person())
    let early = try await world.service.verifyAudit()
    #expect(early.sequence == 3)
    for number in 0..<1200 {
      try await world.service.record(
        AuditEvent(rawValue: "order.placed"), by: ada, subject: (kind: "order", name: "\(number)"),
        outcome: number.isMultiple(of: 7) ? "order.refused" : AuditDraft.success, in: world.at())
    }
    let end = try await world.service.verifyAudit(knownHead: early)
    #expect(end.sequence == 1203)
    #expect(try await world.service.verifyAudit(knownHead: end) == end)
    var rewritten = early
    rewritten.hash[0] ^= 1
    let wrong = rewritten
    await expect(.auditHeadMismatch) { try await world.service.verifyAudit(knownHead: wrong) }
    let cutOff = AuditHead(sequence: 2000, hash: end.hash)
    await expect(.auditHeadMismatch) { try await world.service.verifyAudit(knownHead: cutOff) }
  }

  @Test func `another secret rejects the seal until an administrator adopts the trail`()
    async throws
  {
    let world = try ServiceWorld()
    try await world.service.claimStore()
    let ada = try await world.openSession("ada@raxx.app", Person())
    let party = world.service.relyingParty
    let other = try AuthService(
      relyingParty: party, storage: world.storage,
      decoys: DecoyCredentials(key: SecretBytes(utf8: "another key of thirty-two bytes."), for: party.id))
    await expect(.auditSealMismatch) { try await other.verifyAudit() }
    try await other.verifyAudit(checksSeal: false)
    try await world.service.verifyAudit()
    try await other.record(AuditEvent(rawValue: "order.placed"), by: ada, subject: nil, in: world.at())
    await expect(.auditSealMissing) { try await world.service.verifyAudit() }
    let adopted = try await world.service.sealAudit(in: world.at())
    #expect(adopted.sequence == 5)
    #expect(try await world.service.verifyAudit() == adopted)
    #expect(try await world.trail.last == "audit.sealed")
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
