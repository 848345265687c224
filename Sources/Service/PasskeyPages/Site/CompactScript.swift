// SPDX-License-Identifier: Apache-2.0

/// Scripts of the release as the pages load them: without indentation, and without lines that have only a comment. A third of
/// a first visit would be comments.
///
/// A line of a script never begins within a text: a test checks that.
enum CompactScript {
  /// Returns the script in its compact form. The line with the license stays.
  static func compact(_ script: [UInt8]) -> [UInt8] {
    var lines: [Substring] = []
    var isInComment = false
    for line in String(decoding: script, as: UTF8.self).split(separator: "\n") {
      let text = line.drop { $0 == " " }
      if isInComment {
        isInComment = !text.hasSuffix("*/")
      } else if text.hasPrefix("/*") {
        isInComment = !text.hasSuffix("*/")
      } else if !text.isEmpty, !text.hasPrefix("//") || text.hasPrefix("// SPDX") {
        lines.append(text)
      }
    }
    return Array(lines.joined(separator: "\n").utf8)
  }
}
