// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PasskeySQLite
@testable import PasskeyStorage

struct CheckpointProgressTests {
  private var progress = CheckpointProgress()

  /// Returns the steps for a log of these lengths. Each checkpoint in the background ends before the next length.
  private mutating func steps(_ lengths: Int32...) -> [CheckpointProgress.Step] {
    lengths.map { (length) in
      defer { progress.isRunning = false }
      return progress.next(at: length)
    }
  }

  @Test mutating func `pages are copied in portions, one at a time`() {
    #expect(progress.next(at: 2_047) == .none)
    #expect(progress.next(at: 2_048) == .inBackground)
    #expect(progress.next(at: 9_000) == .none)
    progress.isRunning = false
    #expect(steps(4_095, 4_096, 4_097) == [.none, .inBackground, .none])
  }

  @Test mutating func `a long log begins again when little remains to be copied`() {
    #expect(steps(12_288, 12_500, 12_560) == [.inBackground, .inBackground, .here])
    // The next write is at the start of the log.
    #expect(steps(9, 2_047, 2_048) == [.none, .none, .inBackground])
  }

  @Test mutating func `writers that are faster than the disk wait in the end`() {
    var length: Int32 = 12_288
    var steps: [CheckpointProgress.Step] = []
    for _ in 0..<7 {
      steps += self.steps(length)
      length += 3_000
    }
    #expect(steps == Array(repeating: .inBackground, count: 5) + [.here, .inBackground])
  }

  @Test mutating func `a reader that keeps the log from beginning again causes no checkpoint after each write`() {
    #expect(steps(12_288, 12_300) == [.inBackground, .here])
    var checkpointCount = 0
    for length in Int32(12_301)..<14_401 where steps(length) != [.none] { checkpointCount += 1 }
    #expect(checkpointCount == 2)
  }
}
