// SPDX-License-Identifier: Apache-2.0

/// One element as it stands in the input: what it is, its content, and its bytes with the header.
public struct DERElement: Sendable {
  /// What the element is.
  public let tag: DERTag

  /// The whole element, header and content: what a signature over it covers.
  public let encoded: Bytes

  /// The content alone.
  public let content: Bytes

  /// How many elements lie around this one.
  let depth: Int

  /// Reads the elements inside, all of them: nothing may be left over.
  public func readContent<Value>(
    _ body: (inout DERReader) throws(WireError) -> Value
  ) throws(WireError) -> Value {
    guard tag.isConstructed else { throw WireError(.derUnexpectedTag, at: encoded.startIndex) }
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
