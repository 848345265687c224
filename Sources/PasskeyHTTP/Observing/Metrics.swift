// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import SystemIO

/// What a server counts, as text for Prometheus.
///
/// Each family has at most 256 sets of labels [whoever chooses a label's value could otherwise fill the memory]; what comes
/// beyond is counted in one set whose labels are all `other`.
public final class Metrics: Sendable {
  private let families = Locked<[any MetricFamily]>([])

  /// No families.
  public init() {}

  /// A family of numbers that only grow.
  public func counters(_ name: String, _ help: String, labels: [String] = []) -> MetricSet<Counter> {
    add(MetricSet(MetricHead(name: name, help: help, labels: labels)) { Counter() })
  }

  /// A family of numbers that rise and fall.
  public func gauges(_ name: String, _ help: String, labels: [String] = []) -> MetricSet<Gauge> {
    add(MetricSet(MetricHead(name: name, help: help, labels: labels)) { Gauge() })
  }

  /// A family of times that something took.
  public func histograms(
    _ name: String, _ help: String, labels: [String] = [], bounds: [Duration] = Histogram.usualBounds
  ) -> MetricSet<Histogram> {
    add(MetricSet(MetricHead(name: name, help: help, labels: labels)) { Histogram(bounds: bounds) })
  }

  /// A number that is asked for when the text is written.
  public func observe(_ name: String, _ help: String, _ value: @escaping @Sendable () -> Int) {
    families.withLock { $0.append(ObservedNumber(head: MetricHead(name: name, help: help, labels: []), value: value)) }
  }

  /// All families, in the format of Prometheus (version 0.0.4).
  public var text: String {
    var text = ""
    for family in families.withLock({ $0 }) { family.write(to: &text) }
    return text
  }

  /// The type of ``text``.
  public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  private func add<Family: MetricFamily>(_ family: Family) -> Family {
    families.withLock { $0.append(family) }
    return family
  }
}

/// What can write its numbers.
protocol MetricFamily: Sendable {
  func write(to text: inout String)
}

/// A family's name and what it is.
struct MetricHead: Sendable {
  let name: String
  let help: String
  let labels: [String]

  func write(type: String, to text: inout String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
  }

  /// `name{label="value",…}`, with what else stands between the braces.
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

/// A number that is asked for when it is wanted.
struct ObservedNumber: MetricFamily {
  let head: MetricHead
  let value: @Sendable () -> Int

  func write(to text: inout String) {
    head.write(type: "gauge", to: &text)
    text += "\(head.series("", [])) \(value())\n"
  }
}
