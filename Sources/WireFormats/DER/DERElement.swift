// SPDX-License-Identifier: Apache-2.0

/// One element as it stands in the input: what it is, its content, and its bytes with the header.
public struct DERElement: Sendable {
  /// What the element is.
  public let tag: DERTag

  /// The whole element, header and content: what a signature over it covers.
  public let encoded: Bytes

  private let headerByteCount: Int

  /// How many elements lie around this one.
  let depth: Int

  init(tag: DERTag, encoded: Bytes, headerByteCount: Int, depth: Int) {
    self.tag = tag
    self.encoded = encoded
    self.headerByteCount = headerByteCount
    self.depth = depth
  }

  /// The content alone.
  public var content: Bytes { encoded.dropFirst(headerByteCount) }

  /// Reads the elements inside, all of them: nothing may be left over.
  @inlinable
  public func readContent<Value>(
    _ body: (inout DERReader) throws(WireError) -> Value
  ) throws(WireError) -> Value {
    var reader = try DERReader(inside: self)
    let value = try body(&reader)
    try reader.finish()
    return value
  }
}

extension DERElement: Hashable {
  /// Whether two elements are the same bytes.
  public static func == (left: Self, right: Self) -> Bool { left.encoded == right.encoded }

  /// Feeds the bytes to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(encoded) }
}
