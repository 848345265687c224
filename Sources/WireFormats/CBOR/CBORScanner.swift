// SPDX-License-Identifier: Apache-2.0

// Walks one item and finds out whether it may be accepted; what it has passed is a CBORValue. Nothing is allocated,
// but for the keys of a map that are out of order.
//
// Limits:
//   depth ≤ 16     [WebAuthn's deepest structure has 5 levels, CTAP2 allows 4; recursion must end somewhere]
//   lengths        [checked against what is left before they are used for anything]
//   map keys       integers, definite strings and simple values  [nothing in this field has others, and to compare
//                  arrays, maps, tags or floats for equality would take longer than all the rest]

package let maximumCBORDepth = 16

struct CBORScanner {
  let bytes: Bytes
  let rules: CBORRules
  private(set) var position: Int

  init(_ bytes: Bytes, rules: CBORRules) {
    self.bytes = bytes
    self.rules = rules
    position = bytes.startIndex
  }

  /// Moves behind the item that begins here.
  mutating func scanItem(depth: Int = 1) throws(WireError) {
    let start = position
    let head = try readHead()
    switch head.majorType {
    case .unsigned, .negative: break
    case .bytes, .text: try scanString(head, from: start)
    case .array: try scanArray(head, from: start, depth: depth)
    case .map: try scanMap(head, from: start, depth: depth)
    case .tag: try scanTag(from: start, depth: depth)
    case .simple: try checkSimpleValue(head, from: start)
    }
  }

  private mutating func readHead() throws(WireError) -> CBORHead {
    let start = position
    let head = try CBORHead(in: bytes, at: &position)
    if rules.requiresShortestHeads, head.majorType != .simple, !head.isShortest {
      throw WireError(.cborNotShortest, at: start)
    }
    return head
  }

  /// Whether a container may begin here; answers whether its length is indefinite.
  private func isIndefinite(_ head: CBORHead, from start: Int) throws(WireError) -> Bool {
    guard head.isIndefinite else { return false }
    guard rules.allowsIndefiniteLength else { throw WireError(.cborIndefiniteLength, at: start) }
    return true
  }

  private func checkDepth(_ depth: Int, from start: Int) throws(WireError) {
    guard depth <= maximumCBORDepth else { throw WireError(.cborDepthExceeded, at: start) }
  }

  /// Moves behind a break if there is one here.
  private mutating func skipBreak() throws(WireError) -> Bool {
    guard position < bytes.endIndex else { throw WireError(.cborTruncated, at: position) }
    guard bytes[position] == CBORHead.breakByte else { return false }
    position += 1
    return true
  }
}

// MARK: Strings

extension CBORScanner {
  private mutating func scanString(_ head: CBORHead, from start: Int) throws(WireError) {
    guard try isIndefinite(head, from: start) else { return try scanStringContent(head, from: start) }
    // RFC 8949 §3.2.3: the chunks are definite strings of the same type; each text chunk is UTF-8 by itself.
    while try !skipBreak() {
      let chunkStart = position
      let chunk = try readHead()
      guard chunk.majorType == head.majorType, !chunk.isIndefinite else {
        throw WireError(.cborInvalidChunk, at: chunkStart)
      }
      try scanStringContent(chunk, from: chunkStart)
    }
  }

  private mutating func scanStringContent(_ head: CBORHead, from start: Int) throws(WireError) {
    guard head.argument <= UInt64(bytes.endIndex - position) else {
      throw WireError(.cborLengthExceedsInput, at: start)
    }
    let end = position + Int(head.argument)
    if head.majorType == .text, let invalid = firstInvalidUTF8(in: bytes[position..<end]) {
      throw WireError(.cborInvalidUTF8, at: invalid)
    }
    position = end
  }
}

// MARK: Arrays, maps and tags

extension CBORScanner {
  private mutating func scanArray(_ head: CBORHead, from start: Int, depth: Int) throws(WireError) {
    try checkDepth(depth, from: start)
    guard try isIndefinite(head, from: start) else {
      // Every item has a byte at least.
      guard head.argument <= UInt64(bytes.endIndex - position) else {
        throw WireError(.cborLengthExceedsInput, at: start)
      }
      for _ in 0..<head.argument { try scanItem(depth: depth + 1) }
      return
    }
    while try !skipBreak() { try scanItem(depth: depth + 1) }
  }

  private mutating func scanMap(_ head: CBORHead, from start: Int, depth: Int) throws(WireError) {
    try checkDepth(depth, from: start)
    let contentStart = position
    var order = CBORKeyOrder()
    if try isIndefinite(head, from: start) {
      while try !skipBreak() { try scanPair(&order, depth: depth) }
    } else {
      guard head.argument <= UInt64(bytes.endIndex - position) / 2 else {
        throw WireError(.cborLengthExceedsInput, at: start)
      }
      for _ in 0..<head.argument { try scanPair(&order, depth: depth) }
    }
    if !order.isAscending {
      try CBORKeyOrder.requireDistinctKeys(in: bytes[contentStart..<position], count: order.count)
    }
  }

  private mutating func scanPair(_ order: inout CBORKeyOrder, depth: Int) throws(WireError) {
    let start = position
    try scanItem(depth: depth + 1)
    guard let key = CBORComparableKey(bytes[start..<position]) else { throw WireError(.cborUnsupportedKey, at: start) }
    try order.append(key, sorted: rules.requiresSortedKeys)
    try scanItem(depth: depth + 1)
  }

  private mutating func scanTag(from start: Int, depth: Int) throws(WireError) {
    guard rules.allowsTags else { throw WireError(.cborTagNotAllowed, at: start) }
    try checkDepth(depth, from: start)
    try scanItem(depth: depth + 1)
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
