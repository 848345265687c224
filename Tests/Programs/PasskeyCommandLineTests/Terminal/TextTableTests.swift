// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PasskeyCommandLine

@Suite struct TextTableTests {
  private static let rows = [["a", "bbb", "last"], ["cccc", "", "x"], ["d"]]

  @Test func `columns are aligned, and the last one is not padded`() {
    #expect(TextTable(rows: Self.rows, width: nil).text == "a     bbb  last\ncccc       x\nd\n")
  }

  @Test func `a line is cut at the terminal's width and marked`() {
    #expect(TextTable(rows: Self.rows, width: 14).text == "a     bbb  la…\ncccc       x\nd\n")
    #expect(TextTable(rows: Self.rows, width: 15).text == "a     bbb  last\ncccc       x\nd\n")
    #expect(TextTable(rows: [["abc"]], width: 1).text == "…\n")
  }

  @Test func `a table without rows is empty`() {
    #expect(TextTable(rows: [], width: 80).text == "")
  }
}
