// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WireFormats

extension String {
  /// The text with everything escaped that would not be seen as what it is: what a terminal obeys or hides, spaces by which a
  /// line would seem to be two, and marks that cover what they stand on.
  var shownWhole: String { escapedWhole(isQuoted: false) }

  /// The same between quotes.
  var quotedWhole: String { "\"" + escapedWhole(isQuoted: true) + "\"" }

  private func escapedWhole(isQuoted: Bool) -> String {
    var text = ""
    var before: Unicode.Scalar?
    var standsOnLetter = false
    var markCount = 0
    for scalar in unicodeScalars {
      markCount = scalar.isMark ? markCount + 1 : 0
      if !scalar.isMark { standsOnLetter = scalar.properties.isAlphabetic }
      // Letters of many languages have one mark, or two.
      let isCovering = scalar.isMark && (markCount > 2 || !standsOnLetter)
      let isSecondSpace = scalar == " " && before == " "
      if isQuoted, scalar == "\"" || scalar == "\\" {
        text += "\\\(scalar)"
      } else if scalar.isSeen, !isCovering, !isSecondSpace {
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
  /// Whether it is drawn over what stands before it.
  fileprivate var isMark: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spacingMark: true
    default: false
    }
  }

  /// Whether somebody sees that it is there.
  fileprivate var isSeen: Bool {
    // U+2800 is a pattern of Braille without a dot.
    guard mayBeShown, !properties.isDefaultIgnorableCodePoint, value != 0x2800 else { return false }
    return properties.generalCategory != .spaceSeparator || self == " "
  }
}

/// Every byte of a body, as lines that are safe to show.
enum BodyText {
  /// Text as its lines, with their indentation; what is no UTF-8 as rows of hexadecimal digits.
  static func lines(of body: [UInt8]) -> [String] {
    guard let text = String(validating: body, as: UTF8.self) else {
      return stride(from: 0, to: body.count, by: rowLength).map { (start) in
        Hex.encode(body[start..<min(start + rowLength, body.count)])
      }
    }
    return text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { (line) in
      let indentation = line.prefix { $0 == " " }.prefix(maximumIndentation)
      return String(indentation) + String(line.dropFirst(indentation.count)).shownWhole
    }
  }

  // 32 bytes  [64 digits, which fit into a row]
  private static let rowLength = 32
  // 32 spaces  [deeper JSON is not written by hand, and more would move it out of sight]
  private static let maximumIndentation = 32
}
