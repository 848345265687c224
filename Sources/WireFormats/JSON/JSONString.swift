// SPDX-License-Identifier: Apache-2.0

/// What stands between two quotation marks.
package enum JSONString {
  /// The position at or after `start` of the first byte that is not just an ASCII character of a string: a quotation
  /// mark, a backslash, a control character, or one that is not ASCII; the end when there is none.
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

  /// The position at or after `start` of the first quotation mark; the end when there is none. For text whose reader knows
  /// every other character that is allowed in it.
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

  /// Sets the high bit of the first byte that is special, and of none before it.
  ///
  /// `(x - 1) & ~x` has the high bit of each byte that is zero, and perhaps of some behind the first such byte, because a
  /// subtraction borrows from there: only the lowest bit that is set can be relied upon.
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

  /// The characters for which the inside of a string stands. Every escape in it has been read before without a fault.
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

  /// A hash of 30 bits that tells most names apart. An attacker may find names that share one: it only saves comparisons.
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
