// SPDX-License-Identifier: Apache-2.0

/// Text of a header field. It has no control characters, so it cannot end its field: they become spaces.
struct MailText: Hashable, Sendable {
  let text: String

  init(_ text: String) {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { scalars.append(Self.isControl(scalar) ? " " : scalar) }
    self.text = String(scalars)
  }

  /// Whether a character could end a line or change how the line is shown.
  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
    // Directional marks can reorder what people read.
    case .format: scalar.properties.isBidiControl
    default: false
    }
  }

  /// Whether the text may stand in a field as it is: short, printable ASCII, and not like an encoded word.
  private var isPlain: Bool {
    text.utf8.count <= Self.longestPlainText && text.utf8.allSatisfy { 0x20...0x7e ~= $0 } && !text.contains("=?")
      && text.first != " " && text.last != " "
  }

  /// The value of an unstructured field such as Subject.
  var unstructured: String { isPlain ? text : encodedWords }

  /// A display name: a quoted string, or encoded words.
  var phrase: String {
    guard isPlain else { return encodedWords }
    return "\"\(text.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] }.map(String.init).joined())\""
  }

  /// The text in encoded words of RFC 2047, one a line. No word cuts a character, because each must be valid by itself.
  private var encodedWords: String {
    var words: [String] = []
    var word = ""
    for scalar in text.unicodeScalars {
      let encoded = Self.encoded(scalar)
      if word.utf8.count + encoded.utf8.count > Self.longestWord {
        words.append(word)
        word = ""
      }
      word += encoded
    }
    words.append(word)
    return words.map { "=?utf-8?Q?\($0)?=" }.joined(separator: "\r\n ")
  }

  /// The Q encoding for any place in a header (RFC 2047 §5, rule 3).
  private static func encoded(_ scalar: Unicode.Scalar) -> String {
    if scalar == " " { return "_" }
    if scalar.isASCII, UInt8(ascii: scalar).isASCIILetterOrDigit || "!*+-/".unicodeScalars.contains(scalar) {
      return String(scalar)
    }
    return String(scalar).utf8.map(QuotedPrintable.escape).joined()
  }

  // 60 [a line of 78 characters has room for the name of the field]
  private static let longestPlainText = 60
  // 50 [a line with encoded words has at most 76 characters; the word's frame takes 12 and the field's name up to 9]
  private static let longestWord = 50
}
