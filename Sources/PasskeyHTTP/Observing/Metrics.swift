// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import SystemIO

/// A metrics registry that exports to Prometheus.
///
/// Each family has at most 256 label sets [a client that controls a label value could otherwise exhaust the memory].
/// Further label sets are counted as one, with `other` for every label.
public final class Metrics: Sendable {
  private let families = Locked<[any MetricFamily]>([])

  /// Creates an empty registry.
  public init() {}

  /// Adds a family of counters.
  public func counters(_ name: String, _ help: String, labels: [String] = []) -> MetricSet<Counter> {
    add(MetricSet(MetricHead(name: name, help: help, labels: labels)) { Counter() })
  }

  /// Adds a family of gauges.
  public func gauges(_ name: String, _ help: String, labels: [String] = []) -> MetricSet<Gauge> {
    add(MetricSet(MetricHead(name: name, help: help, labels: labels)) { Gauge() })
  }

  /// Adds a family of histograms.
  public func histograms(
    _ name: String, _ help: String, labels: [String] = [], bounds: [Duration] = Histogram.usualBounds
  ) -> MetricSet<Histogram> {
    add(MetricSet(MetricHead(name: name, help: help, labels: labels)) { Histogram(bounds: bounds) })
  }

  /// Adds a gauge that is read when the metrics are exported.
  public func observe(_ name: String, _ help: String, _ value: @escaping @Sendable () -> Int) {
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
