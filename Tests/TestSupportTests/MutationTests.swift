// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite struct MutationTests {
  @Test(arguments: Mutation.allCases)
  func `each way changes what it touches, more often than not`(mutation: Mutation) {
    var generator = SeededGenerator(seed: 1)
    let original = generator.bytes(100)
    let changed = (0..<200).count { _ in
      var bytes = original
      mutation.apply(to: &bytes, using: &generator)
      return bytes != original
    }
    #expect(changed > 150)
  }

  @Test(arguments: Mutation.allCases)
  func `each way copes with no bytes and with one`(mutation: Mutation) {
    var generator = SeededGenerator(seed: 2)
    for run in 0..<100 {
      var bytes = generator.bytes(run % 2)
      mutation.apply(to: &bytes, using: &generator)
      #expect(bytes.count <= 17)
    }
  }

  @Test func `the same seed spoils in the same way`() {
    var first = SeededGenerator(seed: 3)
    var second = SeededGenerator(seed: 3)
    let original = [UInt8](0..<64)
    for _ in 0..<100 {
      #expect(Mutation.mutated(original, using: &first) == Mutation.mutated(original, using: &second))
    }
  }
}
