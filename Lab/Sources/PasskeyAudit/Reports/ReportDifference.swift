// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The difference between two reports on a server.
package struct ReportDifference: Sendable {
  package let old: AuditReport
  package let new: AuditReport

  package init(from old: AuditReport, to new: AuditReport) {
    self.old = old
    self.new = new
  }

  /// How the verdict on a check changed.
  package enum Change: String, CaseIterable, Sendable {
    /// Fails, and did not fail before.
    case failing
    /// Failed and passes.
    case fixed
    /// Was judged before, and cannot be judged any more.
    case unclear
    /// Could not be judged before, or is a new check, and passes.
    case clear
    /// Is no longer among the checks.
    case missing
  }

  /// The findings whose verdicts changed, in the order of the new report. A missing check is that of the old one.
  package var changes: [(change: Change, finding: Finding)] {
    let before = Dictionary(old.findings.map { ($0.id, $0) }) { (first, _) in first }
    let ids = Set(new.findings.map(\.id))
    let changed = new.findings.compactMap { (finding) in
      Self.change(from: before[finding.id]?.verdict, to: finding.verdict).map { ($0, finding) }
    }
    return changed + old.findings.filter { !ids.contains($0.id) }.map { (.missing, $0) }
  }

  /// The new failures at or above a severity.
  package func newFailures(atLeast threshold: Severity) -> [Finding] {
    changes.filter { $0.change == .failing && $0.finding.severity >= threshold }.map(\.finding)
  }

  /// The number of checks that fail in both reports.
  package var stillFailingCount: Int {
    let before = Set(old.findings.filter(\.hasFailed).map(\.id))
    return new.findings.count { $0.hasFailed && before.contains($0.id) }
  }

  private static func change(from old: Verdict?, to new: Verdict) -> Change? {
    switch (old, new) {
    case (.fail, .fail): nil
    case (_, .fail): .failing
    case (.fail, .pass): .fixed
    case (.pass, .pass), (.cannotTell, .cannotTell): nil
    case (_, .pass): .clear
    case (_, .cannotTell): .unclear
    }
  }

  /// A line for each change, and the totals.
  package var text: String {
    let changes = self.changes
    var lines = changes.map { (change, finding) in
      let detail =
        change == .failing || change == .unclear ? finding.detail.map { ": " + ReportText.line($0) } ?? "" : ""
      return "\(change.words)  \(finding.severity)  \(ReportText.line(finding.id))\(detail)"
    }
    let totals = Change.allCases.map { (change) in "\(changes.count { $0.change == change }) \(change.words)" }
    lines.append((totals + ["\(stillFailingCount) still failing"]).joined(separator: ", "))
    return lines.joined(separator: "\n") + "\n"
  }

  /// The difference as a JSON object.
  package var json: [UInt8] {
    JSON.writeObject { (object) in
      object.write("old", old.began)
      object.write("new", new.began)
      object.writeArray("changes") { (items) in
        for (change, finding) in changes {
          items.writeObject { (item) in
            item.write("change", change.rawValue)
            item.write("id", finding.id)
            item.write("severity", finding.severity.rawValue)
            item.write("title", finding.title)
            item.write("detail", finding.detail.map { .string(ReportText.line($0)) } ?? .null)
          }
        }
      }
      object.write("stillFailing", .integer(stillFailingCount))
    }
  }
}

extension ReportDifference.Change {
  /// The words for people.
  fileprivate var words: String {
    switch self {
    case .failing: "newly failing"
    case .fixed: "fixed"
    case .unclear: "no longer judged"
    case .clear: "newly passing"
    case .missing: "not checked"
    }
  }
}

extension Finding {
  var hasFailed: Bool { if case .fail = verdict { true } else { false } }
}
