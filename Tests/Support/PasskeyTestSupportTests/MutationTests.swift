// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

@Suite struct MutationTests {
  @Test(arguments: Mutation.allCases)
  func `each mutation usually changes its input`(mutation: Mutation) {
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
  func `each mutation handles zero and one byte`(mutation: Mutation) {
    var generator = SeededGenerator(seed: 2)
    for run in 0..<100 {
      var bytes = generator.bytes(run % 2)
      mutation.apply(to: &bytes, using: &generator)
      #expect(bytes.count <= 17)
    }
  }

  @Test func `the same seed mutates in the same way`() {
    var first = SeededGenerator(seed: 3)
    var second = SeededGenerator(seed: 3)
    let original = [UInt8](0..<64)
    for _ in 0..<100 {
      #expect(Mutation.mutated(original, using: &first) == Mutation.mutated(original, using: &second))
    }
  }
}
