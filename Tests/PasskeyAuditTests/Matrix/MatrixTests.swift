// SPDX-License-Identifier: Apache-2.0

import FaultyRelyingParty
import Testing

@testable import PasskeyAudit

/// Every fault of a ceremony against the checks: the fault's own check fails, and no other.
@Suite(.serialized)
struct CeremonyMatrixTests {
  @Test(arguments: MatrixWorld.faults { ["registration", "authentication", "state"].contains($0) })
  func `a fault is found by its own check and by no other`(id: String) async throws {
    try await MatrixWorld.expectOwnFailure(of: id)
  }
}

/// Every other fault against the checks.
@Suite(.serialized)
struct ServiceMatrixTests {
  @Test(arguments: MatrixWorld.faults { !["registration", "authentication", "state"].contains($0) })
  func `a fault is found by its own check and by no other`(id: String) async throws {
    try await MatrixWorld.expectOwnFailure(of: id)
  }
}

/// A relying party without faults, and the list of faults.
@Suite(.serialized)
struct MatrixTests {
  @Test func `a correct relying party passes all checks`() async throws {
    let report = try await MatrixWorld.audit(Set(CheckGroup.allCases).subtracting([.limits]))
    for finding in report.findings where finding.verdict != .pass {
      guard case .cannotTell = finding.verdict, MatrixWorld.untold.contains(finding.id) else {
        Issue.record("\(finding.id): \(finding.verdict) \(finding.exchanges.map { "\($0.url) \($0.responseBody)" })")
        continue
      }
    }
    #expect(report.leftBehind == [])
  }

  @Test func `a correct relying party with limits passes the checks of limits`() async throws {
    let report = try await MatrixWorld.audit([.limits])
    #expect(report.findings.filter { $0.verdict != .pass }.map { "\($0.id): \($0.verdict)" } == [])
  }

  @Test func `a correct relying party with TLS passes the checks that need TLS`() async throws {
    var options = MatrixWorld.Options()
    options.hasTLS = true
    let report = try await MatrixWorld.audit(options, Check.all.filter { MatrixWorld.needTLS.contains($0.id) })
    #expect(report.findings.filter { $0.verdict != .pass }.map { "\($0.id): \($0.verdict)" } == [])
  }

  @Test func `every check has a fault, and every fault a check`() {
    let checks = Set(Check.all.map(\.id))
    #expect(Set(RelyingPartyFault.all.map(\.check)).subtracting(checks).sorted() == [])
    #expect(checks.subtracting(RelyingPartyFault.all.map(\.check)).subtracting(MatrixWorld.withoutFault).sorted() == [])
    #expect(checks.count == Check.all.count)
    #expect(Check.all.count >= 160)
    #expect(Set(RelyingPartyFault.all.map(\.id)).count == RelyingPartyFault.all.count)
  }
}
