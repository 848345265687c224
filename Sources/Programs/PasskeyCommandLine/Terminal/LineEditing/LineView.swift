// SPDX-License-Identifier: Apache-2.0

/// The visible part of a line on one row of the terminal. It scrolls horizontally to keep the cursor visible, and never
/// wraps, even if the terminal is resized.
struct LineView: Equatable {
  /// The text after the prompt.
  let visible: String

  /// The column of the cursor.
  let cursorColumn: Int

  init(_ line: EditedLine, prompt: String, columns: Int) {
    let start = prompt.terminalWidth
    // The last column stays empty, because terminals differ in the cursor position after it.
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

extension Character {
  /// The number of columns on a terminal: two for wide East Asian characters and emoji, zero for combining marks.
  package var terminalWidth: Int {
    if unicodeScalars.contains(where: { $0 == "\u{fe0f}" }) { return 2 }
    return unicodeScalars.map(\.terminalWidth).max() ?? 0
  }
}

extension String {
  /// The number of columns on a terminal.
  package var terminalWidth: Int {
    reduce(0) { (sum, character) in sum + character.terminalWidth }
  }
}

extension Unicode.Scalar {
  fileprivate var terminalWidth: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    if properties.isEmojiPresentation { return 2 }
    return Self.wide.contains { (range) in range.contains(value) } ? 2 : 1
  }

  /// The blocks that consist of wide or full-width characters (UAX #11).
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115f,  // Hangul Jamo
    0x2e80...0x303e, 0x3041...0x4dbf,  // CJK radicals to the ideographs' extension A
    0x4e00...0xa4cf,  // CJK ideographs, Yi
    0xa960...0xa97f, 0xac00...0xd7a3,  // Hangul
    0xf900...0xfaff, 0xfe30...0xfe6f,  // CJK compatibility
    0xff00...0xff60, 0xffe0...0xffe6,  // full width forms
    0x1f300...0x1f64f, 0x1f900...0x1f9ff,  // pictures
    0x20000...0x3fffd,  // ideographs' later extensions
  ]
}
