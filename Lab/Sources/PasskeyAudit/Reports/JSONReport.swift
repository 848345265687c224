// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// A report as a JSON object, which `passkey audit diff` reads again.
package enum JSONReport {
  /// 64 MiB  [300 findings with ten exchanges of 20 KiB each]
  package static let maximumByteCount = 64 << 20

  /// Returns the object.
  package static func text(_ judged: JudgedReport) -> [UInt8] {
    let report = judged.report
    return JSON.writeObject { (object) in
      object.write("server", ReportText.line(report.server))
      object.write("profile", ReportText.line(report.profile))
      object.write("version", report.version)
      object.write("began", report.began)
      object.write("milliseconds", .integer(Int64(exactly: (report.seconds * 1000).rounded()) ?? 0))
      object.write("requests", .integer(report.requestCount))
      object.write("failOn", judged.threshold.rawValue)
      object.writeObject("summary") { (summary) in
        for outcome in JudgedReport.Outcome.allCases {
          summary.write(outcome.memberName, .integer(judged.count(outcome)))
        }
        summary.write("blocking", .integer(judged.blocking.count))
      }
      object.writeArray("findings") { (findings) in
        for finding in report.findings {
          findings.writeObject { (object) in write(finding, judged, into: &object) }
        }
      }
      object.writeArray("unjudgedGroups") { (groups) in
        for unjudged in report.unjudgedGroups {
          groups.writeObject { (object) in
            object.write("group", unjudged.group)
            object.write("reason", ReportText.line(unjudged.reason))
          }
        }
      }
      object.writeArray("leftBehind") { (items) in
        for item in report.leftBehind { items.write(ReportText.line(item)) }
      }
      object.writeArray("baselineNotes") { (notes) in for note in judged.baselineNotes { notes.write(note) } }
    }
  }

  private static func write(_ finding: Finding, _ judged: JudgedReport, into object: inout JSONObjectWriter) {
    object.write("id", finding.id)
    object.write("title", finding.title)
    object.write("group", finding.group)
    object.writeArray("references") { (references) in for text in finding.references { references.write(text) } }
    object.write("severity", finding.severity.rawValue)
    object.write("verdict", finding.verdictName)
    object.write("detail", finding.detail.map { .string(ReportText.line($0)) } ?? .null)
    if let acceptance = judged.outcome(of: finding) == .accepted ? judged.acceptance(of: finding) : nil {
      object.writeObject("accepted") { (object) in
        object.write("reason", acceptance.reason)
        object.write("until", acceptance.lastDay)
      }
    } else {
      object.write("accepted", .null)
    }
    let cause = finding.detail == nil || !finding.isJudged ? nil : FindingCause.of(finding)
    object.write("cause", cause.map { .string($0.name) } ?? .null)
    object.write("neededPatience", finding.neededPatience.map { .integer($0) } ?? .null)
    object.write("rationale", finding.rationale)
    object.write("advice", finding.advice)
    object.writeArray("exchanges") { (exchanges) in
      for exchange in finding.exchanges { exchanges.writeObject { (object) in write(exchange, into: &object) } }
    }
  }

  private static func write(_ exchange: RecordedExchange, into object: inout JSONObjectWriter) {
    let shown = exchange.forReport
    object.write("method", shown.method)
    object.write("url", shown.url)
    object.writeArray("requestHeaders") { (fields) in for field in shown.requestHeaders { fields.write(field) } }
    object.write("requestBody", shown.requestBody)
    object.write("status", shown.status.map { .integer($0) } ?? .null)
    object.write("failure", shown.failure.map { .string($0) } ?? .null)
    object.writeArray("responseHeaders") { (fields) in for field in shown.responseHeaders { fields.write(field) } }
    object.write("responseBody", shown.responseBody)
    object.write("curl", CurlCommand.line(for: exchange))
  }
}

extension JSONReport {
  /// Reads the findings of a report, without their exchanges.
  ///
  /// - Throws: `report.invalid` if the text is not such a report.
  package static func report(from text: Bytes) throws(ReportError) -> AuditReport {
    do throws(WireError) {
      let document = try JSON.parse(text, maximumSize: maximumByteCount)
      return AuditReport(
        server: try document.require("server").string, profile: try document.require("profile").string,
        version: try document.require("version").string,
        began: try UnixTime(rfc3339: try document.require("began").string),
        seconds: Double(try document.require("milliseconds").int64) / 1000,
        requestCount: try document.require("requests").integer(),
        findings: try document.require("findings").elements { (item) throws(WireError) in try finding(item) },
        unjudgedGroups: try document["unjudgedGroups"]?.elements { (item) throws(WireError) in
          UnjudgedGroup(group: try item.require("group").string, reason: try item.require("reason").string)
        } ?? [])
    } catch {
      throw ReportError(.reportInvalid, "\(error)")
    }
  }

  private static func finding(_ item: JSONValue) throws(WireError) -> Finding {
    let verdict = try item.require("verdict")
    let severity = try item.require("severity")
    let detail = try item.require("detail").unlessNull?.string ?? ""
    guard let level = Severity(rawValue: try severity.string) else {
      throw WireError(.jsonWrongType, at: severity.offset)
    }
    return Finding(
      id: try item.require("id").string, title: try item.require("title").string,
      group: try item.require("group").string,
      references: try item.require("references").elements { (text) throws(WireError) in try text.string },
      severity: level,
      verdict: try {
        () throws(WireError) in
        switch try verdict.string {
        case Finding.passName: .pass
        case Finding.failName: .fail(detail)
        case Finding.cannotTellName: .cannotTell(detail)
        default: throw WireError(.jsonWrongType, at: verdict.offset)
        }
      }(),
      rationale: try item.require("rationale").string, advice: try item.require("advice").string, exchanges: [])
  }
}

extension Finding {
  fileprivate static let passName = JudgedReport.Outcome.pass.rawValue
  fileprivate static let failName = JudgedReport.Outcome.fail.rawValue
  fileprivate static let cannotTellName = JudgedReport.Outcome.cannotTell.rawValue

  /// The name of the verdict in documents.
  package var verdictName: String {
    switch verdict {
    case .pass: Self.passName
    case .fail: Self.failName
    case .cannotTell: Self.cannotTellName
    }
  }
}

extension JudgedReport.Outcome {
  fileprivate var memberName: String { self == .cannotTell ? "cannotTell" : rawValue }

  /// The words for people.
  package var words: String { self == .cannotTell ? "cannot tell" : rawValue }
}
