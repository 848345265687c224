// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// Steps over JSON text that is written plainly: strings of ASCII without escapes. For readers that know what they expect
/// and give up on everything else.
enum PlainText {
  /// Steps over `expected`, or stays.
  @inline(__always)
  static func read(_ expected: StaticString, in text: Span<UInt8>, at position: inout Int) -> Bool {
    let end = position + expected.utf8CodeUnitCount
    guard end <= text.count, isEqual(text.extracting(position..<end), expected) else { return false }
    position = end
    return true
  }

  /// Whether `text` is `expected`. The lengths are compared first: they tell most names apart.
  @inline(__always)
  static func isEqual(_ text: Span<UInt8>, _ expected: StaticString) -> Bool {
    guard text.count == expected.utf8CodeUnitCount else { return false }
    return expected.withUTF8Buffer { expected in unsafe text.isEqual(to: expected.span) }
  }

  /// Steps over white space and a character behind it; whether it stood there.
  @inline(__always)
  static func read(_ character: UInt8, in text: Span<UInt8>, at position: inout Int) -> Bool {
    skipWhiteSpace(in: text, at: &position)
    guard position < text.count, text[position] == character else { return false }
    position += 1
    return true
  }

  /// Steps over white space.
  @inline(__always)
  static func skipWhiteSpace(in text: Span<UInt8>, at position: inout Int) {
    while position < text.count, text[position].isASCIIWhiteSpace { position += 1 }
  }

  /// Steps over a string and its quotation marks, and returns where its characters are.
  static func readString(in text: Span<UInt8>, at position: inout Int) -> Range<Int>? {
    guard position < text.count, text[position] == UInt8(ascii: "\"") else { return nil }
    let start = position + 1
    let end = JSONString.firstSpecial(in: text, from: start)
    guard end < text.count, text[end] == UInt8(ascii: "\"") else { return nil }
    position = end + 1
    return start..<end
  }

  /// The same for a string that is going to be compared with what is expected, or decoded from base64url: either finds out
  /// about characters that are not plain.
  static func readExpected(in text: Span<UInt8>, at position: inout Int) -> Range<Int>? {
    guard position < text.count, text[position] == UInt8(ascii: "\"") else { return nil }
    let start = position + 1
    let end = JSONString.firstQuotationMark(in: text, from: start)
    guard end < text.count else { return nil }
    position = end + 1
    return start..<end
  }

  /// Whether all of `text` stands for itself in a string.
  static func isPlain(_ text: Span<UInt8>) -> Bool {
    JSONString.firstSpecial(in: text, from: 0) == text.count
  }
}
