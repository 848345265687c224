// SPDX-License-Identifier: Apache-2.0

/// The lines that were typed before, in memory alone: what was asked of a server is nobody else's to read.
package struct LineHistory: Sendable {
  private var lines: [String] = []

  /// Which of them is shown; nil for the line that is being typed.
  private var place: Int?

  /// What was typed before an older line was shown.
  private var draft = ""

  // 1,000 lines  [the oldest make room]
  private static let maximumCount = 1000

  package init() {}

  /// Keeps a line. One that says nothing, or the same as the last one, is not kept again.
  package mutating func add(_ line: String) {
    place = nil
    guard !line.allSatisfy(\.isWhitespace), line != lines.last else { return }
    lines.append(line)
    if lines.count > Self.maximumCount { lines.removeFirst() }
  }

  /// The line before the one that is shown; nil where there is none.
  package mutating func older(than current: String) -> String? {
    let next = (place ?? lines.count) - 1
    guard lines.indices.contains(next) else { return nil }
    if place == nil { draft = current }
    place = next
    return lines[next]
  }

  /// The line behind the one that is shown, at last the one that was being typed.
  package mutating func newer() -> String? {
    guard let shown = place else { return nil }
    guard lines.indices.contains(shown + 1) else {
      place = nil
      return draft
    }
    place = shown + 1
    return lines[shown + 1]
  }
}
