// SPDX-License-Identifier: Apache-2.0

extension DERReader {
  /// Reads a SEQUENCE or SEQUENCE OF. The closure must read all its elements.
  ///
  /// - Throws: `der.trailing-bytes` if the closure leaves an element unread.
  @inlinable
  package mutating func readSequence<Value>(
    tag: DERTag = .sequence, _ body: (inout DERReader) throws(WireError) -> Value
  ) throws(WireError) -> Value {
    try read(tag).readContent(body)
  }

  /// Reads a SET, or a SET OF without checking the order. The closure must read all its elements.
  ///
  /// - Throws: `der.trailing-bytes` if the closure leaves an element unread.
  @inlinable
  package mutating func readSet<Value>(
    tag: DERTag = .set, _ body: (inout DERReader) throws(WireError) -> Value
  ) throws(WireError) -> Value {
    try read(tag).readContent(body)
  }

  /// Reads a SET OF with one call of the closure for each element.
  ///
  /// - Throws: `der.set-out-of-order` unless the elements are sorted as DER requires (X.690 §11.6).
  @inlinable
  package mutating func readSetOf<Value>(
    tag: DERTag = .set, _ body: (inout DERReader) throws(WireError) -> Value
  ) throws(WireError) -> [Value] {
    try read(tag).readContent { (inside) throws(WireError) in
      var values: [Value] = []
      var last: Bytes = []
      while !inside.isAtEnd {
        var ahead = inside
        let element = try ahead.readElement().encoded
        guard !element.lexicographicallyPrecedes(last) else {
          throw WireError(.derSetOutOfOrder, at: element.startIndex)
        }
        last = element
        values.append(try body(&inside))
      }
      return values
    }
  }

  /// Reads a SEQUENCE OF with one call of the closure for each element.
  ///
  /// - Throws: `der.unexpected-tag` for another element, another `der.…` code if it is malformed, or the closure's
  ///   error.
  @inlinable
  package mutating func readSequenceOf<Value>(
    tag: DERTag = .sequence, _ body: (inout DERReader) throws(WireError) -> Value
  ) throws(WireError) -> [Value] {
    try read(tag).readContent { (inside) throws(WireError) in
      var values: [Value] = []
      while !inside.isAtEnd {
        values.append(try body(&inside))
      }
      return values
    }
  }

  /// Reads `[number] EXPLICIT`. The closure reads the one element inside.
  ///
  /// - Throws: `der.unexpected-tag` for another element, `der.trailing-bytes` if the closure leaves an element
  ///   unread, or the closure's error.
  @inlinable
  package mutating func readExplicit<Value>(
    _ number: UInt32, _ body: (inout DERReader) throws(WireError) -> Value
  ) throws(WireError) -> Value {
    try read(.contextConstructed(number)).readContent(body)
  }

  /// Reads `[number] EXPLICIT … OPTIONAL`; returns `nil` if the next element has another tag.
  ///
  /// - Throws: `der.trailing-bytes` if the closure leaves an element unread, or the closure's error.
  @inlinable
  package mutating func readOptionalExplicit<Value>(
    _ number: UInt32, _ body: (inout DERReader) throws(WireError) -> Value
  ) throws(WireError) -> Value? {
    try readOptional(.contextConstructed(number))?.readContent(body)
  }
}
