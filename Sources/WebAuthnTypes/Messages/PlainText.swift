// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// Steps over JSON text that is written plainly: strings of ASCII without escapes. For readers that know what they expect
/// and give up on everything else.
enum PlainText {
  /// Steps over `expected`, or stays.
  @inline(__always)
  static func read(_ expected: String, in text: Span<UInt8>, at position: inout Int) -> Bool {
    let end = position + expected.utf8.count
    guard end <= text.count, text.extracting(position..<end).isEqual(to: expected.utf8Span.span) else { return false }
    position = end
    return true
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
}
