// SPDX-License-Identifier: Apache-2.0

/// Hexadecimal text with two digits a byte (RFC 4648 §8).
package enum Hex {
  /// Decodes ASCII digits in either case, without separators.
  ///
  /// - Throws: `hex.invalid-character` or `hex.odd-length`, with an index into `text`.
  package static func decode(_ text: some ByteSource) throws(WireError) -> [UInt8] {
    let text = text.slice
    return try decode(text.span, from: text.startIndex)
  }

  /// Decodes a string of digits.
  ///
  /// - Throws: `hex.invalid-character` or `hex.odd-length`, with an offset in UTF-8 bytes.
  package static func decode(_ text: String) throws(WireError) -> [UInt8] {
    try decode(Array(text.utf8))
  }

  /// Encodes bytes in lower case.
  package static func encode(_ bytes: some ByteSource) -> String {
    let bytes = bytes.slice
    let digits = Array("0123456789abcdef".utf8)
    let text = [UInt8](capacity: 2 * bytes.count) { text in
      for byte in bytes {
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 15)])
      }
    }
    return String(decoding: text, as: UTF8.self)
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

  /// Returns the value of a hexadecimal digit; also used for JSON's `\u` escapes.
  static func value(ofDigit digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
