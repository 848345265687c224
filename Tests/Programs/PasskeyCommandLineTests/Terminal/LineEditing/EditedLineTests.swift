// SPDX-License-Identifier: Apache-2.0

import PasskeyCommandLine
import Testing

@Suite struct EditedLineTests {
  static func line(_ text: String, _ keys: Key...) -> EditedLine {
    var line = EditedLine(text)
    for key in keys { line.apply(key) }
    return line
  }

  @Test func `characters are inserted at the cursor`() {
    let line = Self.line("whoai", .left, .text("m"))
    #expect(line.text == "whoami")
    #expect(line.cursor == 5)
  }

  @Test func `a combining mark joins the previous character`() {
    let line = Self.line("e", .text("\u{301}"), .backspace)
    #expect(line.text == "")
    #expect(line.cursor == 0)
  }

  @Test(arguments: [
    (Key.backspace, "sign ou"), (.eraseToStart, ""), (.eraseWord, "sign "), (.delete, "sign out"),
    (.eraseToEnd, "sign out"),
  ])
  func `deleting keys delete as named`(key: Key, left: String) {
    #expect(Self.line("sign out", key).text == left)
  }

  @Test func `everything after the cursor can be deleted`() {
    #expect(Self.line("sign out", .start, .eraseToEnd).text == "")
    #expect(Self.line("sign out", .start, .delete).text == "ign out")
    #expect(Self.line("sign out", .start, .backspace).text == "sign out")
  }

  @Test func `the cursor moves by words and stays in the line`() {
    #expect(Self.line("a bc  d", .wordLeft, .wordLeft).cursor == 2)
    #expect(Self.line("a bc  d", .start, .wordRight, .wordRight).cursor == 4)
    #expect(Self.line("ab", .left, .left, .left).cursor == 0)
    #expect(Self.line("ab", .right).cursor == 2)
  }
}

@Suite struct LineHistoryTests {
  @Test func `the history is recalled in order, and the typed line last`() {
    var history = LineHistory()
    for line in ["one", "two", "two", "  "] { history.add(line) }
    #expect(history.older(than: "thr") == "two")
    #expect(history.older(than: "two") == "one")
    #expect(history.older(than: "one") == nil)
    #expect(history.newer() == "two")
    #expect(history.newer() == "thr")
    #expect(history.newer() == nil)
  }
}
