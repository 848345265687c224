// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

@Suite struct PropertyRunsTests {
  private struct Found: Error {}

  @Test func `expensive properties run proportionally fewer tries in long runs`() {
    #expect(PropertyRuns.count(default: 20_000, of: 10_000_000) == 10_000_000)
    #expect(PropertyRuns.count(default: 600, of: 10_000_000) == 300_000)
    #expect(PropertyRuns.count(default: 600, of: 1) == 1)
    #expect(PropertyRuns.count(default: 600, of: .max) == .max)
  }

  @Test func `a failing run is named and reproducible`() throws {
    var numbers: [UInt64] = []
    let counterexample = try #require(throws: PropertyRuns.Counterexample.self) {
      try PropertyRuns.check { generator in
        numbers.append(generator.next())
        if numbers.count == 8 { throw Found() }
      }
    }
    #expect(counterexample.run == 7)
    #expect(counterexample.error is Found)
    var again = PropertyRuns.generator(run: 7)
    #expect(again.next() == numbers.last)
    #expect(Set(numbers).count == 8)
  }
}
