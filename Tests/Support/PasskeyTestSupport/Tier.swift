// SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import Testing

/// How thorough a run of the tests is. `Scripts/test --tier` selects the tests by their tags, and sets the variable.
public enum Tier: String, Sendable {
  /// The tests of every change: all without one of the tags `slow`, `kill`, `matrix` and `browser`, and those with the tag `sample`.
  case change
  /// Before an issue is resolved: all tests but the slow ones.
  case merge
  /// Every test, with large counts.
  case night

  /// The tier of this run. `TEST_TIER` sets it.
  public static let current: Tier =
    unsafe getenv("TEST_TIER").flatMap { unsafe Tier(rawValue: String(cString: $0)) } ?? .change

  /// Returns the value for the tier of this run.
  public static func choose<Value>(change: Value, merge: Value, night: Value) -> Value {
    switch current {
    case .change: change
    case .merge: merge
    case .night: night
    }
  }
}

extension Tag {
  /// Takes minutes, or judges a statistic: only in the night tier.
  @Tag public static var slow: Self
  /// Kills programs under load, many times.
  @Tag public static var kill: Self
  /// Judges servers with a fault each.
  @Tag public static var matrix: Self
  /// Needs a Chromium.
  @Tag public static var browser: Self
  /// A test that the change tier runs in spite of its other tags.
  @Tag public static var sample: Self
  /// Needs a PostgreSQL server, which `Scripts/test` starts.
  @Tag public static var postgres: Self
  /// Acts on the PostgreSQL server of all tests as a whole, or measures times: runs while no other test does.
  @Tag public static var alone: Self
}
