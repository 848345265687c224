// SPDX-License-Identifier: Apache-2.0

/// What tells one map key from another: the major type, then the number or the length, then the content.
///
/// For shortest heads this is the byte order of the encodings, which CTAP2 canonical form demands (CTAP 2.3 §8). It
/// also finds the same key written with heads of different lengths.
package struct CBORComparableKey: Hashable, Comparable {
  let offset: Int
  private let majorType: UInt8
  private let argument: UInt64
  private let content: Bytes

  /// Takes a scanned item, if it is of a type that may be a key.
  package init?(_ item: Bytes) {
    var position = item.startIndex
    guard let head = try? CBORHead(in: item, at: &position), !head.isIndefinite else { return nil }
    switch head.majorType {
    case .unsigned, .negative, .bytes, .text: break
    case .simple where head.additionalInformation <= CBORHead.oneByte: break
    case .simple, .array, .map, .tag: return nil
    }
    offset = item.startIndex
    majorType = head.majorType.rawValue
    argument = head.argument
    content = item[position...]
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.majorType == right.majorType && left.argument == right.argument && left.content == right.content
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(majorType)
    hasher.combine(argument)
    hasher.combine(content)
  }

  package static func < (left: Self, right: Self) -> Bool {
    if left.majorType != right.majorType { return left.majorType < right.majorType }
    if left.argument != right.argument { return left.argument < right.argument }
    return left.content.lexicographicallyPrecedes(right.content)
  }
}

/// Watches the keys of a map go by. As long as they ascend they are distinct, and nothing need be remembered but one.
struct CBORKeyOrder {
  private(set) var isAscending = true
  private(set) var count = 0
  private var last: CBORComparableKey?

  mutating func append(_ key: CBORComparableKey, sorted mustBeSorted: Bool) throws(WireError) {
    count += 1
    defer { last = key }
    guard let last, last >= key else { return }
    if last == key { throw WireError(.cborDuplicateKey, at: key.offset) }
    if mustBeSorted { throw WireError(.cborKeysOutOfOrder, at: key.offset) }
    isAscending = false
  }

  /// Sorts the keys of a map that was scanned and found out of order, and refuses two that are the same.
  static func requireDistinctKeys(in content: Bytes, count: Int) throws(WireError) {
    var starts: [Int] = []
    starts.reserveCapacity(count)
    var position = content.startIndex
    while starts.count < count {
      starts.append(position)
      position = CBORSkipper.end(ofItemAt: position, in: content)
      position = CBORSkipper.end(ofItemAt: position, in: content)
    }
    func key(_ start: Int) -> CBORComparableKey? { CBORComparableKey(content[start...].prefixItem) }
    starts.sort { left, right in
      guard let left = key(left), let right = key(right) else { return false }
      return left < right
    }
    for (left, right) in zip(starts, starts.dropFirst()) {
      guard let first = key(left), let second = key(right) else { continue }
      if first == second { throw WireError(.cborDuplicateKey, at: max(left, right)) }
    }
  }
}
