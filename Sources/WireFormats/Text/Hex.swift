// SPDX-License-Identifier: Apache-2.0

/// Two hexadecimal digits a byte (RFC 4648 §8).
public enum Hex {
  /// The bytes for which the digits of `text` stand, in either case, with nothing between them.
  public static func decode(_ text: Bytes) throws(WireError) -> [UInt8] {
    try decode(text.span, from: text.startIndex)
  }

  /// The bytes for which `text` stands; the offset of a fault counts UTF-8 bytes from 0.
  public static func decode(_ text: String) throws(WireError) -> [UInt8] {
    try decode(Array(text.utf8)[...])
  }

  /// `bytes` as digits, in lower case.
  public static func encode(_ bytes: Bytes) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let text = [UInt8](capacity: 2 * bytes.count) { text in
      for byte in bytes {
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 15)])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// `bytes` as digits, in lower case.
  public static func encode(_ bytes: [UInt8]) -> String {
    encode(bytes[...])
  }

  private static func decode(_ text: Span<UInt8>, from start: Int) throws(WireError) -> [UInt8] {
    let bytes = try [UInt8](capacity: text.count / 2) { (bytes) throws(WireError) in
      var high: UInt8?
      for position in text.indices {
        guard let digit = value(ofDigit: text[position]) else {
          throw WireError(.hexInvalidCharacter, at: start + position)
        }
        if let upper = high {
          bytes.append(upper << 4 | digit)
          high = nil
        } else {
          high = digit
        }
      }
    }
    guard text.count.isMultiple(of: 2) else { throw WireError(.hexOddLength, at: start + text.count) }
    return bytes
  }

  /// What a digit counts, here and in JSON's `\u` escapes.
  static func value(ofDigit digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
