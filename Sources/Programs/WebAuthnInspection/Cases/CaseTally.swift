// SPDX-License-Identifier: Apache-2.0

/// Counts the cases that passed, failed or were skipped.
package struct CaseTally: Hashable, Sendable, CustomStringConvertible {
  /// The number of cases that behaved as expected.
  package private(set) var passed = 0

  /// The number of cases that did not.
  package private(set) var failed = 0

  /// The number of cases that the installed libcrypto cannot verify.
  package private(set) var skipped = 0

  /// Creates an empty tally.
  package init() {}

  /// The number of all counted cases.
  package var total: Int { passed + failed + skipped }

  /// The numbers, such as `3 passed, 0 failed`.
  package var description: String { "\(passed) passed, \(failed) failed\(skipped == 0 ? "" : ", \(skipped) skipped")" }

  /// Counts a skipped case.
  package mutating func skip() {
    skipped += 1
  }

  /// Counts a verified case.
  package mutating func count(_ isAsExpected: Bool) {
    if isAsExpected { passed += 1 } else { failed += 1 }
  }
}
