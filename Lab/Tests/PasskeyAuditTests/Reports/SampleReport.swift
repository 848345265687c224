// SPDX-License-Identifier: Apache-2.0

@testable import PasskeyAudit
import PasskeyFormats

/// Reports for tests.
enum SampleReport {
  static let now = UnixTime(secondsSince1970: 1_800_000_000)  // 2027-01-15

  static let exchange = RecordedExchange(
    method: "POST", url: "http://localhost:8080/login/verify", requestHeaders: ["Content-Type: application/json"],
    requestBody: #"{"id":"it's"}"#, status: 200, failure: nil,
    responseHeaders: ["Content-Type: application/json", "Set-Cookie: shop=[redacted]", "Set-Cookie: b=[redacted]"],
    responseBody: #"{"verified":true}"#)

  static func finding(
    _ id: String, _ verdict: Verdict, _ severity: Severity = .high, exchanges: [RecordedExchange] = [exchange]
  ) -> Finding {
    Finding(
      id: id, title: "rejects \(id)", group: String(id.prefix { $0 != "." }), references: ["WebAuthn §7.2 step 11"],
      severity: severity, verdict: verdict, rationale: "A stranger could sign in.", advice: "Compare the challenge.",
      exchanges: exchanges)
  }

  static let findings = [
    finding("authentication.challenge-other", .fail("it opened a session"), .critical),
    finding("authentication.counter-back", .fail("it opened a session"), .low),
    finding("authentication.type-other", .pass),
    finding("http.server-version", .fail("Server: Werkzeug/3.1.3"), .medium),
    finding("step-up.grant-reuse", .cannotTell("the profile has no step-up"), exchanges: []),
  ]

  static func report(_ findings: [Finding] = findings, server: String = "http://localhost:8080") -> AuditReport {
    AuditReport(
      server: server, profile: "shop", version: "1.0", began: now, seconds: 12.34, requestCount: 321,
      findings: findings, leftBehind: ["passkey-audit-0123abcd"])
  }

  static func baseline(until day: String) throws -> Baseline {
    let text = #"{"accepted":[{"id":"http.server-version","reason":"The proxy removes it.","until":"\#(day)"}]}"#
    return try Baseline(json: Array(text.utf8)[...], ids: Set(findings.map(\.id)))
  }

  static func judged(_ report: AuditReport = report(), _ baseline: Baseline = Baseline()) -> JudgedReport {
    JudgedReport(report, baseline: baseline, threshold: .medium, now: now)
  }

  /// A report whose every text comes from a hostile server.
  static func hostile(_ text: String) -> AuditReport {
    let exchange = RecordedExchange(
      method: text, url: "http://localhost/\(text)", requestHeaders: ["X: \(text)"], requestBody: text, status: 200,
      failure: nil, responseHeaders: [text, "X: \(text)"], responseBody: text)
    let silent = RecordedExchange(
      method: "GET", url: text, requestHeaders: [], requestBody: "", status: nil, failure: text, responseHeaders: [],
      responseBody: "")
    let exchanges = [silent, exchange]
    var report = report([
      finding("http.a", .fail(text), exchanges: exchanges), finding("http.b", .cannotTell(text), exchanges: exchanges),
      finding("http.c", .pass, exchanges: exchanges),
    ])
    report.server = text
    report.leftBehind = [text]
    return report
  }
}
