// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PasskeyAudit

struct TimeComparisonTests {
  /// Times between 2 and 4 ms, some of them ten times as long, as on a busy machine.
  private static func times(_ generator: inout SampleGenerator, slowerBy difference: Double = 0) -> [Double] {
    (0..<80).map { (_) in
      let time = 0.002 + Double(generator.next() % 2_000) / 1_000_000
      return (generator.next() % 20 == 0 ? time * 10 : time) + difference
    }
  }

  @Test func `equal times never differ in a thousand comparisons`() {
    var generator = SampleGenerator()
    let found = (0..<1_000).count { (_) in
      TimeComparison(Self.times(&generator), Self.times(&generator)).differs
    }
    #expect(found == 0)
  }

  @Test func `a difference of a millisecond is found, with its medians`() {
    var generator = SampleGenerator()
    let comparison = TimeComparison(Self.times(&generator, slowerBy: 0.001), Self.times(&generator))
    #expect(comparison.differs)
    #expect(comparison.description.contains("a known name takes"))
  }

  @Test func `a difference in one half of the samples is not enough`() {
    var generator = SampleGenerator()
    let early = Self.times(&generator, slowerBy: 0.004).prefix(40) + Self.times(&generator).prefix(40)
    #expect(!TimeComparison(Array(early), Self.times(&generator)).differs)
  }

  @Test func `few samples are not judged`() {
    #expect(!TimeComparison([1, 1, 1], [9, 9, 9]).differs)
    #expect(!TimeComparison([], []).differs)
  }
}

/// A linear congruential generator, so that each run has the same samples.
private struct SampleGenerator {
  private var state: UInt64 = 20_261_123

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 33
  }
}
