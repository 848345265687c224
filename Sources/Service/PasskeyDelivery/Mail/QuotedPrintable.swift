// SPDX-License-Identifier: Apache-2.0

/// The content transfer encoding of RFC 2045 §6.7. Its output is ASCII in lines of at most 76 characters, which every mail
/// server transmits unchanged, with or without the 8BITMIME extension.
enum QuotedPrintable {
  private static let lineLimit = 76

  /// Encodes text, whose lines end with a line feed or CRLF. The result's lines end with CRLF.
  static func encode(_ text: String) -> String {
    var bytes = Array(text.utf8)
    if bytes.last == 0x0a { bytes.removeLast() }
    let lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false)
    return lines.map { (line) in
      encode(line: line.last == 0x0d ? line.dropLast() : line) + "\r\n"
    }.joined()
  }

  private static func encode(line: ArraySlice<UInt8>) -> String {
    var output = ""
    var length = 0
    for (index, byte) in zip(line.indices, line) {
      let isLast = index == line.endIndex - 1
      let isBlank = byte == 0x20 || byte == 0x09
      let isPlain = 0x21...0x7e ~= byte && byte != UInt8(ascii: "=") || isBlank && !isLast
      let piece = isPlain ? String(Unicode.Scalar(byte)) : escape(byte)
      // The last character of a soft line break is the equals sign.
      if length + piece.utf8.count > (isLast ? lineLimit : lineLimit - 1) {
        output += "=\r\n"
        length = 0
      }
      output += piece
      length += piece.utf8.count
    }
    return output
  }

  /// Returns an equals sign and two digits.
  static func escape(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return byte < 0x10 ? "=0\(digits)" : "=\(digits)"
  }
}
