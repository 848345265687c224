// SPDX-License-Identifier: Apache-2.0

/// Text of a header field. Control characters are replaced by spaces, so the text cannot end its field.
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
    // Directional marks can reorder the displayed text.
    case .format: scalar.properties.isBidiControl
    default: false
    }
  }

  /// Whether a field may contain the text unencoded: it is short, printable ASCII, and does not resemble an encoded
  /// word.
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

  /// The text as encoded words of RFC 2047, one per line. Each word contains whole characters, as RFC 2047 requires.
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
