// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A gauge: a number that increases and decreases.
public final class Gauge: Metric {
  private let number = Atomic<Int>(0)

  /// Adds a positive or negative number.
  public func add(_ count: Int) {
    number.wrappingAdd(count, ordering: .relaxed)
  }

  /// Sets the value.
  public func set(_ value: Int) {
    number.store(value, ordering: .relaxed)
  }

  /// The current value.
  public var value: Int { number.load(ordering: .relaxed) }

  /// The Prometheus type name.
  public static var typeName: String { "gauge" }

  /// Returns one line with the value.
  public func lines(_ series: (_ suffix: String, _ more: String?) -> String) -> [String] {
    ["\(series("", nil)) \(value)"]
  }
}
