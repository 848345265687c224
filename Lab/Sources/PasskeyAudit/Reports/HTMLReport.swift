// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats

/// A report as one HTML file without references to other files. It is complete without its script, which only filters.
///
/// It prints as it is shown: findings that are closed take one line.
package enum HTMLReport {
  /// Returns the page.
  package static func text(_ judged: JudgedReport) -> [UInt8] {
    let report = judged.report
    let order: [JudgedReport.Outcome] = [.fail, .accepted, .cannotTell, .pass]
    let findings = order.flatMap { (outcome) in judged.findings(outcome).map { article($0, outcome, judged) } }
    let page = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
      style-src '\(source(of: style))'; script-src '\(source(of: script))'; form-action 'none'; base-uri 'none'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>Audit of \(line(report.server))</title>
      <style>\(style)</style>
      </head>
      <body>
      <header>
      <h1>Audit of <span>\(line(report.server))</span></h1>
      <p>\(judged.blocking.isEmpty ? "The audit passed" : "The audit failed"): \(ReportText.count(judged.blocking.count, "failed check")) \
      at or above the severity <strong>\(judged.threshold)</strong>.</p>
      \(counts(judged))
      \(facts(report))
      </header>
      <main>
      \(notes("Groups that were not judged", report.unjudgedGroups.map { "\($0.group): \($0.reason)" }))
      \(notes("Baseline", judged.baselineNotes))
      \(groups(judged))
      <form id="filter" hidden>
      <label>Search <input type="search" id="words" placeholder="id, title or text"></label>
      \(order.map { "<label><input type=\"checkbox\" value=\"\($0.rawValue)\" checked> \($0.words)</label>" }.joined())
      <button type="button" value="open">Open all</button> <button type="button" value="close">Close all</button>
      <output id="shown"></output>
      </form>
      \(findings.joined(separator: "\n"))
      \(notes("Left behind", report.leftBehind))
      </main>
      <script>\(script)</script>
      </body>
      </html>

      """
    return [UInt8](page.utf8)
  }

  private static func counts(_ judged: JudgedReport) -> String {
    let cells = JudgedReport.Outcome.allCases.map { (outcome) in
      "<li class=\"\(outcome.rawValue)\"><b>\(judged.count(outcome))</b> \(outcome.words)</li>"
    }
    return "<ul class=\"counts\">\(cells.joined())</ul>"
  }

  private static func facts(_ report: AuditReport) -> String {
    let rows = [
      ("began", "\(report.began)"), ("duration", TerminalReport.duration(report.seconds)),
      ("requests", "\(report.requestCount)"), ("profile", line(report.profile)),
      ("version", "passkey \(line(report.version))"),
    ]
    return "<dl>\(rows.map { "<div><dt>\($0)</dt><dd>\($1)</dd></div>" }.joined())</dl>"
  }

  private static func notes(_ title: String, _ notes: [String]) -> String {
    guard !notes.isEmpty else { return "" }
    return "<section><h2>\(title)</h2><ul>\(notes.map { "<li>\(line($0))</li>" }.joined())</ul></section>"
  }

  private static func groups(_ judged: JudgedReport) -> String {
    var groups: [String] = []
    for finding in judged.report.findings where !groups.contains(finding.group) { groups.append(finding.group) }
    let rows = groups.map { (group) in
      let findings = judged.report.findings.filter { $0.group == group }
      let cells = JudgedReport.Outcome.allCases.map { (outcome) in
        let count = findings.count { judged.outcome(of: $0) == outcome }
        return "<td class=\"\(count == 0 ? "none" : outcome.rawValue)\">\(count)</td>"
      }
      return "<tr><th scope=\"row\">\(line(group))</th>\(cells.joined())</tr>"
    }
    let head = JudgedReport.Outcome.allCases.map { "<th scope=\"col\">\($0.words)</th>" }.joined()
    return """
      <section><h2>Groups</h2><table><thead><tr><th scope="col">group</th>\(head)</tr></thead>
      <tbody>\(rows.joined(separator: "\n"))</tbody></table></section>
      """
  }

  private static func article(
    _ finding: Finding, _ outcome: JudgedReport.Outcome, _ judged: JudgedReport
  ) -> String {
    var parts = ["<p class=\"references\">\(line(finding.references.joined(separator: " · ")))</p>"]
    if let detail = finding.detail {
      parts.insert("<p class=\"detail\">\(line(detail))</p>", at: 0)
    }
    if outcome == .accepted, let acceptance = judged.acceptance(of: finding) {
      parts.append("<p>Accepted until \(line(acceptance.lastDay)): \(line(acceptance.reason))</p>")
    }
    parts += ["<p>\(line(finding.rationale))</p>", "<p><b>Advice:</b> \(line(finding.advice))</p>"]
    parts += finding.exchanges.map(exchange)
    let severity = outcome == .fail || outcome == .accepted ? "<b>\(finding.severity)</b>" : ""
    return """
      <details class="\(outcome.rawValue)" id="\(ReportText.markup(finding.id))"\(outcome == .fail ? " open" : "")>
      <summary><span class="tag">\(outcome.words)</span> \(severity) <code>\(line(finding.id))</code> \(line(finding.title))</summary>
      \(parts.joined(separator: "\n"))
      </details>
      """
  }

  private static func exchange(_ exchange: RecordedExchange) -> String {
    let shown = exchange.forReport
    let request = ["\(shown.method) \(shown.url)"] + shown.requestHeaders + ["", shown.requestBody]
    let response = [shown.outcome] + shown.responseHeaders + ["", shown.responseBody]
    return """
      <details class="exchange"><summary><code>\(line(exchange.method)) \(line(exchange.url))</code> → \(line(exchange.outcome))</summary>
      <pre>\(ReportText.markup(request.joined(separator: "\n")))</pre>
      <pre>\(ReportText.markup(response.joined(separator: "\n")))</pre>
      <pre class="curl">\(ReportText.markup(CurlCommand.line(for: exchange)))</pre>
      </details>
      """
  }

  private static func line(_ text: String) -> String { ReportText.markup(ReportText.line(text)) }

  /// The source expression that admits exactly this style or script.
  private static func source(of text: String) -> String {
    "sha256-" + Base64.encode(Digest.sha256([UInt8](text.utf8)))
  }
}
