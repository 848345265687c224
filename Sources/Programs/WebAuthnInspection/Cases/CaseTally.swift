// SPDX-License-Identifier: Apache-2.0

/// Counts the cases that passed, failed or were skipped.
public struct CaseTally: Hashable, Sendable, CustomStringConvertible {
  /// The number of cases that behaved as expected.
  public private(set) var passed = 0

  /// The number of cases that did not.
  public private(set) var failed = 0

  /// The number of cases that the installed libcrypto cannot verify.
  public private(set) var skipped = 0

  /// Creates an empty tally.
  public init() {}

  /// The number of all counted cases.
  public var total: Int { passed + failed + skipped }

  /// The numbers, such as `3 passed, 0 failed`.
  public var description: String { "\(passed) passed, \(failed) failed\(skipped == 0 ? "" : ", \(skipped) skipped")" }

  /// Counts a skipped case.
  public mutating func skip() {
    skipped += 1
  }

  /// Counts a verified case.
  public mutating func count(_ isAsExpected: Bool) {
    if isAsExpected { passed += 1 } else { failed += 1 }
  }
}
