// SPDX-License-Identifier: Apache-2.0

// Checks one item against the rules; an accepted item becomes a CBORValue. Allocates only for maps whose keys are not
// sorted. Positions count from the first byte of the span.
//
// Limits:
//   depth ≤ 16     [WebAuthn's deepest structure has 5 levels and CTAP2 allows 4; bounds the recursion]
//   lengths        [checked against the remaining input before use]
//   map keys       integers, definite strings and simple values  [WebAuthn and CTAP use no others; comparing nested
//                  keys for equality would cost more than the rest of the scan]

package let maximumCBORDepth = 16

struct CBORScanner {
  private let rules: CBORRules
  private var position = 0

  /// Returns the length of the item at the start of `bytes`.
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

  /// Advances past the item at the current position.
  private mutating func scanItem(_ bytes: Span<UInt8>, depth: Int) throws(WireError) {
    let start = position
    try scanContent(bytes, of: try readHead(bytes), from: start, depth: depth)
  }

  /// Advances past the content of an item whose head is already read.
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

  /// Whether a string or container has an indefinite length; throws if the rules forbid that.
  private func isIndefinite(_ head: CBORHead, from start: Int) throws(WireError) -> Bool {
    guard head.isIndefinite else { return false }
    guard rules.allowsIndefiniteLength else { throw WireError(.cborIndefiniteLength, at: start) }
    return true
  }

  private func checkDepth(_ depth: Int, from start: Int) throws(WireError) {
    guard depth <= maximumCBORDepth else { throw WireError(.cborDepthExceeded, at: start) }
  }

  /// Consumes a break if one is next; returns whether it did.
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
    // RFC 8949 §3.2.3: chunks are definite strings of the same type; each text chunk is valid UTF-8 by itself.
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
      // Every item has at least one byte.
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
    // RFC 8949 §3.3: two-byte encodings of the values 0 to 31 are not well formed.
    if head.additionalInformation == CBORHead.oneByte, head.argument < 32 {
      throw WireError(.cborInvalidSimpleValue, at: start)
    }
  }
}
