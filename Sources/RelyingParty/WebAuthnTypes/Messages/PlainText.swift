// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// Scanning of JSON text whose strings are ASCII without escapes, for fast paths that fall back to the JSON parser for
/// any other text.
enum PlainText {
  /// Skips `expected` and returns true, or returns false without moving.
  @inline(__always)
  static func read(_ expected: StaticString, in text: Span<UInt8>, at position: inout Int) -> Bool {
    let end = position + expected.utf8CodeUnitCount
    guard end <= text.count, isEqual(text.extracting(position..<end), expected) else { return false }
    position = end
    return true
  }

  /// Whether `text` is `expected`. Compares the lengths first, because most names differ in length.
  @inline(__always)
  static func isEqual(_ text: Span<UInt8>, _ expected: StaticString) -> Bool {
    guard text.count == expected.utf8CodeUnitCount else { return false }
    return expected.withUTF8Buffer { expected in unsafe text.isEqual(to: expected.span) }
  }

  /// Skips white space and `character`; returns whether the character was there.
  @inline(__always)
  static func read(_ character: UInt8, in text: Span<UInt8>, at position: inout Int) -> Bool {
    skipWhiteSpace(in: text, at: &position)
    guard position < text.count, text[position] == character else { return false }
    position += 1
    return true
  }

  /// Skips white space.
  @inline(__always)
  static func skipWhiteSpace(in text: Span<UInt8>, at position: inout Int) {
    while position < text.count, text[position].isASCIIWhiteSpace { position += 1 }
  }

  /// Skips a string with its quotation marks and returns the range of its characters; nil if it contains an escape, a
  /// control character or a byte outside ASCII.
  static func readString(in text: Span<UInt8>, at position: inout Int) -> Range<Int>? {
    guard position < text.count, text[position] == UInt8(ascii: "\"") else { return nil }
    let start = position + 1
    let end = JSONString.firstSpecial(in: text, from: start)
    guard end < text.count, text[end] == UInt8(ascii: "\"") else { return nil }
    position = end + 1
    return start..<end
  }

  /// Reads a string without checking its characters. Use it only if the caller compares the result with a literal or
  /// decodes it from base64url: both reject the characters that ``readString(in:at:)`` rejects.
  static func readExpected(in text: Span<UInt8>, at position: inout Int) -> Range<Int>? {
    guard position < text.count, text[position] == UInt8(ascii: "\"") else { return nil }
    let start = position + 1
    let end = JSONString.firstQuotationMark(in: text, from: start)
    guard end < text.count else { return nil }
    position = end + 1
    return start..<end
  }

  /// Whether `text` contains no escape, no control character and only ASCII.
  static func isPlain(_ text: Span<UInt8>) -> Bool {
    JSONString.firstSpecial(in: text, from: 0) == text.count
  }
}
