// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A counter: a number that only increases.
package final class Counter: Metric {
  private let number = Atomic<Int>(0)

  /// Adds to the counter; ignores negative values.
  package func add(_ count: Int = 1) {
    number.wrappingAdd(max(0, count), ordering: .relaxed)
  }

  /// The current value.
  package var value: Int { number.load(ordering: .relaxed) }

  /// The Prometheus type name.
  package static var typeName: String { "counter" }

  /// Returns one line with the value.
  package func lines(_ series: (_ suffix: String, _ more: String?) -> String) -> [String] {
    ["\(series("", nil)) \(value)"]
  }
}

/// A gauge: a number that increases and decreases.
package final class Gauge: Metric {
  private let number = Atomic<Int>(0)

  /// Adds a positive or negative number.
  package func add(_ count: Int) {
    number.wrappingAdd(count, ordering: .relaxed)
  }

  /// Sets the value.
  package func set(_ value: Int) {
    number.store(value, ordering: .relaxed)
  }

  /// The current value.
  package var value: Int { number.load(ordering: .relaxed) }

  /// The Prometheus type name.
  package static var typeName: String { "gauge" }

  /// Returns one line with the value.
  package func lines(_ series: (_ suffix: String, _ more: String?) -> String) -> [String] {
    ["\(series("", nil)) \(value)"]
  }
}

/// A histogram of durations.
package final class Histogram: Metric {
  private let bounds: [Duration]
  /// One counter for each bound, and one for durations above the last.
  private let counts: [Counter]
  private let microseconds = Atomic<Int>(0)

  /// Bounds from half a millisecond to ten seconds.
  package static let defaultBounds: [Duration] = [
    .microseconds(500), .milliseconds(1), .microseconds(2_500), .milliseconds(5), .milliseconds(10), .milliseconds(25),
    .milliseconds(50), .milliseconds(100), .milliseconds(250), .milliseconds(500), .seconds(1),
    .microseconds(2_500_000),
    .seconds(5), .seconds(10),
  ]

  init(bounds: [Duration]) {
    self.bounds = bounds.sorted()
    counts = (0...bounds.count).map { _ in Counter() }
  }

  /// Records a duration.
  package func observe(_ duration: Duration) {
    counts[bounds.firstIndex { duration <= $0 } ?? bounds.count].add()
    microseconds.wrappingAdd(Int(clamping: duration.nanoseconds / 1_000), ordering: .relaxed)
  }

  /// The number of recorded durations.
  package var count: Int { counts.reduce(0) { $0 &+ $1.value } }

  /// The Prometheus type name.
  package static var typeName: String { "histogram" }

  /// Returns a cumulative line for each bound, and lines for the sum and the count.
  package func lines(_ series: (_ suffix: String, _ more: String?) -> String) -> [String] {
    var lines: [String] = []
    var sum = 0
    for (bound, count) in zip(bounds.map { Self.seconds($0.nanoseconds / 1_000) } + ["+Inf"], counts) {
      sum &+= count.value
      lines.append("\(series("_bucket", "le=\"\(bound)\"")) \(sum)")
    }
    lines.append("\(series("_sum", nil)) \(Self.seconds(Int64(microseconds.load(ordering: .relaxed))))")
    lines.append("\(series("_count", nil)) \(sum)")
    return lines
  }

  /// Microseconds as a decimal number of seconds without needless zeros.
  private static func seconds(_ microseconds: Int64) -> String {
    let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    guard rest != 0 else { return String(whole) }
    var digits = String(rest)
    digits = String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    while digits.last == "0" { digits.removeLast() }
    return "\(whole).\(digits)"
  }
}
