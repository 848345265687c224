// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

extension String {
  /// The text with unsafe or invisible characters escaped: control and hidden characters, repeated spaces that could
  /// imitate a line break, and combining marks that cover their base.
  var unambiguous: String { escaped(isQuoted: false) }

  /// The escaped text in quotation marks.
  var quotedUnambiguously: String { "\"" + escaped(isQuoted: true) + "\"" }

  private func escaped(isQuoted: Bool) -> String {
    var text = ""
    var before: Unicode.Scalar?
    var followsLetter = false
    var markCount = 0
    for scalar in unicodeScalars {
      markCount = scalar.isMark ? markCount + 1 : 0
      if !scalar.isMark { followsLetter = scalar.properties.isAlphabetic }
      // Letters of many languages carry one or two marks.
      let coversBase = scalar.isMark && (markCount > 2 || !followsLetter)
      let isSecondSpace = scalar == " " && before == " "
      if isQuoted, scalar == "\"" || scalar == "\\" {
        text += "\\\(scalar)"
      } else if scalar.isVisible, !coversBase, !isSecondSpace {
        text.unicodeScalars.append(scalar)
      } else {
        text += "\\u{\(String(scalar.value, radix: 16))}"
      }
      before = scalar
    }
    return text
  }
}

extension Unicode.Scalar {
  /// Whether the scalar combines with the preceding one.
  fileprivate var isMark: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spacingMark: true
    default: false
    }
  }

  /// Whether the scalar is visible.
  fileprivate var isVisible: Bool {
    // U+2800 is the Braille pattern without dots.
    guard isSafeForTerminal, !properties.isDefaultIgnorableCodePoint, value != 0x2800 else { return false }
    return properties.generalCategory != .spaceSeparator || self == " "
  }
}

/// Formats every byte of a body as lines that are safe to show.
enum BodyText {
  /// Returns the lines of a text with their indentation, or rows of hexadecimal digits if the body is not UTF-8.
  static func lines(of body: [UInt8]) -> [String] {
    guard let text = String(validating: body, as: UTF8.self) else {
      return stride(from: 0, to: body.count, by: rowLength).map { (start) in
        Hex.encode(body[start..<min(start + rowLength, body.count)])
      }
    }
    return text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { (line) in
      let indentation = line.prefix { $0 == " " }.prefix(maximumIndentation)
      return String(indentation) + String(line.dropFirst(indentation.count)).unambiguous
    }
  }

  // 32 bytes  [64 digits, which fit into a row]
  private static let rowLength = 32
  // 32 spaces  [handwritten JSON is rarely deeper, and more would move the text out of view]
  private static let maximumIndentation = 32
}
