// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import PasskeyAudit

/// A relying party without faults.
@Suite(.serialized)
struct CleanRunTests {
  @Test(arguments: CleanRun.numbers)
  func `a correct relying party passes all checks`(number: Int) async throws {
    let run = CleanRun(number: number)
    let report = try await run.report()
    for finding in report.findings where finding.verdict != .pass {
      if case .cannotTell = finding.verdict, run.untold.contains(finding.id) { continue }
      let exchanges = finding.exchanges.map { "\($0.method) \($0.url) \($0.status ?? 0) \($0.responseBody)" }
      Issue.record("run \(number): \(finding.id): \(finding.verdict) \(exchanges)")
    }
    #expect(report.findings.count == Check.all.count)
    #expect(report.leftBehind == [])
    print(Self.line(number, report))
    fflush(nil)
  }

  /// A line for `Scripts/audit clean`, which adds the numbers up.
  private static func line(_ number: Int, _ report: AuditReport) -> String {
    let untold = report.findings.filter { if case .cannotTell = $0.verdict { true } else { false } }.map(\.id)
    let failed = report.findings.filter { if case .fail = $0.verdict { true } else { false } }.map(\.id)
    let judged = report.findings.count - untold.count
    let milliseconds = Int(report.seconds * 1_000)
    return "clean-run \(number) judged=\(judged) requests=\(report.requestCount) milliseconds=\(milliseconds) "
      + "failed=\(failed.sorted().joined(separator: ",")) untold=\(untold.sorted().joined(separator: ","))"
  }
}
