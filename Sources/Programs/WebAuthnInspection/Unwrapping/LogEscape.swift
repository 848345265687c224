// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// An escape sequence in a string of a log, read after its backslash.
struct LogEscape {
  private(set) var content: [UInt8]
  private(set) var end: Int

  /// Whether the sequence stands for a byte that is not ASCII.
  private(set) var isBinary = false

  /// Reads the sequence at a position; nil where the text ends in it or it is malformed.
  init?(_ text: Bytes, at position: Int) {
    guard position < text.endIndex else { return nil }
    let rest = text[(position + 1)...]
    content = [text[position]]
    end = position + 1
    switch text[position] {
    case UInt8(ascii: "n"): content = [0x0a]
    case UInt8(ascii: "r"): content = [0x0d]
    case UInt8(ascii: "t"): content = [0x09]
    case UInt8(ascii: "b"): content = [0x08]
    case UInt8(ascii: "f"): content = [0x0c]
    case UInt8(ascii: "v"): content = [0x0b]
    case UInt8(ascii: "a"): content = [0x07]
    case UInt8(ascii: "e"): content = [0x1b]
    case UInt8(ascii: "\n"): content = []
    case UInt8(ascii: "x"):
      guard let byte = try? Hex.decode(rest.prefix(2)), byte.count == 1 else { return nil }
      content = byte
      end += 2
      isBinary = byte[0] >= 0x80
    case UInt8(ascii: "u"):
      guard let unit = Self.unit(rest) else { return nil }
      end += 4
      var units = [unit]
      if UTF16.isLeadSurrogate(unit), rest.dropFirst(4).starts(with: "\\u".utf8),
        let trail = Self.unit(rest.dropFirst(6)), UTF16.isTrailSurrogate(trail)
      {
        units.append(trail)
        end += 6
      }
      content = [UInt8](String(decoding: units, as: UTF16.self).utf8)
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      let digits = text[position...].prefix(3).prefix { (0x30...0x37).contains($0) }
      let value = digits.reduce(0) { $0 << 3 | Int($1 - 0x30) }
      content = [UInt8(truncatingIfNeeded: value)]
      end = digits.endIndex
      isBinary = value >= 0x80
    default: break
    }
  }

  private static func unit(_ digits: Bytes) -> UInt16? {
    guard let bytes = try? Hex.decode(digits.prefix(4)), bytes.count == 2 else { return nil }
    return UInt16(bytes[0]) << 8 | UInt16(bytes[1])
  }
}
