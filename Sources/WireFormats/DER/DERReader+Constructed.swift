// SPDX-License-Identifier: Apache-2.0

extension DERReader {
  /// Reads a SEQUENCE or SEQUENCE OF, whose elements the closure reads to the last.
  @inlinable
  public mutating func readSequence<Value>(
    tag: DERTag = .sequence, _ body: (inout DERReader) throws(WireError) -> Value
  ) throws(WireError) -> Value {
    try read(tag).readContent(body)
  }

  /// Reads a SET or a SET OF whose order does not matter to the reader.
  @inlinable
  public mutating func readSet<Value>(
    tag: DERTag = .set, _ body: (inout DERReader) throws(WireError) -> Value
  ) throws(WireError) -> Value {
    try read(tag).readContent(body)
  }

  /// Reads a SET OF, one call of the closure for each element, in the order that DER demands (X.690 §11.6).
  @inlinable
  public mutating func readSetOf<Value>(
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

  /// Reads a SEQUENCE OF, one call of the closure for each element.
  @inlinable
  public mutating func readSequenceOf<Value>(
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

  /// Reads `[number] EXPLICIT`, inside which the closure reads one element.
  @inlinable
  public mutating func readExplicit<Value>(
    _ number: UInt32, _ body: (inout DERReader) throws(WireError) -> Value
  ) throws(WireError) -> Value {
    try read(.contextConstructed(number)).readContent(body)
  }

  /// Reads `[number] EXPLICIT … OPTIONAL`.
  @inlinable
  public mutating func readOptionalExplicit<Value>(
    _ number: UInt32, _ body: (inout DERReader) throws(WireError) -> Value
  ) throws(WireError) -> Value? {
    try readOptional(.contextConstructed(number))?.readContent(body)
  }
}
