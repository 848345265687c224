// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// Rows of text under one another. The last column is cut where the terminal ends.
package struct TextTable {
  package let rows: [[String]]

  /// How many columns of characters there are; nil for as many as it takes.
  package let width: Int?

  package init(rows: [[String]], width: Int?) {
    self.rows = rows
    self.width = width
  }

  package var text: String {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], cell.characterCount)
      }
    }
    var text = ""
    for row in rows {
      var line = ""
      for (column, cell) in row.enumerated() {
        line += cell
        guard column < row.count - 1 else { break }
        line += String(repeating: " ", count: widths[column] - cell.characterCount + 2)
      }
      while line.utf8.last == UInt8(ascii: " ") { line.unicodeScalars.removeLast() }
      text += cut(line) + "\n"
    }
    return text
  }

  private func cut(_ line: String) -> String {
    guard let width, line.characterCount > width else { return line }
    return line.prefix(width - 1) + "…"
  }
}

extension String {
  /// How many characters there are. Text in ASCII, which most is, is not taken apart for that.
  fileprivate var characterCount: Int {
    utf8.allSatisfy { (byte) in 0x20..<0x7f ~= byte } ? utf8.count : count
  }
}
