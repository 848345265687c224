// SPDX-License-Identifier: Apache-2.0

import Testing
import WireFormats

@testable import PasskeyAudit

struct SelfTestTests {
  @Test func `the audit distinguishes stand-ins for servers without a network`() async throws {
    let test = try await SelfTest.run { Timestamp(secondsSince1970: 1_800_000_000) }
    #expect(test.rows.count == 3)
    for row in test.rows { #expect(row.contradictions == [], "\(row.statement)") }
  }
}
