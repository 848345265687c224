// SPDX-License-Identifier: Apache-2.0

// Limits
//   depth: 16 [the deepest real structure, name constraints in a certificate, has 9 levels; bounds the stack]
// DERHeader lists the limits of tags and lengths.
//
// Functions that take closures are inlinable. As unspecialized generics they took half the time of parsing a
// certificate.

/// A forward-only cursor over DER (X.690 §10) that returns slices of its input.
///
/// Constructed elements are read in a closure, which must read every element inside: a parser skips unknown elements
/// explicitly. Each `read…` function of an ASN.1 type has a `tag` parameter for IMPLICIT tags.
package struct DERReader: Sendable {
  /// The bytes that are not read yet.
  package private(set) var rest: Bytes

  /// The number of elements that enclose this reader.
  private let depth: Int

  /// The maximum nesting depth of elements.
  package static let maximumDepth = 16

  /// Starts at the first byte of `bytes`.
  @usableFromInline
  package init(_ bytes: some ByteSource) {
    let bytes = bytes.slice
    rest = bytes
    depth = 0
  }

  /// Starts at the first element inside another.
  ///
  /// - Throws: `der.unexpected-tag` for a primitive element, `der.depth-exceeded` below ``maximumDepth``.
  @usableFromInline
  package init(inside element: DERElement) throws(WireError) {
    guard element.tag.isConstructed else { throw WireError(.derUnexpectedTag, at: element.encoded.startIndex) }
    guard element.depth < Self.maximumDepth else { throw WireError(.derDepthExceeded, at: element.encoded.startIndex) }
    rest = element.content
    depth = element.depth + 1
  }

  /// Parses all of `bytes`.
  ///
  /// - Throws: `der.trailing-bytes` if the closure leaves bytes unread, or the closure's error.
  @inlinable
  package static func parse<Value>(
    _ bytes: some ByteSource, _ body: (inout DERReader) throws(WireError) -> Value
  ) throws(WireError) -> Value {
    var reader = Self(bytes)
    let value = try body(&reader)
    try reader.finish()
    return value
  }

  /// The index of the next byte, in the array that the bytes are a slice of.
  package var offset: Int { rest.startIndex }

  /// Whether all bytes are read.
  package var isAtEnd: Bool { rest.isEmpty }

  /// Checks that no bytes are left.
  ///
  /// - Throws: `der.trailing-bytes` otherwise.
  package func finish() throws(WireError) {
    guard isAtEnd else { throw WireError(.derTrailingBytes, at: offset) }
  }

  /// Whether the next element has this tag; false at the end.
  ///
  /// - Throws: The code of a malformed header; see ``readElement()``.
  package func isNext(_ tag: DERTag) throws(WireError) -> Bool {
    guard !isAtEnd else { return false }
    return try DERHeader(of: rest).tag == tag
  }

  /// Reads the next element with any tag.
  ///
  /// - Throws: `der.truncated`, `der.invalid-tag`, `der.invalid-length` or `der.length-exceeds-input`.
  package mutating func readElement() throws(WireError) -> DERElement {
    take(try DERHeader(of: rest))
  }

  /// Reads the next element.
  ///
  /// - Throws: `der.unexpected-tag` if it has another tag.
  package mutating func read(_ tag: DERTag) throws(WireError) -> DERElement {
    let header = try DERHeader(of: rest)
    guard header.tag == tag else { throw WireError(.derUnexpectedTag, at: offset) }
    return take(header)
  }

  /// Reads the next element if it has this tag; returns `nil` otherwise.
  ///
  /// - Throws: The code of a malformed header; see ``readElement()``.
  package mutating func readOptional(_ tag: DERTag) throws(WireError) -> DERElement? {
    guard !isAtEnd else { return nil }
    let header = try DERHeader(of: rest)
    return header.tag == tag ? take(header) : nil
  }

  /// Reads an optional member: calls the closure if the next element has this tag and returns `nil` otherwise.
  ///
  /// - Throws: The closure's error, or the code of a malformed header; see ``readElement()``.
  @inlinable
  package mutating func readOptional<Value>(
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

/// A parsed element: its tag, its content and its encoding.
package struct DERElement: Sendable {
  /// The tag.
  package let tag: DERTag

  /// The whole element, header and content. Signatures cover these bytes.
  package let encoded: Bytes

  private let headerByteCount: Int

  /// The number of elements that enclose this one.
  let depth: Int

  init(tag: DERTag, encoded: Bytes, headerByteCount: Int, depth: Int) {
    self.tag = tag
    self.encoded = encoded
    self.headerByteCount = headerByteCount
    self.depth = depth
  }

  /// The content, without the header.
  package var content: Bytes { encoded.dropFirst(headerByteCount) }

  /// Reads the elements inside.
  ///
  /// - Throws: `der.trailing-bytes` if the closure leaves an element unread.
  @inlinable
  package func readContent<Value>(
    _ body: (inout DERReader) throws(WireError) -> Value
  ) throws(WireError) -> Value {
    var reader = try DERReader(inside: self)
    let value = try body(&reader)
    try reader.finish()
    return value
  }
}

extension DERElement: Hashable {
  /// Whether two elements have the same encoding.
  package static func == (left: Self, right: Self) -> Bool { left.encoded == right.encoded }

  /// Hashes the encoding.
  package func hash(into hasher: inout Hasher) { hasher.combine(encoded) }
}
