// SPDX-License-Identifier: Apache-2.0

/// The measurements of one kind of operation, or of one endpoint.
package struct OperationFigures: Sendable {
  /// The durations of successes from their intended start. In the closed model this is the actual start.
  package private(set) var corrected = LatencyHistogram()

  /// The durations of successes from their actual start.
  package private(set) var uncorrected = LatencyHistogram()

  /// The number of failures for each code.
  package private(set) var failures: [String: Int] = [:]

  /// The number of successes.
  package var successCount: Int { Int(corrected.count) }

  /// The number of failures.
  package var failureCount: Int { failures.values.reduce(0, +) }

  /// The share of failures.
  package var failureShare: Double {
    let total = successCount + failureCount
    return total == 0 ? 0 : Double(failureCount) / Double(total)
  }

  /// Records a success.
  mutating func record(corrected: Int64, uncorrected: Int64) {
    self.corrected.record(corrected)
    self.uncorrected.record(uncorrected)
  }

  /// Records a failure.
  mutating func record(failure code: String) {
    // 64 codes [a server could otherwise fill the memory with codes]
    let key = failures[code] != nil || failures.count < 64 ? code : "other"
    failures[key, default: 0] += 1
  }

  /// Adds the measurements of another kind.
  mutating func add(_ other: OperationFigures) {
    corrected.add(other.corrected)
    uncorrected.add(other.uncorrected)
    failures.merge(other.failures, uniquingKeysWith: +)
  }
}
