// SPDX-License-Identifier: Apache-2.0

import Testing
import WebAuthnTypes

@testable import PasskeyService

struct AuditVerifierTests {
  private static func chain(_ count: Int) throws -> [AuditEntry] {
    var head = AuditHead.beginning
    return try (1...count).map { number in
      let entry = try AuditRecordTests.draft(number).sealed(after: head)
      head = entry.record.head
      return entry
    }
  }

  private static func verify(_ entries: [AuditEntry], end: AuditHead? = nil) throws {
    var verifier = AuditVerifier()
    for entry in entries { try verifier.verify(entry) }
    if let end { try verifier.verifyEnd(end) }
  }

  @Test func `a chain is valid with and without its details`() throws {
    var chain = try Self.chain(20)
    let end = try #require(chain.last).record.head
    try Self.verify(chain, end: end)
    for index in chain.indices { chain[index].personalDetails = [] }
    try Self.verify(chain, end: end)
    var verifier = AuditVerifier(after: chain[9].record.head)
    for entry in chain[10...] { try verifier.verify(entry) }
    try verifier.verifyEnd(end)
  }

  @Test func `a changed record breaks the chain after it`() async throws {
    var chain = try Self.chain(5)
    var draft = try AuditRecordTests.draft(3)
    draft.details["amount"] = "1000"
    chain[2].record = draft.sealed(after: chain[1].record.head).record
    let forged = chain
    await expect(.auditLinkBroken) { try Self.verify(forged) }
    do {
      try Self.verify(forged)
    } catch let error as ServiceError {
      #expect(error.detail?.contains("record 4 ") == true)
    }
  }

  @Test func `a changed last record does not match the end`() async throws {
    var chain = try Self.chain(5)
    let end = try #require(chain.last).record.head
    var draft = try AuditRecordTests.draft(5)
    draft.outcome = "order.refused"
    chain[4].record = draft.sealed(after: chain[3].record.head).record
    let forged = chain
    await expect(.auditHeadMismatch) { try Self.verify(forged, end: end) }
  }

  @Test func `missing, duplicated and moved records are detected`() async throws {
    let chain = try Self.chain(5)
    let end = try #require(chain.last).record.head
    await expect(.auditSequenceBroken) { try Self.verify(chain.filter { $0.record.sequence != 3 }) }
    await expect(.auditSequenceBroken) { try Self.verify(Array(chain[...2]) + [chain[2]]) }
    await expect(.auditSequenceBroken) { try Self.verify(Array(chain.dropFirst())) }
    await expect(.auditSequenceBroken) { try Self.verify(chain.reversed()) }
    await expect(.auditHeadMismatch) { try Self.verify(chain.dropLast(), end: end) }
  }

  @Test func `changed and inserted details are detected`() async throws {
    var chain = try Self.chain(3)
    chain[1].personalDetails[0].value = "203.0.113.9"
    let changed = chain
    await expect(.auditDetailMismatch) { try Self.verify(changed) }
    chain = try Self.chain(3)
    chain[1].personalDetails.append(
      PersonalDetail(name: .email, person: nil, salt: [1], value: "ada@raxx.app"))
    let added = chain
    await expect(.auditDetailMismatch) { try Self.verify(added) }
    // The commitment is the same, because it hashes salt and value without a separator.
    chain = try Self.chain(3)
    let moved = chain[1].personalDetails[0].value.utf8.prefix(2)
    chain[1].personalDetails[0].salt += moved
    chain[1].personalDetails[0].value.removeFirst(2)
    #expect(chain[1].record.commitments.values.contains(chain[1].personalDetails[0].commitment))
    let split = chain
    await expect(.auditDetailMismatch) { try Self.verify(split) }
  }
}
