// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// A way in which an artifact can be written down, and the bytes that it stands for.
struct InputReading {
  let form: Form
  let bytes: [UInt8]

  /// How many more there are behind this one, where several can stand in one text.
  var followers = 0

  /// The raw values are what `--json` prints.
  enum Form: String {
    case raw
    case text
    case hex
    case base64url
    case base64
    case pem
  }

  /// Every way in which `input` can be read, the likeliest first. There is always one: as it is.
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

  /// The input without the space around it, where it is printable ASCII or JSON, which may hold more.
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

  /// Hex is often written with 0x in front, or with colons between the bytes.
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
