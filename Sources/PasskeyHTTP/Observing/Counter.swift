// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A number that only grows.
public final class Counter: Metric {
  private let number = Atomic<Int>(0)

  /// Counts one more, or several.
  public func add(_ count: Int = 1) {
    number.wrappingAdd(max(0, count), ordering: .relaxed)
  }

  /// What was counted.
  public var value: Int { number.load(ordering: .relaxed) }

  /// The word of Prometheus for it.
  public static var typeName: String { "counter" }

  /// One line.
  public func lines(_ series: (_ suffix: String, _ more: String?) -> String) -> [String] {
    ["\(series("", nil)) \(value)"]
  }
}
