// SPDX-License-Identifier: Apache-2.0

import PasskeyAudit
import PasskeyFormats
import Testing

@Suite struct ReportDifferenceTests {
  private static func report(_ verdicts: [(String, Verdict)]) -> AuditReport {
    SampleReport.report(verdicts.map { SampleReport.finding("http.\($0.0)", $0.1, exchanges: []) })
  }

  private static let old = report([
    ("a", .pass), ("b", .fail("b")), ("c", .fail("c")), ("d", .pass), ("e", .cannotTell("e")), ("f", .pass),
    ("g", .cannotTell("g")),
  ])
  private static let new = report([
    ("a", .fail("opened a session")), ("b", .fail("b")), ("c", .pass), ("d", .cannotTell("timed out")),
    ("e", .fail("now")), ("g", .pass), ("h", .pass), ("i", .fail("new check")),
  ])

  @Test func `each change of a verdict is listed`() {
    let difference = ReportDifference(from: Self.old, to: Self.new)
    #expect(
      difference.text == """
        newly failing  high  http.a: opened a session
        fixed  high  http.c
        no longer judged  high  http.d: timed out
        newly failing  high  http.e: now
        newly passing  high  http.g
        newly passing  high  http.h
        newly failing  high  http.i: new check
        not checked  high  http.f
        3 newly failing, 1 fixed, 1 no longer judged, 2 newly passing, 1 not checked, 1 still failing

        """)
    #expect(difference.newFailures(atLeast: .high).map(\.id) == ["http.a", "http.e", "http.i"])
    #expect(difference.newFailures(atLeast: .critical).isEmpty)
  }

  @Test func `equal reports have no difference`() {
    #expect(ReportDifference(from: Self.new, to: Self.new).changes.isEmpty)
  }
}
