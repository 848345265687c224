// SPDX-License-Identifier: Apache-2.0

/// A line that is longer than a terminal is wide, as rows that show that they belong together: where the terminal breaks it by
/// itself, what stands behind the break could look like a line of its own.
struct FoldedLine {
  let rows: [String]

  // What stands in front of a row that goes on.
  private static let continuation = "      … "

  init(_ line: String, columns: Int) {
    // The last column stays empty; a terminal that is narrower than any is not narrowed further.
    let room = max(20, columns - 1)
    var rows: [String] = []
    var row = ""
    var width = 0
    for character in line {
      // What is not ASCII may take two columns.
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
