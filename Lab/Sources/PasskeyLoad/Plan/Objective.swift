// SPDX-License-Identifier: Apache-2.0

// objective = [operation ":"] metric ("<" | "<=") value
// metric = "p" percentage | "mean" | "max" | "errors"
// value = number ("us" | "µs" | "ms" | "s" | "%")

/// A limit that a load has to keep, such as `p99<50ms` or `sign-in:errors<0.1%`.
package struct Objective: Hashable, Sendable, CustomStringConvertible {
  /// The limited quantity.
  package enum Metric: Hashable, Sendable {
    /// The latency that this share of the operations does not exceed.
    case quantile(Double)
    /// The mean latency.
    case mean
    /// The longest latency.
    case maximum
    /// The share of failed operations.
    case errors
  }

  /// The kind of operation; nil for all together.
  package let operation: LoadOperation?
  package let metric: Metric

  /// The limit: microseconds, or a share.
  package let limit: Double

  /// Whether a value that equals the limit keeps it.
  private let isInclusive: Bool

  /// The objective as the user wrote it, without spaces.
  package let description: String

  /// Parses an objective.
  ///
  /// - Throws: `load.invalid-objective`.
  package init(_ text: String) throws(LoadError) {
    let compact = String(text.filter { $0 != " " })
    let refusal = LoadError(.invalidObjective, "write an objective as p99<50ms or sign-in:errors<0.1%")
    var rest = compact[...]
    if let colon = rest.firstIndex(of: ":") {
      guard let operation = LoadOperation(rawValue: String(rest[..<colon])) else { throw refusal }
      self.operation = operation
      rest = rest[rest.index(after: colon)...]
    } else {
      operation = nil
    }
    let parts = rest.split(separator: "<", omittingEmptySubsequences: false)
    guard parts.count == 2, let metric = Self.metric(parts[0]) else { throw refusal }
    self.metric = metric
    isInclusive = parts[1].hasPrefix("=")
    let value = isInclusive ? parts[1].dropFirst() : parts[1]
    guard let limit = Self.limit(value, isShare: metric == .errors) else { throw refusal }
    self.limit = limit
    description = compact
  }

  private static func metric(_ text: Substring) -> Metric? {
    switch text {
    case "mean": return .mean
    case "max": return .maximum
    case "errors": return .errors
    default: break
    }
    guard text.first == "p", let number = Double(text.dropFirst()), number > 0, number < 100 else { return nil }
    return .quantile(number / 100)
  }

  private static func limit(_ text: Substring, isShare: Bool) -> Double? {
    let units: [(String, Double)] = isShare ? [("%", 0.01)] : [("us", 1), ("µs", 1), ("ms", 1e3), ("s", 1e6)]
    guard let (unit, factor) = units.first(where: { text.hasSuffix($0.0) }),
      let number = Double(text.dropLast(unit.count)), number.isFinite, number >= 0
    else { return nil }
    return number * factor
  }

  /// Returns the measured value: microseconds, or a share. Nil without operations.
  package func value(in figures: OperationFigures) -> Double? {
    guard figures.successCount + figures.failureCount > 0 else { return nil }
    switch metric {
    case .quantile(let share):
      // A failure has no latency. It counts as longer than any.
      let total = figures.successCount + figures.failureCount
      let shareOfSuccesses = share * Double(total) / Double(max(1, figures.successCount))
      return shareOfSuccesses > 1 ? .infinity : Double(figures.corrected.quantile(shareOfSuccesses))
    case .mean: return figures.successCount > 0 ? figures.corrected.mean : .infinity
    case .maximum: return figures.failureCount == 0 ? Double(figures.corrected.maximum) : .infinity
    case .errors: return figures.failureShare
    }
  }

  /// Returns whether a measured value keeps the limit.
  package func holds(_ value: Double?) -> Bool {
    value.map { $0 < limit || $0 == limit && (isInclusive || limit == 0) } ?? false
  }

  /// Returns a value of this metric as text.
  package func text(_ value: Double?) -> String {
    guard let value else { return "no operations" }
    guard value.isFinite else { return "failures" }
    return metric == .errors ? "\((value * 100).fixed(3)) %" : value.asDuration
  }
}
