// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import PasskeyServiceTestSupport
import PasskeyTransparencyLog
import Testing

@testable import PasskeyStorage

/// Kills a server in a pass of its sequencer.
enum InterruptedPassChecks {
  /// Kills a server between the tiles and the commit of a pass. Checks that a pass of another server appends the same
  /// records at the same places.
  static func continuesOnAnotherServer(_ storage: DatabaseStorage, _ database: [String]) async throws {
    let world = try LogWorld(storage)
    try await world.begin()
    try await storage.append([Sample.draft()])
    try await world.sequence()
    try await storage.append([Sample.draft(), Sample.draft(), Sample.draft()])
    let before = try await world.service.auditLog()
    let lines = try await WritingProcess.acknowledgements(["place"] + database, killedAfter: 1)
    #expect(lines == ["3 3"], "the pass was not interrupted after its tiles")
    // Nothing of the interrupted pass remains.
    #expect(try await world.service.auditLog()?.checkpoint == before?.checkpoint)
    #expect(try await world.service.verifyAuditTrail().waitingCount == 3)
    try await storage.append([Sample.draft()])
    try await world.sequence()
    let trail = try await world.verifyAll()
    #expect(trail.checkpoint?.checkpoint.size == 6)
    let numbers = try await storage.auditEntries(after: 0, of: nil, limit: 99).map(\.record.sequence)
    for (index, number) in numbers.enumerated() {
      #expect(try await world.service.auditPlace(of: number)?.position == UInt64(index))
      _ = try await world.proof(of: number)
    }
  }
}
