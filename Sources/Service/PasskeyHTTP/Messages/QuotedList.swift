// SPDX-License-Identifier: Apache-2.0

/// A parser of list-valued header fields, which ignores delimiters inside quoted strings (RFC 9110 §5.6).
///
/// It works on bytes, so a combining mark after a delimiter does not hide the delimiter.
enum QuotedList {
  /// Returns the elements without surrounding white space, and without empty ones.
  ///
  /// If a quoted string is not closed, quotation marks are ignored [a client could otherwise hide what a proxy
  /// appended].
  static func split(_ text: String, at divider: Unicode.Scalar) -> [String] {
    parts(of: text, at: divider, respectingQuotes: true) ?? splitIgnoringQuotes(text, at: divider)
  }

  /// Returns the elements of a list without quoted strings.
  static func splitIgnoringQuotes(_ text: String, at divider: Unicode.Scalar) -> [String] {
    parts(of: text, at: divider, respectingQuotes: false) ?? []
  }

  private static func parts(of text: String, at divider: Unicode.Scalar, respectingQuotes: Bool) -> [String]? {
    var parts: [String] = []
    var part: [UInt8] = []
    var isQuoted = false
    var isEscaped = false
    for byte in text.utf8 {
      if isEscaped {
        isEscaped = false
      } else if isQuoted, byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if respectingQuotes, byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if byte == UInt8(ascii: divider), !isQuoted {
        parts.append(trimmed(part))
        part = []
        continue
      }
      part.append(byte)
    }
    parts.append(trimmed(part))
    return isQuoted ? nil : parts.filter { !$0.isEmpty }
  }

  /// Returns the content of a quoted string; any other text unchanged, without surrounding white space.
  static func unquoted(_ text: some StringProtocol) -> String {
    let bytes = Array(trimmed(Array(text.utf8)).utf8)
    guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else {
      return String(decoding: bytes, as: UTF8.self)
    }
    var inside: [UInt8] = []
    var isEscaped = false
    for byte in bytes.dropFirst().dropLast() {
      if !isEscaped, byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else {
        inside.append(byte)
        isEscaped = false
      }
    }
    return String(decoding: inside, as: UTF8.self)
  }

  /// Returns the text without surrounding spaces and tabs.
  static func trimmed(_ bytes: some BidirectionalCollection<UInt8>) -> String {
    let isText = { (byte: UInt8) in byte != UInt8(ascii: " ") && byte != UInt8(ascii: "\t") }
    guard let first = bytes.firstIndex(where: isText), let last = bytes.lastIndex(where: isText) else { return "" }
    return String(decoding: bytes[first...last], as: UTF8.self)
  }
}
