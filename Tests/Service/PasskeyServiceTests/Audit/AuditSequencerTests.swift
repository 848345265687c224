// SPDX-License-Identifier: Apache-2.0

import PasskeyServiceTestSupport
import PasskeyStorage
import Testing

@testable import PasskeyService

/// The calls of a sequencer to its store.
@Suite struct AuditSequencerTests {
  @Test func `an announcement that is not due yet takes no lock of the store`() async throws {
    let world = try ServiceWorld()
    try await world.service.claimStore(at: Sample.start)
    let sequencer = AuditSequencer(
      world.storage, key: world.service.auditKey, destinations: [DestinationName(rawValue: "webhook:log")])
    /// The number of transactions that change the log, in one pass in this second.
    func changes(_ second: Int) async throws -> Int {
      _ = world.faults.takeTransactions()
      _ = try await sequencer.sequence(at: Sample.time(second))
      let calls = world.faults.takeTransactions()
      #expect(calls.contains("read audit_logs"))
      return calls.count { $0 == "write audit_logs" }
    }
    // The first checkpoint is announced at once.
    #expect(try await changes(0) == 1)
    try await world.memory.append([Sample.draft()])
    #expect(try await changes(1) == 1)
    // The second one waits for its announcement.
    for second in 2..<60 { #expect(try await changes(second) == 0) }
    #expect(try await changes(60) == 1)
    for second in 61..<180 { #expect(try await changes(second) == 0) }
  }
}
