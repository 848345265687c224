// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A report in the Static Analysis Results Interchange Format 2.1.0, for code scanning.
///
/// Only failures are results, because many consumers show each result as a problem. Checks that could not judge the server are
/// notifications of the run.
package enum SARIFReport {
  /// Returns the log.
  package static func text(_ judged: JudgedReport) -> [UInt8] {
    JSON.writeObject { (object) in
      object.write("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
      object.write("version", "2.1.0")
      object.writeArray("runs") { (runs) in runs.writeObject { (run) in write(judged, into: &run) } }
    }
  }

  private static func write(_ judged: JudgedReport, into run: inout JSONObjectWriter) {
    let report = judged.report
    run.writeObject("tool") { (tool) in
      tool.writeObject("driver") { (driver) in
        driver.write("name", "passkey audit")
        driver.write("semanticVersion", report.version)
        driver.writeArray("rules") { (rules) in
          for finding in report.findings { rules.writeObject { (rule) in write(rule: finding, into: &rule) } }
        }
      }
    }
    run.writeArray("invocations") { (invocations) in
      invocations.writeObject { (invocation) in
        invocation.write("executionSuccessful", .bool(report.unjudgedGroups.isEmpty))
        invocation.write("startTimeUtc", report.began)
        invocation.writeArray("toolExecutionNotifications") { (notifications) in
          for unjudged in report.unjudgedGroups {
            notifications.writeObject { (notification) in
              notification.write("level", "error")
              write("message", ReportText.line("\(unjudged.group): \(unjudged.reason)"), into: &notification)
            }
          }
          for finding in judged.findings(.cannotTell) {
            notifications.writeObject { (notification) in
              notification.write("level", "note")
              notification.writeObject("associatedRule") { $0.write("id", finding.id) }
              write("message", "cannot tell: \(ReportText.line(finding.detail ?? ""))", into: &notification)
            }
          }
        }
      }
    }
    run.writeObject("automationDetails") { $0.write("id", "passkey-audit/\(ReportText.line(report.profile))/") }
    run.writeArray("results") { (results) in
      for (index, finding) in report.findings.enumerated() {
        let outcome = judged.outcome(of: finding)
        guard outcome == .fail || outcome == .accepted else { continue }
        results.writeObject { (result) in
          write(finding, at: index, judged, into: &result)
        }
      }
    }
  }

  private static func write(rule finding: Finding, into rule: inout JSONObjectWriter) {
    rule.write("id", finding.id)
    write("shortDescription", finding.title, into: &rule)
    write("fullDescription", finding.rationale, into: &rule)
    write("help", "\(finding.advice) (\(finding.references.joined(separator: ", ")))", into: &rule)
    rule.writeObject("defaultConfiguration") { $0.write("level", finding.severity.level) }
    rule.writeObject("properties") { (properties) in
      properties.write("security-severity", finding.severity.score)
      properties.writeArray("tags") { (tags) in
        tags.write("security")
        tags.write(finding.group)
      }
    }
  }

  private static func write(
    _ finding: Finding, at index: Int, _ judged: JudgedReport, into result: inout JSONObjectWriter
  ) {
    result.write("ruleId", finding.id)
    result.write("ruleIndex", .integer(index))
    result.write("level", finding.severity.level)
    write("message", ReportText.line(finding.detail ?? finding.title), into: &result)
    result.writeArray("locations") { (locations) in
      locations.writeObject { (location) in
        location.writeObject("physicalLocation") { (physical) in
          physical.writeObject("artifactLocation") { $0.write("uri", uri(finding, judged.report)) }
          // Code scanning needs a line.
          physical.writeObject("region") { $0.write("startLine", 1) }
        }
        location.writeArray("logicalLocations") { (logical) in
          logical.writeObject { (place) in
            place.write("fullyQualifiedName", finding.id)
            place.write("kind", "resource")
          }
        }
      }
    }
    result.writeObject("partialFingerprints") { $0.write("checkId/v1", finding.id) }
    if let acceptance = judged.acceptance(of: finding) {
      result.writeArray("suppressions") { (suppressions) in
        suppressions.writeObject { (suppression) in
          suppression.write("kind", "external")
          suppression.write("status", "accepted")
          suppression.write("justification", "\(ReportText.line(acceptance.reason)) (until \(acceptance.lastDay))")
        }
      }
    }
    if let exchange = finding.exchanges.last { write(exchange.forReport, into: &result) }
  }

  /// The host and the path of the last request. An audit has no source file, and code scanning refuses a log with an
  /// address that has a scheme.
  private static func uri(_ finding: Finding, _ report: AuditReport) -> String {
    let address = finding.exchanges.last?.url ?? report.server
    let scheme = ["https://", "http://"].first { address.hasPrefix($0) } ?? ""
    let place = String(address.dropFirst(scheme.count))
    // Characters that an address cannot have would make the whole log invalid, and a colon would end a scheme.
    return ReportText.cut(place, to: ReportText.maximumLineByteCount).utf8.map { (byte) in
      let isAllowed = 0x21...0x7e ~= byte && !"\"<>\\^`{|}: ".utf8.contains(byte)
      return isAllowed ? String(Unicode.Scalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }

  private static func write(_ exchange: RecordedExchange, into result: inout JSONObjectWriter) {
    result.writeObject("webRequest") { (request) in
      request.write("target", exchange.url)
      request.write("method", exchange.method)
      write(fields: exchange.requestHeaders, into: &request)
      request.writeObject("body") { $0.write("text", exchange.requestBody) }
    }
    result.writeObject("webResponse") { (response) in
      guard let status = exchange.status else { return response.write("noResponseReceived", true) }
      response.write("statusCode", .integer(status))
      write(fields: exchange.responseHeaders, into: &response)
      response.writeObject("body") { $0.write("text", exchange.responseBody) }
    }
  }

  /// Writes fields as members. Fields with the same name, which an object cannot have, are joined with commas.
  private static func write(fields: [String], into object: inout JSONObjectWriter) {
    var values: [(name: String, value: String)] = []
    for field in fields {
      let parts = field.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      let value = parts.count == 2 ? String(parts[1].drop { $0 == " " }) : ""
      if let index = values.firstIndex(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
        values[index].value += ", \(value)"
      } else {
        values.append((name, value))
      }
    }
    object.writeObject("headers") { (headers) in
      for (name, value) in values { headers.write(name, value) }
    }
  }

  private static func write(_ name: String, _ text: String, into object: inout JSONObjectWriter) {
    object.writeObject(name) { $0.write("text", text) }
  }
}

extension Severity {
  fileprivate var level: String {
    switch self {
    case .low: "note"
    case .medium: "warning"
    case .high, .critical: "error"
    }
  }

  /// A number from 0 to 10 in the ranges that code scanning has for the four severities.
  fileprivate var score: String {
    switch self {
    case .low: "3.0"
    case .medium: "5.5"
    case .high: "8.0"
    case .critical: "9.5"
    }
  }
}
