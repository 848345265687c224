// SPDX-License-Identifier: Apache-2.0

import PasskeyAudit
import PasskeyFormats
import Testing

@Suite struct ReportWritersTests {
  @Test func `the terminal report has the failures with advice, the reasons and the totals`() throws {
    let text = TerminalReport(
      SampleReport.judged(SampleReport.report(), try SampleReport.baseline(until: "2027-03-31"))
    ).text
    #expect(
      text == """
        http://localhost:8080, profile shop: 5 checks, 321 requests, 12.3 s

        fail (critical)  authentication.challenge-other
          rejects authentication.challenge-other
          found: it opened a session
          why: A stranger could sign in.
          advice: Compare the challenge.
          WebAuthn §7.2 step 11
        fail (low)  authentication.counter-back
          rejects authentication.counter-back
          found: it opened a session
          why: A stranger could sign in.
          advice: Compare the challenge.
          WebAuthn §7.2 step 11

        accepted (medium)  http.server-version
          rejects http.server-version
          found: Server: Werkzeug/3.1.3
          accepted until 2027-03-31: The proxy removes it.

        cannot tell: the profile has no step-up
          step-up.grant-reuse

        left behind: passkey-audit-0123abcd
        2 fail, 1 accepted, 1 cannot tell, 1 pass

        """)
  }

  @Test func `the reports name the groups that were not judged`() throws {
    var report = SampleReport.report()
    report.unjudgedGroups = [UnjudgedGroup(group: "session", reason: "sign-in was refused: 401")]
    let judged = SampleReport.judged(report)
    #expect(
      TerminalReport(judged).text.hasSuffix(
        """
        not judged: session: sign-in was refused: 401
        1 group was not judged
        3 fail, 0 accepted, 1 cannot tell, 1 pass

        """))
    #expect(try JSONReport.report(from: JSONReport.text(judged)[...]).unjudgedGroups == report.unjudgedGroups)
    let run = try #require(try JSON.parse(SARIFReport.text(judged)).require("runs").array.first { _ in true })
    let invocation = try #require(try run.require("invocations").array.first { _ in true })
    #expect(try !invocation.require("executionSuccessful").bool)
    let page = String(decoding: HTMLReport.text(judged), as: UTF8.self)
    #expect(page.contains("<h2>Groups that were not judged</h2><ul><li>session: sign-in was refused: 401</li></ul>"))
  }

  @Test func `the terminal report names a group whose checks have one reason`() {
    let reason = Verdict.cannotTell("the server is not reachable")
    let findings = ["a.one", "a.two", "b.one", "c.one", "c.two"].map { SampleReport.finding($0, reason) }
    let text = TerminalReport(
      SampleReport.judged(SampleReport.report(findings + [SampleReport.finding("c.three", .pass)]))
    )
    .text
    #expect(
      text.contains(
        """
        cannot tell: the server is not reachable
          all of a (2), b.one, c.one, c.two

        """))
  }

  @Test func `the terminal report shows exchanges with a command of curl`() {
    let report = SampleReport.report([SampleReport.finding("authentication.type-other", .pass)])
    let text = TerminalReport(SampleReport.judged(report), showsExchanges: true).text
    #expect(
      text.contains(
        #"""
          $ curl -i -H 'Content-Type: application/json' --data-raw '{"id":"it'\''s"}' http://localhost:8080/login/verify
            status 200
            Content-Type: application/json
        """#))
  }

  @Test func `the JSON report can be read again`() throws {
    let text = JSONReport.text(SampleReport.judged())
    var read = try JSONReport.report(from: text[...])
    read.leftBehind = SampleReport.report().leftBehind
    var findings = SampleReport.findings
    for index in findings.indices { findings[index].exchanges = [] }
    #expect(read == SampleReport.report(findings))
    #expect(try JSON.parse(text).require("summary").require("blocking").int64 == 2)
  }

  @Test(arguments: ["", "{}", "[1]", #"{"server":"x"}"#])
  func `another document is not a report`(text: String) {
    let error = #expect(throws: ReportError.self) { try JSONReport.report(from: Array(text.utf8)[...]) }
    #expect(error?.code == .reportInvalid)
  }

  @Test func `the SARIF log has a rule for each check and a result for each failure`() throws {
    let judged = SampleReport.judged(SampleReport.report(), try SampleReport.baseline(until: "2027-03-31"))
    let log = try JSON.parse(SARIFReport.text(judged))
    #expect(try log.require("version").string == "2.1.0")
    let run = try #require(try log.require("runs").array.first { _ in true })
    let rules = try run.require("tool").require("driver").require("rules").array.map { try $0.require("id").string }
    #expect(rules == SampleReport.findings.map(\.id))
    let results = try Array(run.require("results").array)
    #expect(
      try results.map { try $0.require("ruleId").string } == [
        "authentication.challenge-other", "authentication.counter-back", "http.server-version",
      ])
    #expect(try results.map { try $0.require("level").string } == ["error", "note", "warning"])
    for result in results {
      #expect(try rules[result.require("ruleIndex").integer()] == result.require("ruleId").string)
    }
    #expect(try results.map { try $0["suppressions"] != nil } == [false, false, true])
    let response = try results[0].require("webResponse")
    #expect(try response.require("headers").require("Set-Cookie").string == "shop=[redacted], b=[redacted]")
    let notes = try Array(run.require("invocations").array)[0].require("toolExecutionNotifications").array.map {
      try $0.require("associatedRule").require("id").string
    }
    #expect(notes == ["step-up.grant-reuse"])
  }

  @Test func `the JUnit document counts failures and skips`() {
    let text = String(decoding: JUnitReport.text(SampleReport.judged()), as: UTF8.self)
    #expect(
      text.hasPrefix(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="passkey audit" tests="5" failures="3" errors="0" time="12.3">
          <testsuite name="authentication" tests="3" failures="2" errors="0" skipped="0" timestamp="2027-01-15T08:00:00" \
        hostname="http://localhost:8080">
        """))
    #expect(text.contains(#"<skipped message="cannot tell: the profile has no step-up"/>"#))
    #expect(text.contains(#"<failure message="Server: Werkzeug/3.1.3" type="medium">A stranger"#))
  }

  @Test func `the page has no reference to another file`() {
    let page = String(decoding: HTMLReport.text(SampleReport.judged()), as: UTF8.self)
    for reference in ["src=", "href=", "@import", "url(", "<link", "<img", "<iframe"] {
      #expect(!page.contains(reference), "\(reference)")
    }
    #expect(page.contains("<details class=\"fail\" id=\"authentication.challenge-other\" open>"))
    #expect(page.contains("The audit failed: 2 failed checks at or above the severity <strong>medium</strong>."))
  }
}
