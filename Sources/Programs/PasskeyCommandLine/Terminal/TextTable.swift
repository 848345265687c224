// SPDX-License-Identifier: Apache-2.0

/// A table of text. The last column is truncated at the terminal's width.
package struct TextTable {
  package let rows: [[String]]

  /// The maximum width in columns; `nil` if unlimited.
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
  /// The number of characters. ASCII text, the usual case, is not split for this.
  fileprivate var characterCount: Int {
    utf8.allSatisfy { (byte) in 0x20..<0x7f ~= byte } ? utf8.count : count
  }
}
