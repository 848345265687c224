// SPDX-License-Identifier: Apache-2.0

/// An escape sequence (RFC 8259 §7).
struct JSONEscape {
  /// The escaped character.
  let scalar: Unicode.Scalar

  /// The position after the sequence.
  let end: Int

  /// Reads the escape sequence whose backslash is at `position`.
  static func read(in text: Span<UInt8>, at position: Int) throws(WireError) -> JSONEscape {
    guard position + 1 < text.count else { throw WireError(.jsonTruncated, at: text.count) }
    if text[position + 1] == UInt8(ascii: "u") { return try readUnits(in: text, at: position) }
    guard let scalar = short(text[position + 1]) else { throw WireError(.jsonInvalidEscape, at: position + 1) }
    return JSONEscape(scalar: scalar, end: position + 2)
  }

  /// Reads one UTF-16 code unit in four digits, or a surrogate pair.
  private static func readUnits(in text: Span<UInt8>, at position: Int) throws(WireError) -> JSONEscape {
    let first = try unit(in: text, at: position + 2)
    if let scalar = Unicode.Scalar(first) { return JSONEscape(scalar: scalar, end: position + 6) }

    // A low surrogate may not come first, and a high surrogate must be followed by a low one.
    guard UTF16.isLeadSurrogate(first) else { throw WireError(.jsonLoneSurrogate, at: position) }
    for (place, expected) in zip((position + 6)..., "\\u".utf8) {
      guard place < text.count else { throw WireError(.jsonTruncated, at: text.count) }
      guard text[place] == expected else { throw WireError(.jsonLoneSurrogate, at: position) }
    }
    let second = try unit(in: text, at: position + 8)
    let value = 0x1_0000 + (UInt32(first) & 0x3ff) << 10 + UInt32(second) & 0x3ff
    guard UTF16.isTrailSurrogate(second), let scalar = Unicode.Scalar(value) else {
      throw WireError(.jsonLoneSurrogate, at: position)
    }
    return JSONEscape(scalar: scalar, end: position + 12)
  }

  private static func short(_ character: UInt8) -> Unicode.Scalar? {
    switch character {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): Unicode.Scalar(character)
    case UInt8(ascii: "b"): "\u{8}"
    case UInt8(ascii: "f"): "\u{c}"
    case UInt8(ascii: "n"): "\n"
    case UInt8(ascii: "r"): "\r"
    case UInt8(ascii: "t"): "\t"
    default: nil
    }
  }

  private static func unit(in text: Span<UInt8>, at start: Int) throws(WireError) -> UInt16 {
    var unit: UInt16 = 0
    for position in start..<start + 4 {
      guard position < text.count else { throw WireError(.jsonTruncated, at: text.count) }
      guard let digit = Hex.value(ofDigit: text[position]) else { throw WireError(.jsonInvalidEscape, at: position) }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }
}

extension JSONEscape {
  /// Whether a byte must be escaped in a string.
  static func isNeeded(for character: UInt8) -> Bool {
    character < 0x20 || character == UInt8(ascii: "\"") || character == UInt8(ascii: "\\")
  }

  /// Whether this is the first byte of a multi-byte character, or DEL, that may need an escape.
  static func mayBeNeeded(for character: UInt8) -> Bool {
    switch character {
    case 0x7f, 0xc2, 0xd8, 0xe2, 0xef: true
    default: isNeeded(for: character)
    }
  }

  /// Whether a terminal or log viewer would interpret the character or reorder the line: DEL, C1 controls, line and
  /// paragraph separators, bidirectional controls (UAX #9), and the byte order mark.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x7f...0x9f, 0x61c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069, 0xfeff: true
    default: false
    }
  }

  /// Writes a character, escaped if necessary.
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

  /// Writes an ASCII character, escaped as RFC 8785 §3.2.2.2 specifies if necessary.
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
