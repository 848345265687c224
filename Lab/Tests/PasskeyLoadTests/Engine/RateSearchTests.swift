// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PasskeyLoad

@Suite struct RateSearchTests {
  /// Returns the figures of a server whose latency jumps beyond a rate.
  private static func figures(_ level: Double, capacity: Double, ownLimit: Double = .infinity) -> LoadFigures {
    var figures = LoadFigures(start: 0)
    var operation = OperationFigures()
    for _ in 0..<100 { operation.record(corrected: level > capacity ? 90_000 : 5_000, uncorrected: 1) }
    figures.operations = [.signIn: operation]
    figures.processorShare = level > ownLimit ? 0.99 : 0.1
    return figures
  }

  @Test(arguments: [1, 9.5, 137, 4_000, 99_000]) func `finds the highest rate within 5 percent`(capacity: Double) throws
  {
    let objectives = [try Objective("p99<50ms")]
    let search = RateSearch(from: 10, to: 100_000, objectives) { Self.figures($0, capacity: capacity) }
    let best = try #require(search.best)
    #expect(best <= capacity && best >= capacity / 1.06)
    #expect(search.steps.count { $0.level == best && $0.holds } >= 2)
    #expect(!search.endedAtOwnLimit)
  }

  @Test(arguments: [1, 2, 3, 7, 19, 137]) func `numbers of clients are whole`(capacity: Double) throws {
    let objectives = [try Objective("p99<50ms")]
    let search = RateSearch(from: 10, to: 300.5, objectives, isWhole: true) { Self.figures($0, capacity: capacity) }
    let best = try #require(search.best)
    #expect(best <= capacity && best >= (capacity / 1.06).rounded(.down))
    #expect(search.steps.allSatisfy { $0.level == $0.level.rounded() })
    #expect(RateSearch(from: 10, to: 300, objectives, isWhole: true) { Self.figures($0, capacity: 0) }.best == nil)
  }

  @Test func `a rate that holds only once does not count`() throws {
    var isFirst = true
    let objectives = [try Objective("p99<50ms")]
    let search = RateSearch(from: 10, to: 100_000, objectives) { (level) in
      defer { if level > 100, level < 110 { isFirst = false } }
      return Self.figures(level, capacity: isFirst ? 105 : 90)
    }
    #expect(try #require(search.best) <= 90)
  }

  @Test func `reports the limit of the generator, of the search, and a server that never holds`() throws {
    let objectives = [try Objective("p99<50ms")]
    let own = RateSearch(from: 10, to: 100_000, objectives) { Self.figures($0, capacity: .infinity, ownLimit: 500) }
    #expect(own.endedAtOwnLimit && own.best == nil && own.steps.count { $0.holds } > 2)
    #expect(own.failure == "the search found no limit of the server: this program was the limit")
    let all = RateSearch(from: 10, to: 300, objectives) { Self.figures($0, capacity: .infinity) }
    #expect(all.best == 300 && !all.endedAtOwnLimit)
    let none = RateSearch(from: 10, to: 300, objectives) { Self.figures($0, capacity: 0) }
    #expect(none.best == nil && none.failure == "the objectives held at no level")
    let unconfirmed = RateSearch(from: 10, to: 300, objectives) { Self.figures($0, capacity: 500, ownLimit: 0) }
    #expect(unconfirmed.best == nil)
    #expect(
      unconfirmed.failureSentence == "The search found no limit of the server: this program was the limit.")
  }

  @Test func `a stopped search has no result, and reports the last measurement`() throws {
    let objectives = [try Objective("p99<50ms")]
    var count = 0
    let search = RateSearch(from: 10, to: 300, objectives) { (level) in
      count += 1
      var figures = Self.figures(level, capacity: .infinity)
      figures.wasStopped = count == 3
      return figures
    }
    #expect(search.wasStopped && search.best == nil && search.steps.count == 2)
    #expect(search.failureSentence == "The search was stopped before its end.")
    #expect(!search.figures.wasStopped && search.figures.total.successCount == 100)
    let atOnce = RateSearch(from: 10, to: 300, objectives) { (level) in
      var figures = Self.figures(level, capacity: .infinity)
      figures.wasStopped = true
      return figures
    }
    #expect(atOnce.wasStopped && atOnce.steps.isEmpty && atOnce.figures.wasStopped)
  }
}
