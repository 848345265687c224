// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A number that rises and falls.
public final class Gauge: Metric {
  private let number = Atomic<Int>(0)

  /// Rises, or falls by a negative number.
  public func add(_ count: Int) {
    number.wrappingAdd(count, ordering: .relaxed)
  }

  /// Becomes another.
  public func set(_ value: Int) {
    number.store(value, ordering: .relaxed)
  }

  /// What it is.
  public var value: Int { number.load(ordering: .relaxed) }

  /// The word of Prometheus for it.
  public static var typeName: String { "gauge" }

  /// One line.
  public func lines(_ series: (_ suffix: String, _ more: String?) -> String) -> [String] {
    ["\(series("", nil)) \(value)"]
  }
}
