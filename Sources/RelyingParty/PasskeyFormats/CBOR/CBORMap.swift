// SPDX-License-Identifier: Apache-2.0

/// The pairs of a parsed map, in encoded order. Keys are distinct.
package struct CBORMap: Sequence, Sendable {
  private let content: Bytes
  private let definiteCount: UInt64?

  init(_ content: Bytes, _ head: CBORHead) {
    self.content = content
    definiteCount = head.isIndefinite ? nil : head.argument
  }

  /// The index of the first pair, in the array that the input is a slice of.
  package var offset: Int { content.startIndex }

  /// Whether the map has an indefinite length.
  package var isIndefinite: Bool { definiteCount == nil }

  /// The number of pairs. Takes linear time for an indefinite length.
  package var count: Int {
    // The scanner checked a definite count against the size of the input.
    definiteCount.map { Int(clamping: $0) } ?? reduce(0) { count, _ in count + 1 }
  }

  /// Whether the map is empty.
  package var isEmpty: Bool { makeIterator().isAtEnd }

  /// Returns the value of `key`, or `nil` if the map lacks the key. Takes linear time.
  package subscript(key: CBORKey) -> CBORValue? {
    let bytes = content.span
    var position = 0
    while position < bytes.count, let head = try? CBORHead(in: bytes, at: &position) {
      let valueStart = CBORSkipper.end(ofContentOf: head, at: position, in: bytes)
      let isFound = key.matches(head, bytes.extracting(position..<valueStart))
      position = CBORSkipper.end(ofItemAt: valueStart, in: bytes)
      if isFound { return CBORValue(scanned: content.prefix(position).dropFirst(valueStart)) }
    }
    return nil
  }

  /// Returns the value of `key`.
  ///
  /// - Throws: `cbor.missing-key` at the map's offset if the map lacks the key.
  package func require(_ key: CBORKey) throws(WireError) -> CBORValue {
    guard let value = self[key] else { throw WireError(.cborMissingKey, at: offset) }
    return value
  }

  /// Returns an iterator over the pairs.
  package func makeIterator() -> Iterator {
    Iterator(rest: content)
  }

  /// An iterator over the pairs.
  package struct Iterator: IteratorProtocol, Sendable {
    fileprivate var rest: Bytes

    fileprivate var isAtEnd: Bool { rest.isEmpty || rest.first == CBORHead.breakByte }

    /// Returns the next pair.
    package mutating func next() -> (key: CBORValue, value: CBORValue)? {
      guard !isAtEnd else { return nil }
      let key = rest.prefixItem
      let value = rest[key.endIndex...].prefixItem
      rest = rest[value.endIndex...]
      return (CBORValue(scanned: key), CBORValue(scanned: value))
    }
  }
}

/// The items of a parsed array.
package struct CBORArray: Sequence, Sendable {
  private let content: Bytes
  private let definiteCount: UInt64?

  init(_ content: Bytes, _ head: CBORHead) {
    self.content = content
    definiteCount = head.isIndefinite ? nil : head.argument
  }

  /// Whether the array has an indefinite length.
  package var isIndefinite: Bool { definiteCount == nil }

  /// The number of items. Takes linear time for an indefinite length.
  package var count: Int {
    // The scanner checked a definite count against the size of the input.
    definiteCount.map { Int(clamping: $0) } ?? reduce(0) { count, _ in count + 1 }
  }

  /// Whether the array is empty.
  package var isEmpty: Bool { makeIterator().isAtEnd }

  /// Returns an iterator over the items.
  package func makeIterator() -> Iterator {
    Iterator(rest: content)
  }

  /// An iterator over the items.
  package struct Iterator: IteratorProtocol, Sendable {
    fileprivate var rest: Bytes

    fileprivate var isAtEnd: Bool { rest.isEmpty || rest.first == CBORHead.breakByte }

    /// Returns the next item.
    package mutating func next() -> CBORValue? {
      guard !isAtEnd else { return nil }
      let item = rest.prefixItem
      rest = rest[item.endIndex...]
      return CBORValue(scanned: item)
    }
  }
}
