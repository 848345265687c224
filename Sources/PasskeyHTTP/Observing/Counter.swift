// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A counter: a number that only increases.
public final class Counter: Metric {
  private let number = Atomic<Int>(0)

  /// Adds to the counter; ignores negative values.
  public func add(_ count: Int = 1) {
    number.wrappingAdd(max(0, count), ordering: .relaxed)
  }

  /// The current value.
  public var value: Int { number.load(ordering: .relaxed) }

  /// The Prometheus type name.
  public static var typeName: String { "counter" }

  /// Returns one line with the value.
  public func lines(_ series: (_ suffix: String, _ more: String?) -> String) -> [String] {
    ["\(series("", nil)) \(value)"]
  }
}
