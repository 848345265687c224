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
