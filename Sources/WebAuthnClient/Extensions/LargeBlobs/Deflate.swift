// SPDX-License-Identifier: Apache-2.0

/// Compresses by DEFLATE (RFC 1951): one block with the fixed codes, whose repetitions are found at the last place where
/// the same three bytes stood; or, where that gains nothing, blocks that are stored as they are.
///
/// An authenticator's room is small, and a blob is written once: a better choice of codes would save some bytes more.
struct Deflate {
  private var output: [UInt8] = []
  private var bits = 0
  private var bitCount = 0

  private static let shortestMatch = 3
  private static let longestMatch = 258
  private static let farthestMatch = 32_768
  private static let longestStored = 65_535

  /// What ``Inflate`` makes `input` of again.
  static func compress(_ input: [UInt8]) -> [UInt8] {
    var deflate = Deflate()
    deflate.writeCoded(input)
    let stored = storedBlocks(of: input)
    return deflate.output.count < stored.count ? deflate.output : stored
  }

  /// §3.2.4: last or not, the length and its complement, the bytes.
  private static func storedBlocks(of input: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    var rest = input[...]
    repeat {
      let block = rest.prefix(longestStored)
      rest = rest.dropFirst(longestStored)
      let length = [UInt8(block.count & 0xff), UInt8(block.count >> 8)]
      output += [rest.isEmpty ? 1 : 0] + length + length.map { (byte) in ~byte } + block
    } while !rest.isEmpty
    return output
  }

  /// §3.2.6
  private mutating func writeCoded(_ input: [UInt8]) {
    write(1, 1)
    write(1, 2)
    var places: [Int: Int] = [:]
    var position = 0
    while position < input.count {
      let place = Self.shortestMatch <= input.count - position ? places[Self.key(input, position)] : nil
      let length = place.map { (place) in Self.matchLength(input, place, position) } ?? 0
      if let place, length >= Self.shortestMatch {
        writeMatch(length, position - place)
      } else {
        writeLiteral(Int(input[position]))
      }
      for _ in 0..<max(1, length) {
        if Self.shortestMatch <= input.count - position { places[Self.key(input, position)] = position }
        position += 1
      }
    }
    writeLiteral(DeflateTables.endOfBlock)
    if bitCount > 0 { output.append(UInt8(bits)) }
  }

  private static func key(_ input: [UInt8], _ position: Int) -> Int {
    Int(input[position]) << 16 | Int(input[position + 1]) << 8 | Int(input[position + 2])
  }

  private static func matchLength(_ input: [UInt8], _ place: Int, _ position: Int) -> Int {
    guard position - place <= farthestMatch else { return 0 }
    let most = min(longestMatch, input.count - position)
    var length = 0
    while length < most, input[place + length] == input[position + length] { length += 1 }
    return length
  }

  private mutating func writeMatch(_ length: Int, _ distance: Int) {
    let length = Self.term(length, in: DeflateTables.lengths)
    writeLiteral(DeflateTables.endOfBlock + 1 + length.index)
    write(length.rest, length.bitCount)
    let distance = Self.term(distance, in: DeflateTables.distances)
    writeWord(distance.index, 5)
    write(distance.rest, distance.bitCount)
  }

  private static func term(
    _ value: Int, in table: [(least: Int, bitCount: Int)]
  ) -> (index: Int, rest: Int, bitCount: Int) {
    let index = table.lastIndex { (term) in term.least <= value } ?? 0
    return (index, value - table[index].least, table[index].bitCount)
  }

  /// The words of the fixed code.
  private mutating func writeLiteral(_ symbol: Int) {
    switch symbol {
    case ..<144: writeWord(0x30 + symbol, 8)
    case ..<256: writeWord(0x190 + symbol - 144, 9)
    case ..<280: writeWord(symbol - 256, 7)
    default: writeWord(0xc0 + symbol - 280, 8)
    }
  }

  /// A word of a code begins with its highest bit,
  private mutating func writeWord(_ word: Int, _ count: Int) {
    for place in (0..<count).reversed() { write(word >> place & 1, 1) }
  }

  /// and a number with its lowest.
  private mutating func write(_ number: Int, _ count: Int) {
    bits |= number << bitCount
    bitCount += count
    while bitCount >= 8 {
      output.append(UInt8(bits & 0xff))
      bits >>= 8
      bitCount -= 8
    }
  }
}
