// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeySystem

/// A metrics registry that exports to Prometheus.
///
/// Each family has at most 256 label sets [a client that controls a label value could otherwise exhaust the memory].
/// Further label sets are counted as one, with `other` for every label.
///
/// The registry and its metrics are safe to use from any task.
public final class MetricsRegistry: Sendable {
  private let families = Locked<[any MetricFamily]>([])

  /// Creates an empty registry.
  public init() {}

  /// Adds a family of counters.
  package func counters(_ name: String, _ help: String, labels: [String] = []) -> MetricSet<Counter> {
    add(MetricSet(MetricHead(name: name, help: help, labels: labels)) { Counter() })
  }

  /// Adds a family of gauges.
  package func gauges(_ name: String, _ help: String, labels: [String] = []) -> MetricSet<Gauge> {
    add(MetricSet(MetricHead(name: name, help: help, labels: labels)) { Gauge() })
  }

  /// Adds a family of histograms.
  package func histograms(
    _ name: String, _ help: String, labels: [String] = [], bounds: [Duration] = Histogram.defaultBounds
  ) -> MetricSet<Histogram> {
    add(MetricSet(MetricHead(name: name, help: help, labels: labels)) { Histogram(bounds: bounds) })
  }

  /// Adds a gauge that is read when the metrics are exported.
  package func observe(_ name: String, _ help: String, _ value: @escaping @Sendable () -> Int) {
    families.withLock { $0.append(ObservedNumber(head: MetricHead(name: name, help: help, labels: []), value: value)) }
  }

  /// All families in the Prometheus text format (version 0.0.4).
  public var text: String {
    var text = ""
    for family in families.withLock({ $0 }) { family.write(to: &text) }
    return text
  }

  /// The content type of ``text``.
  public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  private func add<Family: MetricFamily>(_ family: Family) -> Family {
    families.withLock { $0.append(family) }
    return family
  }
}

/// A family that writes its metrics as text.
protocol MetricFamily: Sendable {
  func write(to text: inout String)
}

/// The name, help text and label names of a family.
struct MetricHead: Sendable {
  let name: String
  let help: String
  let labels: [String]

  func write(type: String, to text: inout String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
  }

  /// Returns `name{label="value",…}`, with an additional label if given.
  func series(_ suffix: String = "", _ values: [String], and more: String? = nil) -> String {
    var pairs = zip(labels, values).map { "\($0)=\"\(Self.escaped($1))\"" }
    if let more { pairs.append(more) }
    return pairs.isEmpty ? name + suffix : "\(name)\(suffix){\(pairs.joined(separator: ","))}"
  }

  private static func escaped(_ value: String) -> String {
    var escaped = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\"": escaped += "\\\""
      case "\n": escaped += "\\n"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

/// A gauge that is read when the metrics are exported.
struct ObservedNumber: MetricFamily {
  let head: MetricHead
  let value: @Sendable () -> Int

  func write(to text: inout String) {
    head.write(type: "gauge", to: &text)
    text += "\(head.series("", [])) \(value())\n"
  }
}

/// A metric that can be exported for Prometheus, with one instance per label set.
package protocol Metric: AnyObject, Sendable {
  /// The Prometheus type name.
  static var typeName: String { get }

  /// Returns the lines of one label set. `series` formats the name of a line from a suffix and an additional label.
  func lines(_ series: (_ suffix: String, _ more: String?) -> String) -> [String]
}

/// A metric family: one metric for each label set in use.
package final class MetricSet<Kind: Metric>: MetricFamily, Sendable {
  private let head: MetricHead
  private let make: @Sendable () -> Kind
  private let metrics = Locked<[[String]: Kind]>([:])

  static var maximumCount: Int { 256 }

  init(_ head: MetricHead, _ make: @escaping @Sendable () -> Kind) {
    self.head = head
    self.make = make
  }

  /// The metric for these label values, in the order of the label names. Store it if you use it often.
  package subscript(_ values: String...) -> Kind {
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
