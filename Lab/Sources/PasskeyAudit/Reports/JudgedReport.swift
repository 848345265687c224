// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// A report together with the accepted findings and the severity at which an audit fails.
package struct JudgedReport: Sendable {
  package let report: AuditReport
  package let baseline: Baseline
  /// The least severity of a failure that makes the audit fail.
  package let threshold: Severity
  /// The time that decides which acceptances have expired.
  package let now: UnixTime

  /// Judges a report.
  package init(_ report: AuditReport, baseline: Baseline = Baseline(), threshold: Severity = .medium, now: UnixTime) {
    self.report = report
    self.baseline = baseline
    self.threshold = threshold
    self.now = now
  }

  /// The outcome of a finding, with the baseline applied.
  package enum Outcome: String, CaseIterable, Sendable {
    case fail, accepted
    case cannotTell = "cannot-tell"
    case pass
  }

  /// Returns the outcome of a finding.
  package func outcome(of finding: Finding) -> Outcome {
    switch finding.verdict {
    case .pass: .pass
    case .cannotTell: .cannotTell
    case .fail: acceptance(of: finding) == nil ? .fail : .accepted
    }
  }

  /// Returns the acceptance of a failed check that has not expired; nil if the baseline has no such entry.
  package func acceptance(of finding: Finding) -> Baseline.Entry? {
    baseline.entries.first { $0.id == finding.id && !$0.isExpired(at: now) }
  }

  /// The findings with this outcome, the most severe first.
  package func findings(_ outcome: Outcome) -> [Finding] {
    let matching = report.findings.enumerated().filter { self.outcome(of: $0.element) == outcome }
    return matching.sorted { (one, other) in
      (other.element.severity, one.offset) < (one.element.severity, other.offset)
    }.map(\.element)
  }

  /// Returns the number of findings with this outcome.
  package func count(_ outcome: Outcome) -> Int {
    report.findings.count { self.outcome(of: $0) == outcome }
  }

  /// The failures at or above the threshold that the baseline does not accept.
  package var blocking: [Finding] { findings(.fail).filter { $0.severity >= threshold } }

  /// Notes about the baseline: expired acceptances, and those that are no longer needed.
  package var baselineNotes: [String] {
    baseline.entries.compactMap { (entry) in
      guard let finding = report.findings.first(where: { $0.id == entry.id }) else { return nil }
      return switch (finding.verdict, entry.isExpired(at: now)) {
      case (.fail, true): "the acceptance of \(entry.id) expired on \(entry.lastDay)"
      case (.pass, _): "\(entry.id) passes: remove it from the baseline"
      default: nil
      }
    }
  }
}

extension Finding {
  /// The behavior of the server, or the reason why the check could not judge it; nil for a check that passed.
  package var detail: String? {
    switch verdict {
    case .pass: nil
    case .fail(let detail), .cannotTell(let detail): detail
    }
  }
}
