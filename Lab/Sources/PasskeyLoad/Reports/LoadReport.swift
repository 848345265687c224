// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
internal import PasskeyProfiles
internal import WebAuthnClient

/// The result of a load, for every form of report.
package struct LoadReport: Sendable {
  /// The address of the server.
  package let server: String
  /// The name of the profile.
  package let profile: String
  package let plan: LoadPlan
  /// When the load began.
  package let start: UnixTime
  package let figures: LoadFigures

  /// The accounts that the server created before the load, and the failures.
  package var prepared = Load.Progress()
  /// The search for the highest rate; nil without one.
  package var search: RateSearch?
  /// The check of acknowledged facts after the load; nil without a check.
  package var losses: Load.Losses?
  /// The accounts that were deleted after the load; nil if they were to be kept.
  package var removed: Load.Progress?
  /// The accounts that still exist.
  package var leftCount = 0

  package init(_ target: LoadTarget, _ plan: LoadPlan, start: UnixTime, _ figures: LoadFigures) {
    server = target.server.text
    profile = target.profile.name
    self.plan = plan
    self.start = start
    self.figures = figures
  }

  /// Whether the user stopped the load or the search.
  package var wasStopped: Bool { search?.wasStopped ?? figures.wasStopped }

  /// Whether no measured operation succeeded. A load that the user stopped before the first one tells nothing.
  package var lacksSuccess: Bool {
    let total = figures.total
    return search == nil && total.successCount == 0 && (total.failureCount > 0 || !wasStopped)
  }

  /// Whether an operation succeeded, the objectives hold, and nothing was lost. A search succeeds if it found a rate.
  package var holds: Bool {
    let isReached = search.map { $0.best != nil } ?? (!lacksSuccess && figures.holds(plan.objectives))
    return isReached && losses?.isEmpty != false
  }

  /// The measured operations in the order of ``LoadOperation``.
  package var operations: [(operation: LoadOperation, figures: OperationFigures)] {
    LoadOperation.allCases.compactMap { (operation) in figures.operations[operation].map { (operation, $0) } }
  }

  /// The measured endpoints by name.
  package var endpoints: [(name: String, figures: OperationFigures)] {
    figures.endpoints.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The failures of all operations, the most frequent first.
  package var failures: [(code: String, count: Int)] { Self.sorted(figures.total.failures) }

  /// Returns failures, the most frequent first.
  package static func sorted(_ failures: [String: Int]) -> [(code: String, count: Int)] {
    failures.sorted { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }.map { ($0.key, $0.value) }
  }
}

extension LatencyHistogram {
  /// The quantiles of every report, with their names.
  package static let reported: [(name: String, share: Double)] = [
    ("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999),
  ]

  /// Returns a quantile as text; `-` without durations.
  package func text(_ share: Double) -> String { count > 0 ? Double(quantile(share)).asDuration : "-" }
}
