// SPDX-License-Identifier: Apache-2.0

/// A prefix code that follows from the lengths of its words (RFC 1951 §3.2.2).
struct HuffmanCode: Sendable {
  /// How many words there are of each length.
  private var counts = [Int](repeating: 0, count: maximumBitCount + 1)
  /// The symbols, by their words' lengths and then by their own order.
  private var symbols: [Int] = []

  static let maximumBitCount = 15

  /// Nil where there are more words than there can be. Fewer are allowed: a code of one distance has one word.
  init?(lengths: [Int]) {
    for length in lengths where length > 0 { counts[length] += 1 }
    var left = 1
    for count in counts.dropFirst() {
      left = left * 2 - count
      guard left >= 0 else { return nil }
    }
    for length in 1...Self.maximumBitCount {
      symbols += lengths.indices.filter { (symbol) in lengths[symbol] == length }
    }
  }

  /// The symbol whose word comes next; nil where there is none.
  func symbol(_ nextBit: () -> Int?) -> Int? {
    var word = 0
    var first = 0
    var index = 0
    for count in counts.dropFirst() {
      guard let bit = nextBit() else { return nil }
      word |= bit
      if word - first < count { return symbols[index + word - first] }
      index += count
      first = (first + count) << 1
      word <<= 1
    }
    return nil
  }

  /// The fixed code for literals and lengths (§3.2.6).
  static let fixedLengths =
    [Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112) + [Int](repeating: 7, count: 24)
    + [Int](repeating: 8, count: 8)
}

/// What lengths and distances stand for (RFC 1951 §3.2.5): a least value, and how many bits are added to it.
enum DeflateTables {
  static let lengths: [(least: Int, bitCount: Int)] = [
    (3, 0), (4, 0), (5, 0), (6, 0), (7, 0), (8, 0), (9, 0), (10, 0), (11, 1), (13, 1), (15, 1), (17, 1), (19, 2),
    (23, 2), (27, 2), (31, 2), (35, 3), (43, 3), (51, 3), (59, 3), (67, 4), (83, 4), (99, 4), (115, 4), (131, 5),
    (163, 5), (195, 5), (227, 5), (258, 0),
  ]

  static let distances: [(least: Int, bitCount: Int)] = [
    (1, 0), (2, 0), (3, 0), (4, 0), (5, 1), (7, 1), (9, 2), (13, 2), (17, 3), (25, 3), (33, 4), (49, 4), (65, 5),
    (97, 5), (129, 6), (193, 6), (257, 7), (385, 7), (513, 8), (769, 8), (1025, 9), (1537, 9), (2049, 10), (3073, 10),
    (4097, 11), (6145, 11), (8193, 12), (12_289, 12), (16_385, 13), (24_577, 13),
  ]

  static let endOfBlock = 256
}
