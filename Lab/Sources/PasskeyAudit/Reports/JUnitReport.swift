// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A report in the XML of JUnit, which most CI systems show as tests. A suite is a group, a test case is a check.
package enum JUnitReport {
  /// Returns the document.
  package static func text(_ judged: JudgedReport) -> [UInt8] {
    let report = judged.report
    var groups: [String] = []
    for finding in report.findings where !groups.contains(finding.group) { groups.append(finding.group) }
    var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"]
    let time = TerminalReport.duration(report.seconds).split(separator: " ").first.flatMap { Double($0) } ?? 0
    // The schema of Jenkins has `skipped` in the suites only.
    lines.append("<testsuites name=\"passkey audit\" \(totals(report.findings, judged)) time=\"\(time)\">")
    for group in groups {
      let findings = report.findings.filter { $0.group == group }
      lines.append(
        "  <testsuite name=\"\(ReportText.markup(group))\" \(counts(findings, judged)) "
          + "timestamp=\"\(report.began.description.prefix(19))\" hostname=\"\(attribute(report.server))\">")
      lines += findings.flatMap { (finding) in testCase(finding, judged) }
      lines.append("  </testsuite>")
    }
    lines.append("</testsuites>")
    return [UInt8]((lines.joined(separator: "\n") + "\n").utf8)
  }

  private static func totals(_ findings: [Finding], _ judged: JudgedReport) -> String {
    let failures = findings.count { judged.outcome(of: $0) == .fail }
    return "tests=\"\(findings.count)\" failures=\"\(failures)\" errors=\"0\""
  }

  private static func counts(_ findings: [Finding], _ judged: JudgedReport) -> String {
    let skipped = findings.map(judged.outcome).count { $0 == .accepted || $0 == .cannotTell }
    return "\(totals(findings, judged)) skipped=\"\(skipped)\""
  }

  private static func testCase(_ finding: Finding, _ judged: JudgedReport) -> [String] {
    let head =
      "    <testcase name=\"\(attribute(finding.id)): \(attribute(finding.title))\" classname=\"\(attribute(finding.group))\""
    let detail = attribute(finding.detail ?? "")
    switch judged.outcome(of: finding) {
    case .pass: return [head + "/>"]
    case .cannotTell: return [head + ">", "      <skipped message=\"cannot tell: \(detail)\"/>", "    </testcase>"]
    case .accepted:
      let acceptance = judged.acceptance(of: finding)
      let reason = "accepted until \(acceptance?.lastDay ?? ""): \(acceptance?.reason ?? "")"
      return [head + ">", "      <skipped message=\"\(attribute(reason))\"/>", "    </testcase>"]
    case .fail:
      return [
        head + ">",
        "      <failure message=\"\(detail)\" type=\"\(finding.severity)\">"
          + ReportText.markup(text(of: finding)) + "</failure>", "    </testcase>",
      ]
    }
  }

  private static func text(of finding: Finding) -> String {
    var lines = [finding.rationale, finding.advice, finding.references.joined(separator: ", ")]
    for exchange in finding.exchanges { lines += [CurlCommand.line(for: exchange), exchange.forReport.outcome] }
    return lines.joined(separator: "\n")
  }

  private static func attribute(_ text: String) -> String { ReportText.markup(ReportText.line(text)) }
}
