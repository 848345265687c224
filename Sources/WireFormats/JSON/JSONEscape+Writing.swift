// SPDX-License-Identifier: Apache-2.0

extension JSONEscape {
  /// Whether a byte of a string cannot stand for itself.
  static func isNeeded(for character: UInt8) -> Bool {
    character < 0x20 || character == UInt8(ascii: "\"") || character == UInt8(ascii: "\\")
  }

  /// Whether a character of more than one byte, or DEL, begins with this byte and may need an escape.
  static func mayBeNeeded(for character: UInt8) -> Bool {
    switch character {
    case 0x7f, 0xc2, 0xd8, 0xe2, 0xef: true
    default: isNeeded(for: character)
    }
  }

  /// Whether a log viewer or terminal would obey the character or reorder the line: DEL, the C1 controls, line and
  /// paragraph separators, the bidirectional controls (UAX #9), and the byte order mark.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x7f...0x9f, 0x61c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069, 0xfeff: true
    default: false
    }
  }

  /// Writes a character with the escape that it needs.
  static func write(_ scalar: Unicode.Scalar, onto bytes: inout [UInt8]) {
    if isControl(scalar) {
      let unit = UInt16(truncatingIfNeeded: scalar.value)
      bytes.append(contentsOf: "\\u\(Hex.encode([UInt8(unit >> 8), UInt8(unit & 0xff)]))".utf8)
    } else if scalar.isASCII {
      write(UInt8(truncatingIfNeeded: scalar.value), onto: &bytes)
    } else {
      bytes.append(contentsOf: String(scalar).utf8)
    }
  }

  /// Writes a character, or the one escape that RFC 8785 §3.2.2.2 has for it.
  static func write(_ character: UInt8, onto bytes: inout [UInt8]) {
    guard isNeeded(for: character) else {
      bytes.append(character)
      return
    }
    bytes.append(UInt8(ascii: "\\"))
    switch character {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0a: bytes.append(UInt8(ascii: "n"))
    case 0x0c: bytes.append(UInt8(ascii: "f"))
    case 0x0d: bytes.append(UInt8(ascii: "r"))
    case ..<0x20: bytes.append(contentsOf: "u00\(Hex.encode([character]))".utf8)
    default: bytes.append(character)
    }
  }
}
