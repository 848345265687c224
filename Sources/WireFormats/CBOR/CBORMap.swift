// SPDX-License-Identifier: Apache-2.0

/// The pairs of a map that has been read, in the order in which they were written. No two keys are the same.
public struct CBORMap: Sequence, Sendable {
  private let content: Bytes
  private let definiteCount: UInt64?

  init(_ content: Bytes, _ head: CBORHead) {
    self.content = content
    definiteCount = head.isIndefinite ? nil : head.argument
  }

  /// Where the first pair begins, in the array from which the input is a slice.
  public var offset: Int { content.startIndex }

  /// Whether the map was written with an indefinite length.
  public var isIndefinite: Bool { definiteCount == nil }

  /// How many pairs there are.
  public var count: Int {
    // A definite count was checked against the input when it was scanned.
    definiteCount.map { Int(clamping: $0) } ?? reduce(0) { count, _ in count + 1 }
  }

  /// Whether there are none.
  public var isEmpty: Bool { makeIterator().isAtEnd }

  /// The value that stands with `key`.
  public subscript(key: CBORKey) -> CBORValue? {
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

  /// The value that stands with `key`, which must be there.
  public func require(_ key: CBORKey) throws(WireError) -> CBORValue {
    guard let value = self[key] else { throw WireError(.cborMissingKey, at: offset) }
    return value
  }

  /// Starts at the first pair.
  public func makeIterator() -> Iterator {
    Iterator(rest: content)
  }

  /// Walks the pairs.
  public struct Iterator: IteratorProtocol, Sendable {
    fileprivate var rest: Bytes

    fileprivate var isAtEnd: Bool { rest.isEmpty || rest.first == CBORHead.breakByte }

    /// The next pair.
    public mutating func next() -> (key: CBORValue, value: CBORValue)? {
      guard !isAtEnd else { return nil }
      let key = rest.prefixItem
      let value = rest[key.endIndex...].prefixItem
      rest = rest[value.endIndex...]
      return (CBORValue(scanned: key), CBORValue(scanned: value))
    }
  }
}

/// The items of an array that has been read, in their order.
public struct CBORArray: Sequence, Sendable {
  private let content: Bytes
  private let definiteCount: UInt64?

  init(_ content: Bytes, _ head: CBORHead) {
    self.content = content
    definiteCount = head.isIndefinite ? nil : head.argument
  }

  /// Whether the array was written with an indefinite length.
  public var isIndefinite: Bool { definiteCount == nil }

  /// How many items there are.
  public var count: Int {
    // A definite count was checked against the input when it was scanned.
    definiteCount.map { Int(clamping: $0) } ?? reduce(0) { count, _ in count + 1 }
  }

  /// Whether there are none.
  public var isEmpty: Bool { makeIterator().isAtEnd }

  /// Starts at the first item.
  public func makeIterator() -> Iterator {
    Iterator(rest: content)
  }

  /// Walks the items.
  public struct Iterator: IteratorProtocol, Sendable {
    fileprivate var rest: Bytes

    fileprivate var isAtEnd: Bool { rest.isEmpty || rest.first == CBORHead.breakByte }

    /// The next item.
    public mutating func next() -> CBORValue? {
      guard !isAtEnd else { return nil }
      let item = rest.prefixItem
      rest = rest[item.endIndex...]
      return CBORValue(scanned: item)
    }
  }
}
