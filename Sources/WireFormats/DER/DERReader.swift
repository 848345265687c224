// SPDX-License-Identifier: Apache-2.0

// Limits
//   depth 16 [the deepest real structure, name constraints in a certificate, has 9 levels; the stack stays small]
// Those of tags and lengths stand with DERHeader.
//
// What takes a closure is inlinable: called through unspecialized generics, it made up half the time of reading a
// certificate.

/// A cursor over DER (X.690 §10) that only moves forward and hands out slices of its input.
///
/// Constructed elements are read in a closure, and a closure that leaves something unread is an error: what a parser
/// does not know about it must skip on purpose. Every `read…` of a type with a tag of its own takes another tag in
/// place of it, for IMPLICIT.
public struct DERReader: Sendable {
  /// What has not been read yet.
  public private(set) var rest: Bytes

  /// How many elements lie around this reader.
  private let depth: Int

  /// How many elements may lie around one.
  public static let maximumDepth = 16

  /// Starts at the first of `bytes`.
  public init(_ bytes: Bytes) {
    rest = bytes
    depth = 0
  }

  /// Starts at the first element inside another.
  @usableFromInline
  package init(inside element: DERElement) throws(WireError) {
    guard element.tag.isConstructed else { throw WireError(.derUnexpectedTag, at: element.encoded.startIndex) }
    guard element.depth < Self.maximumDepth else { throw WireError(.derDepthExceeded, at: element.encoded.startIndex) }
    rest = element.content
    depth = element.depth + 1
  }

  /// Reads `bytes` from the first to the last: nothing may be left over.
  @inlinable
  public static func parse<Value>(
    _ bytes: Bytes, _ body: (inout DERReader) throws(WireError) -> Value
  ) throws(WireError) -> Value {
    var reader = Self(bytes)
    let value = try body(&reader)
    try reader.finish()
    return value
  }

  /// The index of the next byte, in the array from which the bytes are a slice.
  public var offset: Int { rest.startIndex }

  /// Whether everything has been read.
  public var isAtEnd: Bool { rest.isEmpty }

  /// Demands that nothing is left.
  public func finish() throws(WireError) {
    guard isAtEnd else { throw WireError(.derTrailingBytes, at: offset) }
  }

  /// Whether the next element has this tag; at the end there is none.
  public func isNext(_ tag: DERTag) throws(WireError) -> Bool {
    guard !isAtEnd else { return false }
    return try DERHeader(of: rest).tag == tag
  }

  /// Reads the next element, whatever it is.
  public mutating func readElement() throws(WireError) -> DERElement {
    take(try DERHeader(of: rest))
  }

  /// Reads the next element, which has this tag.
  public mutating func read(_ tag: DERTag) throws(WireError) -> DERElement {
    let header = try DERHeader(of: rest)
    guard header.tag == tag else { throw WireError(.derUnexpectedTag, at: offset) }
    return take(header)
  }

  /// Reads the next element if it has this tag.
  public mutating func readOptional(_ tag: DERTag) throws(WireError) -> DERElement? {
    guard !isAtEnd else { return nil }
    let header = try DERHeader(of: rest)
    return header.tag == tag ? take(header) : nil
  }

  /// Reads a member that may be absent: the closure is called if the next element has this tag.
  @inlinable
  public mutating func readOptional<Value>(
    _ tag: DERTag, _ body: (inout DERReader) throws(WireError) -> Value
  ) throws(WireError) -> Value? {
    try isNext(tag) ? body(&self) : nil
  }

  private mutating func take(_ header: DERHeader) -> DERElement {
    let encoded = rest.prefix(header.byteCount + header.contentByteCount)
    rest = rest.dropFirst(encoded.count)
    return DERElement(tag: header.tag, encoded: encoded, headerByteCount: header.byteCount, depth: depth)
  }
}

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
