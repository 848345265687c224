// SPDX-License-Identifier: Apache-2.0

/// Checks that the keys of a map are distinct. While they ascend, they are distinct and only the last key is kept.
struct CBORKeyOrder {
  private(set) var isAscending = true
  private(set) var count = 0
  private var last: CBORKeyPlace?

  mutating func append(_ key: CBORKeyPlace, in bytes: Span<UInt8>, sorted mustBeSorted: Bool) throws(WireError) {
    count += 1
    defer { last = key }
    guard let last else { return }
    switch last.compare(with: key, in: bytes) {
    case .ascending: return
    case .same: throw WireError(.cborDuplicateKey, at: key.start)
    case .descending:
      if mustBeSorted { throw WireError(.cborKeysOutOfOrder, at: key.start) }
      isAscending = false
    }
  }

  /// Sorts the keys of a scanned map whose keys do not ascend, and throws if two are equal.
  static func requireDistinctKeys(in bytes: Span<UInt8>, from start: Int, count: Int) throws(WireError) {
    var keys: [CBORKeyPlace] = []
    keys.reserveCapacity(count)
    var position = start
    for _ in 0..<count {
      let start = position
      guard let head = try? CBORHead(in: bytes, at: &position) else { break }
      let content = position..<CBORSkipper.end(ofContentOf: head, at: position, in: bytes)
      if let key = CBORKeyPlace(head, at: start, content: content) { keys.append(key) }
      position = CBORSkipper.end(ofItemAt: content.upperBound, in: bytes)
    }
    keys.sort { left, right in left.compare(with: right, in: bytes) == .ascending }
    for (left, right) in zip(keys, keys.dropFirst()) where left.compare(with: right, in: bytes) == .same {
      throw WireError(.cborDuplicateKey, at: max(left.start, right.start))
    }
  }
}

/// The position of a map key and its sort key: major type, then argument, then content.
///
/// For shortest heads this is the byte order of the encodings, which CTAP2 canonical form requires (CTAP 2.3 §8). It
/// also detects the same key encoded with heads of different lengths.
struct CBORKeyPlace {
  enum Order {
    case ascending
    case same
    case descending
  }

  let start: Int
  private let majorType: CBORHead.MajorType
  private let argument: UInt64
  private let content: Range<Int>

  /// Takes a scanned item; `nil` if its type cannot be a key.
  init?(_ head: CBORHead, at start: Int, content: Range<Int>) {
    if head.isIndefinite { return nil }
    switch head.majorType {
    case .unsigned, .negative, .bytes, .text: break
    case .simple where head.additionalInformation <= CBORHead.oneByte: break
    case .simple, .array, .map, .tag: return nil
    }
    self.start = start
    majorType = head.majorType
    argument = head.argument
    self.content = content
  }

  func compare(with other: Self, in bytes: Span<UInt8>) -> Order {
    if majorType != other.majorType { return majorType.rawValue < other.majorType.rawValue ? .ascending : .descending }
    if argument != other.argument { return argument < other.argument ? .ascending : .descending }
    // The major types and arguments are equal, so the contents have the same length.
    for offset in 0..<content.count {
      let (left, right) = (bytes[content.lowerBound + offset], bytes[other.content.lowerBound + offset])
      if left != right { return left < right ? .ascending : .descending }
    }
    return .same
  }
}
