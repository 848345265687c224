// SPDX-License-Identifier: Apache-2.0

/// A report for a terminal: the failures with advice, what could not be judged, and the totals.
package struct TerminalReport {
  package let judged: JudgedReport
  /// Whether to print the exchanges of each finding, and a command of curl for each request.
  package let showsExchanges: Bool
  /// Marks text as important, such as with bold letters.
  package let emphasize: (String) -> String

  package init(
    _ judged: JudgedReport, showsExchanges: Bool = false, emphasize: @escaping (String) -> String = { $0 }
  ) {
    self.judged = judged
    self.showsExchanges = showsExchanges
    self.emphasize = emphasize
  }

  /// The report. Each line ends with a line break.
  package var text: String {
    let report = judged.report
    var lines = [
      "\(ReportText.line(report.server)), profile \(ReportText.line(report.profile)): "
        + "\(ReportText.count(report.findings.count, "check")), \(ReportText.count(report.requestCount, "request")), "
        + Self.duration(report.seconds)
    ]
    for outcome in showsExchanges ? [.fail, .accepted, .cannotTell, .pass] : [JudgedReport.Outcome.fail, .accepted] {
      let findings = judged.findings(outcome)
      guard !findings.isEmpty else { continue }
      if outcome == .fail, !showsExchanges {
        lines += [""] + FindingCause.groups(of: findings).flatMap { self.lines(for: $0.findings, with: $0.cause) }
      } else {
        lines += [""] + findings.flatMap { self.lines(for: $0, outcome) }
      }
    }
    if !showsExchanges { lines += unjudged }
    lines += [""]
    lines += waits
    lines += Self.first(report.leftBehind, of: "left behind")
    lines += judged.baselineNotes.map { "baseline: \($0)" }
    lines += Self.unjudgedGroups(of: report)
    lines.append(Self.totals(judged))
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns the lines for failures with one cause: its effect, what each check found, and the advice of the first one.
  private func lines(for findings: [Finding], with cause: FindingCause?) -> [String] {
    guard let cause, let first = findings.first, findings.count > 1 else {
      return findings.flatMap { self.lines(for: $0, .fail) }
    }
    var lines = [
      emphasize("fail (\(first.severity))  \(findings.count) checks with one cause: \(cause.name)"),
      "  effect: \(cause.effect)",
    ]
    lines += findings.map { "  \($0.id) (\($0.severity)): \(ReportText.line($0.detail ?? ""))" }
    var advice: [String] = []
    for finding in findings where !advice.contains(finding.advice) { advice.append(finding.advice) }
    return lines + advice.map { "  advice: \($0)" }
  }

  // 10 minutes  [the time-out of options that WebAuthn recommends at most]
  private static let longestWait: Int64 = 600

  /// The checks that a longer `--patience` would judge, in the order of its length.
  private var waits: [String] {
    var waits: [Int64: [String]] = [:]
    for finding in judged.report.findings {
      guard let seconds = finding.neededPatience, seconds <= Self.longestWait else { continue }
      waits[seconds, default: []].append(finding.id)
    }
    return waits.sorted { $0.key < $1.key }.map { (seconds, ids) in
      "worth a wait: --patience \(AuditWorld.patience(seconds)) also judges \(ids.joined(separator: ", "))"
    }
  }

  private static func unjudgedGroups(of report: AuditReport) -> [String] {
    let groups = report.unjudgedGroups
    guard !groups.isEmpty else { return [] }
    let count = "\(ReportText.count(groups.count, "group")) \(groups.count == 1 ? "was" : "were") not judged"
    return groups.map { ReportText.line("not judged: \($0.group): \($0.reason)") } + [count]
  }

  /// The totals in one line.
  package static func totals(_ judged: JudgedReport) -> String {
    JudgedReport.Outcome.allCases.map { (outcome) in "\(judged.count(outcome)) \(outcome.words)" }
      .joined(separator: ", ")
  }

  /// The checks that could not be judged, by reason, because one missing endpoint concerns many checks.
  private var unjudged: [String] {
    var reasons: [(reason: String, findings: [Finding])] = []
    for finding in judged.findings(.cannotTell) {
      let reason = ReportText.line(finding.detail ?? "")
      if let index = reasons.firstIndex(where: { $0.reason == reason }) {
        reasons[index].findings.append(finding)
      } else {
        reasons.append((reason, [finding]))
      }
    }
    return reasons.isEmpty
      ? []
      : [""]
        + reasons.flatMap { (reason, findings) in [emphasize("cannot tell: \(reason)"), "  \(names(of: findings))"] }
  }

  /// Returns the ids of findings; for a group whose findings are all among them, its name.
  private func names(of findings: [Finding]) -> String {
    var names: [String] = []
    var whole: Set<String> = []
    for finding in findings where !whole.contains(finding.group) {
      let isOfGroup = { (other: Finding) in other.group == finding.group }
      let count = findings.count(where: isOfGroup)
      if count > 1, count == judged.report.findings.count(where: isOfGroup) {
        whole.insert(finding.group)
        names.append("all of \(finding.group) (\(count))")
      } else {
        names.append(finding.id)
      }
    }
    return names.joined(separator: ", ")
  }

  /// Returns a line for each item; of a long list, the beginning.
  private static func first(_ items: [String], of kind: String) -> [String] {
    let shown = items.prefix(items.count > 5 ? 3 : 5).map { "\(kind): \(ReportText.line($0))" }
    return items.count == shown.count
      ? shown : shown + ["\(kind): \(items.count - shown.count) more, which --json lists"]
  }

  private func lines(for finding: Finding, _ outcome: JudgedReport.Outcome) -> [String] {
    let severity = outcome == .fail || outcome == .accepted ? " (\(finding.severity))" : ""
    var lines = [emphasize("\(outcome.words)\(severity)  \(finding.id)"), "  \(finding.title)"]
    lines += finding.detail.map { ["  \(outcome == .cannotTell ? "reason" : "found"): \(ReportText.line($0))"] } ?? []
    switch outcome {
    case .fail:
      lines += ["  why: \(finding.rationale)", "  advice: \(finding.advice)"]
      lines.append("  \(finding.references.joined(separator: ", "))")
    case .accepted:
      let acceptance = judged.acceptance(of: finding)
      lines += acceptance.map { ["  accepted until \($0.lastDay): \(ReportText.line($0.reason))"] } ?? []
    case .cannotTell, .pass: break
    }
    if showsExchanges { lines += finding.exchanges.flatMap(Self.lines(for:)) }
    return lines
  }

  private static func lines(for exchange: RecordedExchange) -> [String] {
    let shown = exchange.forReport
    let body = shown.responseBody.isEmpty ? [] : shown.responseBody.split(separator: "\n").map { "    \($0)" }
    return ["", "  $ \(CurlCommand.line(for: exchange))", "    \(shown.outcome)"]
      + shown.responseHeaders.map { "    \($0)" } + body
  }

  /// Returns a duration with one decimal.
  static func duration(_ seconds: Double) -> String {
    guard seconds.isFinite, 0..<1_000_000_000 ~= seconds else { return "unknown time" }
    let tenths = Int((seconds * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) s"
  }
}
