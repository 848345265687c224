// SPDX-License-Identifier: Apache-2.0

/// The measurements of a load.
package struct LoadFigures: Sendable {
  /// One second of the load.
  package struct Second: Sendable {
    /// The end of the second, after the beginning of the load.
    package var time: Double
    /// The planned operations per second, or clients.
    package var level: Double
    package var successCount = 0
    package var failureCount = 0
    /// Latencies of all operations from their intended start, in microseconds: the median, 99 %, 99.9 % and the longest.
    package var median: Int64 = 0
    package var p99: Int64 = 0
    package var p999: Int64 = 0
    package var maximum: Int64 = 0
    /// The CPU time of the generator's thread by the elapsed time.
    package var processorShare = 0.0
    /// The length of the interval in seconds.
    package var length = 1.0

    /// The completed operations per second.
    package var rate: Double { length > 0 ? Double(successCount + failureCount) / length : 0 }
  }

  /// The measurements of each kind of operation.
  package internal(set) var operations: [LoadOperation: OperationFigures] = [:]

  /// The measurements of each endpoint, by its name in the profile.
  package internal(set) var endpoints: [String: OperationFigures] = [:]

  package internal(set) var seconds: [Second] = []

  /// The duration of the measured phases in seconds.
  package internal(set) var duration = 0.0

  /// The CPU time of the generator's thread by the elapsed time.
  package internal(set) var processorShare = 0.0

  /// The times by which operations started later than intended, because the generator was busy.
  package internal(set) var lag = LatencyHistogram()

  /// The number of operations that started late because the maximum number was running.
  package internal(set) var limitedCount = 0

  /// The largest number of operations that ran at the same time.
  package internal(set) var highestConcurrency = 0

  /// Whether the user stopped the load.
  package internal(set) var wasStopped = false

  /// The number of operations without an outcome when the load was stopped.
  package internal(set) var abandonedCount = 0

  /// The histograms of each second; empty unless the plan keeps them.
  package internal(set) var log: HistogramLog

  init(start: Double) { log = HistogramLog(start: start) }

  /// The measurements of all operations together.
  package var total: OperationFigures {
    operations.values.reduce(into: OperationFigures()) { $0.add($1) }
  }

  /// The successful operations per second.
  package var rate: Double { duration > 0 ? Double(total.successCount) / duration : 0 }

  /// The reasons why the generator, rather than the server, may have limited the load. Empty if it did not, and without a
  /// measured operation.
  package var bottlenecks: [String] {
    guard total.successCount + total.failureCount > 0 else { return [] }
    var reasons: [String] = []
    if processorShare > Self.highestShare {
      reasons.append("its thread used \((processorShare * 100).fixed(0)) % of a processor")
    }
    let late = lag.quantile(0.99)
    if late > Self.longestLag, Double(late) > 0.05 * Double(total.corrected.quantile(0.99)) {
      reasons.append("1 % of the operations started more than \(Double(late).asDuration) late")
    }
    return reasons
  }

  // 90 % of a processor [above, a reply waits for the thread]
  private static let highestShare = 0.9
  // 1 ms, and 5 % of the latency [then it changes the result]
  private static let longestLag: Int64 = 1_000

  /// Returns the measurements to which an objective applies.
  package func figures(for objective: Objective) -> OperationFigures {
    objective.operation.map { operations[$0] ?? OperationFigures() } ?? total
  }

  /// Returns whether all objectives hold.
  package func holds(_ objectives: [Objective]) -> Bool {
    objectives.allSatisfy { $0.holds($0.value(in: figures(for: $0))) }
  }
}
