// SPDX-License-Identifier: Apache-2.0

/// A line that is too long for the terminal, split into rows with a continuation mark. If the terminal wrapped it, the
/// remainder could imitate a separate line.
package struct FoldedLine {
  package let rows: [String]

  // The prefix of a continuation row.
  private static let continuation = "      … "

  package init(_ line: String, columns: Int) {
    // The last column stays empty. The width is at least 20 columns.
    let room = max(20, columns - 1)
    var rows: [String] = []
    var row = ""
    var width = 0
    for character in line {
      // Non-ASCII characters may take two columns.
      let needed = character.unicodeScalars.reduce(0) { (sum, scalar) in sum + (scalar.isASCII ? 1 : 2) }
      if width + needed > room, width > Self.continuation.count {
        rows.append(row)
        row = Self.continuation
        width = Self.continuation.count
      }
      row.append(character)
      width += needed
    }
    self.rows = rows + [row]
  }
}
