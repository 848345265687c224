// SPDX-License-Identifier: Apache-2.0

// Limits
//   depth 16           [the deepest real structure, name constraints in a certificate, has 9 levels; the stack stays small]
//   length 4 octets    [no artifact is longer than 4 GiB; lengths then never overflow]
//   tag number 32 bits [Android's key description, the largest user, stays below 1,000]
// Definite lengths only, in the fewest octets, tags likewise (X.690 §10.1, §8.1.2.4).

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

  private static let maximumLengthOctets = 4

  /// Starts at the first of `bytes`.
  public init(_ bytes: Bytes) {
    rest = bytes
    depth = 0
  }

  /// Starts at the first element inside another.
  package init(inside element: DERElement) throws(WireError) {
    guard element.depth < Self.maximumDepth else { throw WireError(.derDepthExceeded, at: element.encoded.startIndex) }
    rest = element.content
    depth = element.depth + 1
  }

  /// Reads `bytes` from the first to the last: nothing may be left over.
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
    var cursor = rest
    return try Self.readTag(&cursor) == tag
  }

  /// Reads the next element, whatever it is.
  public mutating func readElement() throws(WireError) -> DERElement {
    var cursor = rest
    let tag = try Self.readTag(&cursor)
    let length = try Self.readLength(&cursor)
    let whole = rest.prefix(cursor.startIndex - rest.startIndex + length)
    rest = rest.dropFirst(whole.count)
    return DERElement(tag: tag, encoded: whole, content: whole.suffix(length), depth: depth)
  }

  /// Reads the next element, which has this tag.
  public mutating func read(_ tag: DERTag) throws(WireError) -> DERElement {
    let start = offset
    var ahead = self
    let element = try ahead.readElement()
    guard element.tag == tag else { throw WireError(.derUnexpectedTag, at: start) }
    self = ahead
    return element
  }

  /// Reads the next element if it has this tag.
  public mutating func readOptional(_ tag: DERTag) throws(WireError) -> DERElement? {
    try isNext(tag) ? readElement() : nil
  }

  /// Reads a member that may be absent: the closure is called if the next element has this tag.
  public mutating func readOptional<Value>(
    _ tag: DERTag, _ body: (inout DERReader) throws(WireError) -> Value
  ) throws(WireError) -> Value? {
    try isNext(tag) ? body(&self) : nil
  }

  private static func readTag(_ cursor: inout Bytes) throws(WireError) -> DERTag {
    let start = cursor.startIndex
    let first = try readByte(&cursor)
    guard let tagClass = DERTag.Class(rawValue: first >> 6) else { throw WireError(.derInvalidTag, at: start) }
    let isConstructed = first & 0x20 != 0
    guard first & 0x1f == 0x1f else { return DERTag(tagClass, UInt32(first & 0x1f), isConstructed: isConstructed) }
    var number: UInt32 = 0
    while true {
      let byte = try readByte(&cursor)
      // Neither leading zeros nor more than 32 bits.
      guard number != 0 || byte != 0x80, number >> 25 == 0 else { throw WireError(.derInvalidTag, at: start) }
      number = number << 7 | UInt32(byte & 0x7f)
      if byte & 0x80 == 0 { break }
    }
    guard number >= 0x1f else { throw WireError(.derInvalidTag, at: start) }
    return DERTag(tagClass, number, isConstructed: isConstructed)
  }

  private static func readLength(_ cursor: inout Bytes) throws(WireError) -> Int {
    let start = cursor.startIndex
    let first = try readByte(&cursor)
    var length = Int(first)
    if first >= 0x80 {
      let octets = Int(first & 0x7f)
      guard 1...maximumLengthOctets ~= octets else { throw WireError(.derInvalidLength, at: start) }
      length = 0
      for _ in 0..<octets {
        length = length << 8 | Int(try readByte(&cursor))
      }
      let fewestOctets = (Int.bitWidth - length.leadingZeroBitCount + 7) / 8
      guard length >= 0x80, octets == fewestOctets else { throw WireError(.derInvalidLength, at: start) }
    }
    guard length <= cursor.count else { throw WireError(.derLengthExceedsInput, at: start) }
    return length
  }

  private static func readByte(_ cursor: inout Bytes) throws(WireError) -> UInt8 {
    guard let byte = cursor.popFirst() else { throw WireError(.derTruncated, at: cursor.endIndex) }
    return byte
  }
}
