// SPDX-License-Identifier: Apache-2.0

/// Functions on the characters between the quotation marks of a string.
package enum JSONString {
  /// Returns the position, at or after `start`, of the first quotation mark, backslash, control character or non-ASCII
  /// byte, or the end.
  package static func firstSpecial(in text: Span<UInt8>, from start: Int) -> Int {
    var position = start
    while text.count - position >= 8 {
      let special = specialBits(text.word(at: position))
      if special != 0 { return position + special.trailingZeroBitCount / 8 }
      position += 8
    }
    while position < text.count, !isSpecial(text[position]) { position += 1 }
    return position
  }

  /// Returns the position of the first quotation mark at or after `start`, or the end. Use it only if the caller checks
  /// all other characters itself.
  package static func firstQuotationMark(in text: Span<UInt8>, from start: Int) -> Int {
    var position = start
    while text.count - position >= 8 {
      let word = text.word(at: position) ^ (ones &* UInt64(UInt8(ascii: "\"")))
      let found = (word &- ones) & ~word & (ones &* 0x80)
      if found != 0 { return position + found.trailingZeroBitCount / 8 }
      position += 8
    }
    while position < text.count, text[position] != UInt8(ascii: "\"") { position += 1 }
    return position
  }

  /// Sets the high bit of the first special byte, and of no byte before it.
  ///
  /// `(x - 1) & ~x` sets the high bit of each zero byte. The subtraction can borrow, which may also set bits after the
  /// first zero byte, so only the lowest set bit is reliable.
  private static func specialBits(_ word: UInt64) -> UInt64 {
    let quotationMark = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
    let backslash = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
    let below = (quotationMark &- ones) & ~quotationMark | (backslash &- ones) & ~backslash | (word &- ones &* 0x20)
    return (below | word) & (ones &* 0x80)
  }

  private static let ones: UInt64 = 0x0101_0101_0101_0101

  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  /// Resolves the escapes of a string. The parser has already checked every escape.
  static func withoutEscapes(_ text: Span<UInt8>) -> [UInt8] {
    var characters: [UInt8] = []
    characters.reserveCapacity(text.count)
    var position = 0
    while position < text.count {
      if text[position] == UInt8(ascii: "\\"), let escape = try? JSONEscape.read(in: text, at: position) {
        characters.append(contentsOf: escape.scalar.utf8)
        position = escape.end
      } else {
        characters.append(text[position])
        position += 1
      }
    }
    return characters
  }

  /// Returns a 30-bit hash that differs for most names. It only saves comparisons: equal hashes are compared in full,
  /// so an attacker gains nothing from collisions.
  static func hash(_ characters: Span<UInt8>) -> UInt32 {
    let count = characters.count
    let odd: UInt64 = 0x9e37_79b9_7f4a_7c15
    var hash = UInt64(truncatingIfNeeded: count) &* odd
    var rest: UInt64 = 0
    if count >= 8 {
      for position in stride(from: 0, to: count - 8, by: 8) {
        hash = (hash ^ characters.word(at: position)) &* odd
        hash ^= hash >> 32
      }
      rest = characters.word(at: count - 8)
    } else {
      for position in characters.indices { rest = rest << 8 | UInt64(characters[position]) }
    }
    return UInt32(truncatingIfNeeded: ((hash ^ rest) &* odd) >> 34)
  }
}
