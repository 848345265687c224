// SPDX-License-Identifier: Apache-2.0

import PasskeySQLite
import PasskeyStorage
import PasskeyTestSupport
import Testing

@Suite struct SQLiteKilledWriterTests {
  @Test func `acknowledged writes survive a killed writer`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/passkey.db"
    var generator = PropertyRuns.generator(run: 0)
    var acknowledged: Set<String> = []
    for _ in 0..<WritingProcess.rounds {
      let microseconds = Int.random(in: 1...60_000, using: &generator)
      acknowledged.formUnion(try await WritingProcess.acknowledgements(["events", path], killedAfter: microseconds))
      let storage = try await SQLiteStorage.open(path)
      let kept = Set(try await DatabaseChecks.verifiedRequests(storage))
      await storage.close()
      #expect(kept.isSuperset(of: acknowledged), "\(acknowledged.subtracting(kept).count) records are lost")
    }
    // Kills without any write in progress would prove nothing.
    #expect(acknowledged.count > WritingProcess.rounds)
  }

  @Test func `a pass of the log that a kill interrupts is repeated by another server`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/passkey.db"
    let storage = try await SQLiteStorage.open(path)
    try await InterruptedPassChecks.continuesOnAnotherServer(storage, [path])
    await storage.close()
  }

  @Test func `killed servers and deliverers lose no notice`() async throws {
    let folder = try TemporaryFolder()
    try await KilledDelivererChecks.loseNothing([folder.path + "/passkey.db"])
  }
}
