// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import PasskeyTransparencyLog
import Testing

/// Logs that are recomputed and compared with kept checkpoints.
@Suite struct LogReplayTests {
  /// Checkpoints of a log with 300 entries.
  private static func kept() throws -> [Checkpoint] {
    let log = try SampleLog(entries: 300)
    return try [300, 0, 1, 255, 256, 256, 120].map { size in
      try Checkpoint(origin: SampleLog.origin, size: UInt64(size), root: log.roots[size])
    }
  }

  /// Replays entries and returns the error and the size at which it was found.
  private static func replay(
    _ entries: [TreeHash], _ checkpoints: [Checkpoint]
  ) -> (code: TransparencyLogError.Code, size: UInt64)? {
    var size: UInt64 = 0
    do throws(TransparencyLogError) {
      var replay = try LogReplay(checkpoints)
      for entry in entries {
        size += 1
        try replay.append(entry)
      }
      try replay.finish()
      return nil
    } catch {
      return (error.code, size)
    }
  }

  private static let entries = (0..<300).map(SampleLog.entry)

  @Test func `an unchanged log passes, also with later entries`() throws {
    #expect(Self.replay(Self.entries, try Self.kept()) == nil)
    #expect(Self.replay(Self.entries + [SampleLog.entry(300)], try Self.kept()) == nil)
  }

  @Test(arguments: [(0, 1), (1, 120), (119, 120), (120, 255), (255, 256), (299, 300)])
  func `a changed entry is detected at the next checkpoint`(index: Int, size: UInt64) throws {
    var entries = Self.entries
    entries[index] = TreeHash(ofEntry: "changed".utf8)
    let found = Self.replay(entries, try Self.kept())
    #expect(found?.code == .rootMismatch)
    #expect(found?.size == size)
  }

  @Test func `removed, inserted and exchanged entries are detected`() throws {
    var removed = Self.entries
    removed.remove(at: 130)
    var inserted = Self.entries
    inserted.insert(SampleLog.entry(5), at: 130)
    var exchanged = Self.entries
    exchanged.swapAt(130, 131)
    for entries in [removed, inserted, exchanged] {
      let found = Self.replay(entries, try Self.kept())
      #expect(found?.code == .rootMismatch)
      #expect(found?.size == 255)
    }
  }

  @Test func `a truncated log is a rollback`() throws {
    #expect(Self.replay(Self.entries.dropLast(), try Self.kept())?.code == .rollback)
    #expect(Self.replay([], try Self.kept())?.code == .rollback)
  }

  @Test func `two checkpoints of one size with different roots are a fork`() throws {
    let other = try Checkpoint(origin: SampleLog.origin, size: 120, root: SampleLog.entry(1))
    #expect(Self.replay(Self.entries, try Self.kept() + [other])?.code == .fork)
  }

  @Test func `checkpoints of two logs are not mixed`() throws {
    let other = try Checkpoint(origin: "log.example/other", size: 0, root: .empty)
    #expect(Self.replay(Self.entries, try Self.kept() + [other])?.code == .originMismatch)
  }

  @Test func `checkpoints may be added in parts before their entries`() throws {
    let log = try SampleLog(entries: 300)
    func checkpoint(_ size: Int, root: TreeHash? = nil) throws -> Checkpoint {
      try Checkpoint(origin: SampleLog.origin, size: UInt64(size), root: root ?? log.roots[size])
    }
    var replay = try LogReplay([checkpoint(300), checkpoint(0)])
    for start in stride(from: 0, to: 300, by: 50) {
      try replay.add([checkpoint(start), checkpoint(start + 50), checkpoint(start + 7)])
      for index in start..<start + 50 { try replay.append(Self.entries[index]) }
    }
    try replay.finish()
    func code(_ body: (inout LogReplay) throws(TransparencyLogError) -> Void) -> TransparencyLogError.Code? {
      var replay = replay
      do throws(TransparencyLogError) {
        try body(&replay)
        return nil
      } catch {
        return error.code
      }
    }
    let (late, wrong) = (try checkpoint(299), try checkpoint(300, root: SampleLog.entry(1)))
    let foreign = try Checkpoint(origin: "log.example/other", size: 301, root: .empty)
    let fork = [try checkpoint(301, root: SampleLog.entry(1)), try checkpoint(301, root: SampleLog.entry(2))]
    #expect(code { (replay) throws(TransparencyLogError) in try replay.add([late]) } == .rollback)
    #expect(code { (replay) throws(TransparencyLogError) in try replay.add([wrong]) } == .rootMismatch)
    #expect(code { (replay) throws(TransparencyLogError) in try replay.add([foreign]) } == .originMismatch)
    #expect(code { (replay) throws(TransparencyLogError) in try replay.add(fork) } == .fork)
    let next = try checkpoint(301, root: SampleLog.entry(1))
    let entry = SampleLog.entry(300)
    #expect(
      code { (replay) throws(TransparencyLogError) in
        try replay.add([next])
        try replay.append(entry)
      } == .rootMismatch)
  }
}
