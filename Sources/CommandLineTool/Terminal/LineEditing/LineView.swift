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

extension Character {
  /// How many columns a terminal gives it: two for what is wide in East Asia and for pictures, none for marks alone.
  package var terminalWidth: Int {
    if unicodeScalars.contains(where: { $0 == "\u{fe0f}" }) { return 2 }
    return unicodeScalars.map(\.terminalWidth).max() ?? 0
  }
}

extension String {
  /// How many columns a terminal gives it.
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

  /// The blocks that Unicode's East Asian Width calls wide or full width (UAX #11), as far as whole blocks are.
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
