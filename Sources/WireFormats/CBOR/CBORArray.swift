// SPDX-License-Identifier: Apache-2.0

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
