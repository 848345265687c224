// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// A ceremony with one fault, and what should come of it by the order of the standard's steps.
struct Mutant<Attempt> {
  let name: String
  let attempt: Attempt
  let expected: Verdict

  init(_ name: String, _ original: Attempt, _ expected: Verdict, _ spoil: (inout Attempt) throws -> Void) rethrows {
    var attempt = original
    try spoil(&attempt)
    (self.name, self.attempt, self.expected) = (name, attempt, expected)
  }
}

/// Which bits of a byte are turned, one at a time: one in usual runs, another from byte to byte, and all of them in
/// long ones.
func turnedBits(at index: Int) -> [UInt8] {
  PropertyRuns.count() > PropertyRuns.usualCount ? (0..<8).map { 1 << $0 } : [1 << UInt8(index % 8)]
}
