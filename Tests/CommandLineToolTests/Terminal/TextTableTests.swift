// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CommandLineTool

@Suite struct TextTableTests {
  private static let rows = [["a", "bbb", "last"], ["cccc", "", "x"], ["d"]]

  @Test func `columns stand under one another, and the last is not filled up`() {
    #expect(TextTable(rows: Self.rows, width: nil).text == "a     bbb  last\ncccc       x\nd\n")
  }

  @Test func `a line is cut where the terminal ends, and says so`() {
    #expect(TextTable(rows: Self.rows, width: 14).text == "a     bbb  la…\ncccc       x\nd\n")
    #expect(TextTable(rows: Self.rows, width: 15).text == "a     bbb  last\ncccc       x\nd\n")
    #expect(TextTable(rows: [["abc"]], width: 1).text == "…\n")
  }

  @Test func `without rows there is no text`() {
    #expect(TextTable(rows: [], width: 80).text == "")
  }
}
