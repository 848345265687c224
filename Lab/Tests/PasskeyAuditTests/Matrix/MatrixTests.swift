// SPDX-License-Identifier: Apache-2.0

import FaultyRelyingParty
import PasskeyTestSupport
import Testing

@testable import PasskeyAudit

/// Every fault of a ceremony against the checks: the fault's own check fails, and no other.
@Suite(.tags(.matrix), .serialized)
struct CeremonyMatrixTests {
  @Test(arguments: MatrixWorld.faults { ["registration", "authentication", "state"].contains($0) })
  func `a fault is found by its own check and by no other`(id: String) async throws {
    try await MatrixWorld.expectOwnFailure(of: id)
  }
}

/// Every other fault against the checks.
@Suite(.tags(.matrix), .serialized)
struct ServiceMatrixTests {
  @Test(arguments: MatrixWorld.faults { !["registration", "authentication", "state"].contains($0) })
  func `a fault is found by its own check and by no other`(id: String) async throws {
    try await MatrixWorld.expectOwnFailure(of: id)
  }
}

/// The list of faults.
struct FaultListTests {
  @Test func `every check has a fault, and every fault a check`() {
    let checks = Set(Check.all.map(\.id))
    #expect(Set(RelyingPartyFault.all.map(\.check)).subtracting(checks).sorted() == [])
    #expect(checks.subtracting(RelyingPartyFault.all.map(\.check)).sorted() == [])
    #expect(checks.count == Check.all.count)
    #expect(Check.all.count >= 160)
    #expect(Set(RelyingPartyFault.all.map(\.id)).count == RelyingPartyFault.all.count)
  }
}
