// SPDX-License-Identifier: Apache-2.0

/// What of a line a terminal's one row shows: what does not fit is moved out of sight, so that the cursor is always seen
/// and a row is never more than a row, whatever the terminal is resized to.
struct LineView: Equatable {
  /// What is drawn behind the prompt.
  let visible: String

  /// In which column of the row the cursor stands.
  let cursorColumn: Int

  init(_ line: EditedLine, prompt: String, columns: Int) {
    let start = prompt.terminalWidth
    // The last column stays empty: terminals differ in where the cursor goes behind it.
    let room = max(1, columns - start - 1)
    let widths = line.characters.map(\.terminalWidth)
    var first = 0
    var before = widths[..<line.cursor].reduce(0, +)
    while before > room, first < line.cursor {
      before -= widths[first]
      first += 1
    }
    var end = first
    var width = 0
    while end < widths.count, width + widths[end] <= room {
      width += widths[end]
      end += 1
    }
    visible = String(line.characters[first..<max(first, end)])
    cursorColumn = start + before
  }
}
