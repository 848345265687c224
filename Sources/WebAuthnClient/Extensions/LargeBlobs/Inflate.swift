// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// Undoes DEFLATE (RFC 1951), in which platforms store large blobs.
///
/// Limits:
/// - what comes out has exactly the length that was announced [an entry announces it; nothing is made beyond it];
/// - nothing stands behind the last block [it is the whole of an entry].
struct Inflate {
  private let input: Bytes
  private let byteCount: Int
  private var position: Int
  private var bits = 0
  private var bitCount = 0
  private var output: [UInt8] = []

  /// What `input` was made of; nil where it is no DEFLATE of so many bytes.
  static func decompress(_ input: Bytes, byteCount: Int) -> [UInt8]? {
    var inflate = Inflate(input: input, byteCount: byteCount, position: input.startIndex)
    guard inflate.run() != nil, inflate.output.count == byteCount, inflate.position == input.endIndex else { return nil }
    return inflate.output
  }

  private init(input: Bytes, byteCount: Int, position: Int) {
    self.input = input
    self.byteCount = byteCount
    self.position = position
    output.reserveCapacity(min(byteCount, 1 << 16))
  }

  private mutating func run() -> Void? {
    while true {
      guard let isLast = take(1), let kind = take(2) else { return nil }
      switch kind {
      case 0: guard copyStored() != nil else { return nil }
      case 1:
        guard let literals = HuffmanCode(lengths: HuffmanCode.fixedLengths),
          let distances = HuffmanCode(lengths: [Int](repeating: 5, count: 30)),
          copyCoded(literals, distances) != nil
        else { return nil }
      case 2:
        guard let (literals, distances) = readCodes(), copyCoded(literals, distances) != nil else { return nil }
      default: return nil
      }
      if isLast == 1 { return () }
    }
  }

  /// The next bits, the lowest first.
  private mutating func take(_ count: Int) -> Int? {
    while bitCount < count {
      guard position < input.endIndex else { return nil }
      bits |= Int(input[position]) << bitCount
      bitCount += 8
      position += 1
    }
    defer {
      bits >>= count
      bitCount -= count
    }
    return bits & (1 << count - 1)
  }

  private mutating func takeSymbol(_ code: HuffmanCode) -> Int? {
    code.symbol { take(1) }
  }

  /// §3.2.4
  private mutating func copyStored() -> Void? {
    (bits, bitCount) = (0, 0)
    guard let length = take(16), let complement = take(16), length ^ complement == 0xffff,
      length <= input.endIndex - position, length <= byteCount - output.count
    else { return nil }
    output += input[position..<position + length]
    position += length
    return ()
  }

  /// §3.2.3
  private mutating func copyCoded(_ literals: HuffmanCode, _ distances: HuffmanCode) -> Void? {
    while true {
      guard let symbol = takeSymbol(literals) else { return nil }
      if symbol == DeflateTables.endOfBlock { return () }
      if symbol < DeflateTables.endOfBlock {
        guard output.count < byteCount else { return nil }
        output.append(UInt8(symbol))
        continue
      }
      guard let length = takeValue(DeflateTables.lengths, symbol - DeflateTables.endOfBlock - 1),
        let code = takeSymbol(distances), let distance = takeValue(DeflateTables.distances, code),
        distance <= output.count, length <= byteCount - output.count
      else { return nil }
      // What is copied may overlap what it makes.
      let start = output.count - distance
      for index in start..<start + length { output.append(output[index]) }
    }
  }

  private mutating func takeValue(_ table: [(least: Int, bitCount: Int)], _ index: Int) -> Int? {
    guard table.indices.contains(index), let more = take(table[index].bitCount) else { return nil }
    return table[index].least + more
  }

  /// §3.2.7
  private mutating func readCodes() -> (literals: HuffmanCode, distances: HuffmanCode)? {
    guard let literalCount = take(5), let distanceCount = take(5), let lengthCount = take(4) else { return nil }
    var lengths = [Int](repeating: 0, count: 19)
    for index in Self.lengthOrder.prefix(lengthCount + 4) {
      guard let length = take(3) else { return nil }
      lengths[index] = length
    }
    let total = literalCount + 257 + distanceCount + 1
    guard let code = HuffmanCode(lengths: lengths), let words = readLengths(total, code),
      let literals = HuffmanCode(lengths: Array(words.prefix(literalCount + 257))),
      let distances = HuffmanCode(lengths: Array(words.dropFirst(literalCount + 257)))
    else { return nil }
    return (literals, distances)
  }

  private mutating func readLengths(_ count: Int, _ code: HuffmanCode) -> [Int]? {
    var lengths: [Int] = []
    while lengths.count < count {
      guard let symbol = takeSymbol(code) else { return nil }
      switch symbol {
      case 16:
        guard let last = lengths.last, let more = take(2) else { return nil }
        lengths += [Int](repeating: last, count: 3 + more)
      case 17:
        guard let more = take(3) else { return nil }
        lengths += [Int](repeating: 0, count: 3 + more)
      case 18:
        guard let more = take(7) else { return nil }
        lengths += [Int](repeating: 0, count: 11 + more)
      default: lengths.append(symbol)
      }
    }
    return lengths.count == count ? lengths : nil
  }

  private static let lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
}
