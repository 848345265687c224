// SPDX-License-Identifier: Apache-2.0

/// The previous lines, in memory only, because requests to a server are private.
package struct LineHistory: Sendable {
  private var lines: [String] = []

  /// The index of the displayed line; `nil` for the new line.
  private var place: Int?

  /// The new line, saved while an older line is displayed.
  private var draft = ""

  // 1,000 lines [older lines are dropped]
  private static let maximumCount = 1000

  package init() {}

  /// Adds a line, unless it is blank or repeats the last one.
  package mutating func add(_ line: String) {
    place = nil
    guard !line.allSatisfy(\.isWhitespace), line != lines.last else { return }
    lines.append(line)
    if lines.count > Self.maximumCount { lines.removeFirst() }
  }

  /// Returns the line before the displayed one, or `nil`.
  package mutating func older(than current: String) -> String? {
    let next = (place ?? lines.count) - 1
    guard lines.indices.contains(next) else { return nil }
    if place == nil { draft = current }
    place = next
    return lines[next]
  }

  /// Returns the line after the displayed one; finally the new line.
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
