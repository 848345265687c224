// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// One way to read an input: its form and the decoded bytes.
struct InputReading {
  let form: Inspection.Form
  let bytes: [UInt8]

  /// The number of PEM blocks that follow this one in the text.
  var followers = 0

  /// Returns every way to read `input`, the likeliest first. The undecoded input is always among them, unless it is PEM.
  ///
  /// - Throws: `WireError` where a PEM block is malformed.
  static func readings(of input: [UInt8]) throws(WireError) -> [InputReading] {
    guard let text = printableText(input) else { return [InputReading(form: .raw, bytes: input)] }
    var readings: [InputReading] = []
    let blocks = try PEM.blocks(in: text)
    if let block = blocks.first {
      return [InputReading(form: .pem, bytes: block.bytes, followers: blocks.count - 1)]
    }
    let letters = Self.withoutSpace(text)
    if let bytes = try? Hex.decode(Self.hexDigits(in: letters)), !bytes.isEmpty {
      readings.append(InputReading(form: .hex, bytes: bytes))
    }
    if !letters.isEmpty, let bytes = try? Base64.decodeLeniently(letters) {
      let isURL = (try? Base64URL.decode(letters)) != nil
      readings.append(InputReading(form: isURL ? .base64url : .base64, bytes: bytes))
    }
    readings.append(InputReading(form: .text, bytes: [UInt8](text)))
    return readings
  }

  /// Returns the input without surrounding white space if it is printable ASCII, or JSON in UTF-8.
  private static func printableText(_ input: [UInt8]) -> Bytes? {
    let trimmed = JSON.withoutByteOrderMark(input[...]).trimmed
    let isJSON = trimmed.first == UInt8(ascii: "{") || trimmed.first == UInt8(ascii: "[")
    let isPrintable = trimmed.allSatisfy { (0x20...0x7e).contains($0) || $0.isSpace }
    return !trimmed.isEmpty && (isPrintable || (isJSON && String(validating: trimmed, as: UTF8.self) != nil))
      ? trimmed : nil
  }

  private static func withoutSpace(_ text: Bytes) -> Bytes {
    text.contains(where: \.isSpace) ? text.filter { !$0.isSpace }[...] : text
  }

  /// Removes the prefix 0x and colons between the bytes.
  private static func hexDigits(in letters: Bytes) -> Bytes {
    let digits = letters.starts(with: [UInt8]("0x".utf8)) ? letters.dropFirst(2) : letters
    return digits.contains(UInt8(ascii: ":")) ? digits.filter { $0 != UInt8(ascii: ":") }[...] : digits
  }
}

extension UInt8 {
  fileprivate var isSpace: Bool { self == 0x20 || (0x09...0x0d).contains(self) }
}

extension Bytes {
  fileprivate var trimmed: Bytes {
    let start = firstIndex { !$0.isSpace } ?? endIndex
    let end = self[start...].lastIndex { !$0.isSpace }
    return self[start..<(end.map { $0 + 1 } ?? start)]
  }
}
