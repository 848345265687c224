// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PasskeyCommandLine

@Suite struct LineViewTests {
  @Test func `a line that fits is shown completely`() {
    let view = LineView(EditedLine("whoami"), prompt: "ada> ", columns: 80)
    #expect(view.visible == "whoami")
    #expect(view.cursorColumn == 11)
  }

  @Test(arguments: 1...30)
  func `the cursor is visible at every terminal width`(columns: Int) {
    let line = EditedLine("request GET /api/語語語語語語?q=🗝🗝")
    let view = LineView(line, prompt: "> ", columns: columns)
    #expect(view.visible.terminalWidth <= max(1, columns - 3))
    #expect(view.cursorColumn <= max(columns - 1, 3))
  }

  @Test func `characters have their terminal width`() {
    #expect("abc".terminalWidth == 3)
    #expect("語".terminalWidth == 2)
    #expect("e\u{301}".terminalWidth == 1)
    #expect("🗝️".terminalWidth == 2)
    #expect("👩‍👩‍👧".terminalWidth == 2)
  }
}
