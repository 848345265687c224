// SPDX-License-Identifier: Apache-2.0

extension JSONEscape {
  /// Whether a character of a string cannot stand for itself.
  static func isNeeded(for character: UInt8) -> Bool {
    character < 0x20 || character == UInt8(ascii: "\"") || character == UInt8(ascii: "\\")
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
