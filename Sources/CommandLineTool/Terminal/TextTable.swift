// SPDX-License-Identifier: Apache-2.0

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
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in
      rows.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      let cells = row.enumerated().map { column, cell in
        column == row.count - 1 ? cell : cell + String(repeating: " ", count: widths[column] - cell.count)
      }
      let line = cells.joined(separator: "  ")
      return cut(String(line.reversed().drop { $0 == " " }.reversed())) + "\n"
    }.joined()
  }

  private func cut(_ line: String) -> String {
    guard let width, line.count > width else { return line }
    return line.prefix(width - 1) + "…"
  }
}
