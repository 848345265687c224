// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import PasskeyTransparencyLog
import Testing

/// Two checkpoints of a log, and the dishonesty that they reveal.
@Suite struct CheckpointHistoryTests {
  private func code(_ older: SampleLog, _ newer: SampleLog, proofOf log: SampleLog) throws -> TransparencyLogError.Code?
  {
    let (first, second) = (try older.checkpoint, try newer.checkpoint)
    let proof = try ConsistencyProof(
      from: min(first.size, second.size), to: max(first.size, second.size), tiles: log.tiles)
    do throws(TransparencyLogError) {
      try proof.verify(from: first, to: second)
      return nil
    } catch {
      return error.code
    }
  }

  @Test func `an honest log passes`() throws {
    let log = try SampleLog(entries: 300)
    #expect(try code(SampleLog(entries: 100), log, proofOf: log) == nil)
    #expect(try code(log, log, proofOf: log) == nil)
    #expect(try code(SampleLog(), log, proofOf: log) == nil)
  }

  @Test func `a truncated log is a rollback`() throws {
    let log = try SampleLog(entries: 300)
    #expect(try code(log, SampleLog(entries: 299), proofOf: log) == .rollback)
    #expect(try code(log, SampleLog(), proofOf: log) == .rollback)
  }

  @Test func `another history of the same size is a fork`() throws {
    let log = try SampleLog(entries: 300)
    var other = try SampleLog(entries: 299)
    try other.append(["another entry"])
    #expect(try code(log, other, proofOf: log) == .fork)
  }

  @Test func `a longer history that changed an entry has no proof`() throws {
    let log = try SampleLog(entries: 300)
    var other = try SampleLog(entries: 200)
    try other.append(["another entry"])
    try other.append((201..<400).map { "entry \($0)" })
    #expect(try code(log, other, proofOf: other) == .consistencyMismatch)
  }

  @Test func `a tree that was rebuilt after a rollback has no proof`() throws {
    let kept = try SampleLog(entries: 300)
    var rebuilt = try SampleLog(entries: 250)
    try rebuilt.append((0..<200).map { "later \($0)" })
    #expect(try code(kept, rebuilt, proofOf: rebuilt) == .consistencyMismatch)
  }

  @Test func `checkpoints of two logs are not compared`() throws {
    let log = try SampleLog(entries: 3)
    let other = try Checkpoint(origin: "log.example/other", size: 3, root: log.tree.root)
    let error = #expect(throws: TransparencyLogError.self) {
      try ConsistencyProof(hashes: []).verify(from: log.checkpoint, to: other)
    }
    #expect(error?.code == .originMismatch)
  }
}
