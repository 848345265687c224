// SPDX-License-Identifier: Apache-2.0

// Walks one item and finds out whether it may be accepted; what it has passed is a CBORValue. Nothing is allocated,
// but for the keys of a map that are out of order. Positions count from the first byte of the span.
//
// Limits:
//   depth ≤ 16     [WebAuthn's deepest structure has 5 levels, CTAP2 allows 4; recursion must end somewhere]
//   lengths        [checked against what is left before they are used for anything]
//   map keys       integers, definite strings and simple values  [nothing in this field has others, and to compare
//                  arrays, maps, tags or floats for equality would take longer than all the rest]

package let maximumCBORDepth = 16

struct CBORScanner {
  private let rules: CBORRules
  private var position = 0

  /// The length of the item that `bytes` begin with.
  static func length(ofItemIn bytes: Bytes, rules: CBORRules) throws(WireError) -> Int {
    var scanner = CBORScanner(rules: rules)
    do throws(WireError) {
      try scanner.scanItem(bytes.span, depth: 1)
    } catch {
      throw WireError(error.code, at: bytes.startIndex + error.offset)
    }
    return scanner.position
  }

  private init(rules: CBORRules) {
    self.rules = rules
  }

  /// Moves behind the item that begins here.
  private mutating func scanItem(_ bytes: Span<UInt8>, depth: Int) throws(WireError) {
    let start = position
    try scanContent(bytes, of: try readHead(bytes), from: start, depth: depth)
  }

  /// Moves behind the item whose head has been read.
  private mutating func scanContent(
    _ bytes: Span<UInt8>, of head: CBORHead, from start: Int, depth: Int
  ) throws(WireError) {
    switch head.majorType {
    case .unsigned, .negative: break
    case .bytes, .text: try scanString(bytes, head, from: start)
    case .array: try scanArray(bytes, head, from: start, depth: depth)
    case .map: try scanMap(bytes, head, from: start, depth: depth)
    case .tag: try scanTag(bytes, from: start, depth: depth)
    case .simple: try checkSimpleValue(head, from: start)
    }
  }

  private mutating func readHead(_ bytes: Span<UInt8>) throws(WireError) -> CBORHead {
    let start = position
    let head = try CBORHead(in: bytes, at: &position)
    if rules.requiresShortestHeads, head.majorType != .simple, !head.isShortest {
      throw WireError(.cborNotShortest, at: start)
    }
    return head
  }

  /// Whether the length of a string or container is indefinite, and may be.
  private func isIndefinite(_ head: CBORHead, from start: Int) throws(WireError) -> Bool {
    guard head.isIndefinite else { return false }
    guard rules.allowsIndefiniteLength else { throw WireError(.cborIndefiniteLength, at: start) }
    return true
  }

  private func checkDepth(_ depth: Int, from start: Int) throws(WireError) {
    guard depth <= maximumCBORDepth else { throw WireError(.cborDepthExceeded, at: start) }
  }

  /// Moves behind a break if there is one here.
  private mutating func skipBreak(_ bytes: Span<UInt8>) throws(WireError) -> Bool {
    guard position < bytes.count else { throw WireError(.cborTruncated, at: position) }
    guard bytes[position] == CBORHead.breakByte else { return false }
    position += 1
    return true
  }
}

// MARK: Strings

extension CBORScanner {
  private mutating func scanString(_ bytes: Span<UInt8>, _ head: CBORHead, from start: Int) throws(WireError) {
    guard try isIndefinite(head, from: start) else { return try scanStringContent(bytes, head, from: start) }
    // RFC 8949 §3.2.3: the chunks are definite strings of the same type; each text chunk is UTF-8 by itself.
    while try !skipBreak(bytes) {
      let chunkStart = position
      let chunk = try readHead(bytes)
      guard chunk.majorType == head.majorType, !chunk.isIndefinite else {
        throw WireError(.cborInvalidChunk, at: chunkStart)
      }
      try scanStringContent(bytes, chunk, from: chunkStart)
    }
  }

  private mutating func scanStringContent(
    _ bytes: Span<UInt8>, _ head: CBORHead, from start: Int
  ) throws(WireError) {
    guard head.argument <= UInt64(bytes.count - position) else { throw WireError(.cborLengthExceedsInput, at: start) }
    let content = position..<(position + Int(head.argument))
    if head.majorType == .text, let invalid = firstInvalidUTF8(in: bytes.extracting(content)) {
      throw WireError(.cborInvalidUTF8, at: content.lowerBound + invalid)
    }
    position = content.upperBound
  }
}

// MARK: Arrays, maps and tags

extension CBORScanner {
  private mutating func scanArray(
    _ bytes: Span<UInt8>, _ head: CBORHead, from start: Int, depth: Int
  ) throws(WireError) {
    try checkDepth(depth, from: start)
    guard try isIndefinite(head, from: start) else {
      // Every item has a byte at least.
      guard head.argument <= UInt64(bytes.count - position) else {
        throw WireError(.cborLengthExceedsInput, at: start)
      }
      for _ in 0..<head.argument { try scanItem(bytes, depth: depth + 1) }
      return
    }
    while try !skipBreak(bytes) { try scanItem(bytes, depth: depth + 1) }
  }

  private mutating func scanMap(
    _ bytes: Span<UInt8>, _ head: CBORHead, from start: Int, depth: Int
  ) throws(WireError) {
    try checkDepth(depth, from: start)
    let contentStart = position
    var order = CBORKeyOrder()
    if try isIndefinite(head, from: start) {
      while try !skipBreak(bytes) { try scanPair(bytes, &order, depth: depth) }
    } else {
      guard head.argument <= UInt64(bytes.count - position) / 2 else {
        throw WireError(.cborLengthExceedsInput, at: start)
      }
      for _ in 0..<head.argument { try scanPair(bytes, &order, depth: depth) }
    }
    if !order.isAscending {
      try CBORKeyOrder.requireDistinctKeys(in: bytes, from: contentStart, count: order.count)
    }
  }

  private mutating func scanPair(
    _ bytes: Span<UInt8>, _ order: inout CBORKeyOrder, depth: Int
  ) throws(WireError) {
    let start = position
    let head = try readHead(bytes)
    let contentStart = position
    try scanContent(bytes, of: head, from: start, depth: depth + 1)
    guard let key = CBORKeyPlace(head, at: start, content: contentStart..<position) else {
      throw WireError(.cborUnsupportedKey, at: start)
    }
    try order.append(key, in: bytes, sorted: rules.requiresSortedKeys)
    try scanItem(bytes, depth: depth + 1)
  }

  private mutating func scanTag(_ bytes: Span<UInt8>, from start: Int, depth: Int) throws(WireError) {
    guard rules.allowsTags else { throw WireError(.cborTagNotAllowed, at: start) }
    try checkDepth(depth, from: start)
    try scanItem(bytes, depth: depth + 1)
  }
}

// MARK: Simple values

extension CBORScanner {
  private func checkSimpleValue(_ head: CBORHead, from start: Int) throws(WireError) {
    if head.isIndefinite { throw WireError(.cborUnexpectedBreak, at: start) }
    // RFC 8949 §3.3: the two-byte form of a value that fits into one byte, or is reserved, is not well formed.
    if head.additionalInformation == CBORHead.oneByte, head.argument < 32 {
      throw WireError(.cborInvalidSimpleValue, at: start)
    }
  }
}
