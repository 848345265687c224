// SPDX-License-Identifier: Apache-2.0

import PasskeyAudit
import PasskeyFormats
import Testing

@Suite struct JudgedReportTests {
  @Test func `failures at or above the threshold block, the most severe first`() {
    var judged = SampleReport.judged()
    #expect(judged.blocking.map(\.id) == ["authentication.challenge-other", "http.server-version"])
    #expect(judged.findings(.fail).map(\.severity) == [.critical, .medium, .low])
    judged = JudgedReport(SampleReport.report(), threshold: .critical, now: SampleReport.now)
    #expect(judged.blocking.map(\.id) == ["authentication.challenge-other"])
  }

  @Test func `an accepted finding does not block until its last day has passed`() throws {
    let today = SampleReport.judged(SampleReport.report(), try SampleReport.baseline(until: "2027-01-15"))
    #expect(today.blocking.map(\.id) == ["authentication.challenge-other"])
    #expect(today.count(.accepted) == 1 && today.count(.fail) == 2)
    #expect(today.baselineNotes == [])

    let later = SampleReport.judged(SampleReport.report(), try SampleReport.baseline(until: "2027-01-14"))
    #expect(later.blocking.map(\.id) == ["authentication.challenge-other", "http.server-version"])
    #expect(later.baselineNotes == ["the acceptance of http.server-version expired on 2027-01-14"])
  }

  @Test func `failures with one cause stand together, with its effect`() {
    let findings = [
      SampleReport.finding("registration.origin-port", .fail("status 200"), .medium),
      SampleReport.finding("http.server-version", .fail("Werkzeug"), .medium),
      SampleReport.finding("authentication.origin-subdomain", .fail("status 201"), .high),
      SampleReport.finding("registration.key-weak", .fail("status 200"), .high),
      SampleReport.finding("session.origin-check", .pass),
    ]
    let groups = FindingCause.groups(of: SampleReport.judged(SampleReport.report(findings)).findings(.fail))
    #expect(groups.map { $0.cause?.name } == ["origins", "keys", nil])
    #expect(groups[0].findings.map(\.id) == ["authentication.origin-subdomain", "registration.origin-port"])
    let text = TerminalReport(SampleReport.judged(SampleReport.report(findings))).text
    #expect(text.contains("fail (high)  2 checks with one cause: origins\n  effect: A page of another origin"))
    #expect(text.contains("\n  registration.origin-port (medium): status 200\n  advice: Compare the challenge.\n"))
    // A single check keeps its own words.
    #expect(text.contains("fail (high)  registration.key-weak\n  rejects registration.key-weak\n  found: status 200\n"))
  }

  @Test func `the checks that a longer patience would judge are named, in the order of its length`() {
    var findings = ["state.expiry", "session.expiry", "step-up.grant-expiry", "http.cache"].map {
      SampleReport.finding($0, .cannotTell("it ends later"))
    }
    for (index, seconds) in [61, 900, 30].enumerated() { findings[index].neededPatience = Int64(seconds) }
    let text = TerminalReport(SampleReport.judged(SampleReport.report(findings))).text
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("worth a wait") }
    #expect(
      lines == [
        "worth a wait: --patience 30s also judges step-up.grant-expiry",
        "worth a wait: --patience 61s also judges state.expiry",
      ])
  }

  @Test func `a written baseline accepts all failures for 90 days, and keeps known reasons`() throws {
    let known = try SampleReport.baseline(until: "2027-02-01")
    let text = Baseline.text(accepting: SampleReport.judged(SampleReport.report(), known))
    let written = try Baseline(json: text[...], ids: Set(SampleReport.findings.map(\.id)))
    #expect(
      written.entries.map { "\($0.id) \($0.lastDay)" } == [
        "authentication.challenge-other 2027-04-15", "authentication.counter-back 2027-04-15",
        "http.server-version 2027-02-01",
      ])
    #expect(written.entries.last?.reason == "The proxy removes it.")
    #expect(written.entries[0].reason == "replace this with your reason; found: it opened a session")
    #expect(SampleReport.judged(SampleReport.report(), written).blocking == [])
  }

  @Test func `an acceptance of a check that passes is reported`() throws {
    let passing = SampleReport.report([SampleReport.finding("http.server-version", .pass)])
    let judged = SampleReport.judged(passing, try SampleReport.baseline(until: "2027-12-31"))
    #expect(judged.baselineNotes == ["http.server-version passes: remove it from the baseline"])
  }

  @Test(arguments: [
    ("[]", "json.wrong-type"),
    (#"{"accept":[]}"#, "json.missing-member"),
    (#"{"accepted":[{"id":"http.a","until":"2027-01-01"}]}"#, "json.missing-member"),
    (#"{"accepted":[{"id":"http.a","reason":"x","until":"2027-02-30"}]}"#, "time.invalid"),
    (#"{"accepted":[{"id":"http.a","reason":"x","until":"2027-01-01","by":"me"}]}"#, "json.missing-member"),
    (#"{"accepted":[{"id":"http.a","reason":"  ","until":"2027-01-01"}]}"#, "http.a has no reason"),
    (#"{"accepted":[{"id":"http.z","reason":"x","until":"2027-01-01"}]}"#, "there is no check http.z"),
    (
      #"{"accepted":[{"id":"http.a","reason":"x","until":"2027-01-01"},{"id":"http.a","reason":"y","until":"2027-01-01"}]}"#,
      "http.a occurs twice"
    ),
  ])
  func `an invalid baseline is rejected`(text: String, reason: String) {
    let error = #expect(throws: ReportError.self) { try Baseline(json: Array(text.utf8)[...], ids: ["http.a"]) }
    #expect(error?.code == .baselineInvalid)
    #expect(error?.detail.contains(reason) == true, "\(error?.detail ?? "")")
  }
}
