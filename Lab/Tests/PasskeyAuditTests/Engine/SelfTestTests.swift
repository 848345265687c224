// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import Testing

@testable import PasskeyAudit

struct SelfTestTests {
  @Test func `the audit distinguishes stand-ins for servers without a network`() async throws {
    let test = try await SelfTest.run { UnixTime(secondsSince1970: 1_800_000_000) }
    #expect(test.rows.count == 3 + StandInFault.allCases.count)
    for row in test.rows { #expect(row.contradictions == [], "\(row.statement)") }
  }

  @Test func `each group has a fault that the self-test finds`() {
    let faults = StandInFault.allCases.compactMap { (fault) in Check.all.first { $0.id == fault.rawValue }?.group }
    // A stand-in that accepts everything has all faults of these two.
    #expect(Set(faults).union([.registration, .authentication]) == Set(CheckGroup.allCases))
  }
}
