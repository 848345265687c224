// SPDX-License-Identifier: Apache-2.0

import Testing
import WebAuthnInspection

@Suite struct FoldedLineTests {
  @Test func `a line that fits stays one row`() {
    #expect(FoldedLine("", columns: 80).rows == [""])
    let line = String(repeating: "x", count: 79)
    #expect(FoldedLine(line, columns: 80).rows == [line])
  }

  @Test func `a continuation row is marked, and no character is lost`() {
    let rows = FoldedLine(String(repeating: "x", count: 100), columns: 40).rows
    #expect(rows.map(\.count) == [39, 39, 38])
    #expect(rows.dropFirst().allSatisfy { $0.hasPrefix("      … x") })
    #expect(rows.joined().count(where: { $0 == "x" }) == 100)
  }

  @Test func `characters that may be wide count as two columns`() {
    #expect(FoldedLine(String(repeating: "語", count: 30), columns: 41).rows.map(\.count) == [20, 18])
  }
}
