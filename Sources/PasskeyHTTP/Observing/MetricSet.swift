// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import SystemIO

/// A metric that can be exported for Prometheus, with one instance per label set.
public protocol Metric: AnyObject, Sendable {
  /// The Prometheus type name.
  static var typeName: String { get }

  /// Returns the lines of one label set. `series` formats the name of a line from a suffix and an additional label.
  func lines(_ series: (_ suffix: String, _ more: String?) -> String) -> [String]
}

/// A metric family: one metric for each label set in use.
public final class MetricSet<Kind: Metric>: MetricFamily, Sendable {
  private let head: MetricHead
  private let make: @Sendable () -> Kind
  private let metrics = Locked<[[String]: Kind]>([:])

  static var maximumCount: Int { 256 }

  init(_ head: MetricHead, _ make: @escaping @Sendable () -> Kind) {
    self.head = head
    self.make = make
  }

  /// The metric for these label values, in the order of the label names. Store it if you use it often.
  public subscript(_ values: String...) -> Kind {
    metric(values)
  }

  private func metric(_ values: [String]) -> Kind {
    metrics.withLock { (metrics) in
      if let metric = metrics[values] { return metric }
      let key = metrics.count < Self.maximumCount ? values : values.map { _ in "other" }
      let metric = metrics[key] ?? make()
      metrics[key] = metric
      return metric
    }
  }

  func write(to text: inout String) {
    let metrics = metrics.withLock { $0 }
    guard !metrics.isEmpty else { return }
    head.write(type: Kind.typeName, to: &text)
    for (values, metric) in metrics.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      for line in metric.lines({ head.series($0, values, and: $1) }) { text += line + "\n" }
    }
  }
}
