// SPDX-License-Identifier: Apache-2.0

/// Writes DER (X.690 §10). The output is canonical: lengths and integers have the fewest octets, and sets are sorted.
///
/// Each `write…` function of an ASN.1 type has a `tag` parameter for IMPLICIT tags.
package struct DERWriter: Sendable {
  /// The bytes written so far.
  package private(set) var bytes: [UInt8] = []

  /// Creates an empty writer.
  package init() {}

  /// Writes an element with this content.
  package mutating func write(_ tag: DERTag, content: some ByteSource) {
    let content = content.slice
    writeHeader(tag, length: content.count)
    bytes.append(contentsOf: content)
  }

  /// Writes elements that are already encoded.
  package mutating func write(encoded: some ByteSource) {
    let encoded = encoded.slice
    bytes.append(contentsOf: encoded)
  }

  /// Writes an element that contains the output of the closure.
  ///
  /// - Throws: The closure's error; nothing is written then.
  package mutating func write<Failure: Error>(
    _ tag: DERTag, _ body: (inout DERWriter) throws(Failure) -> Void
  ) throws(Failure) {
    var inside = DERWriter()
    try body(&inside)
    write(tag, content: inside.bytes)
  }

  /// Writes a SEQUENCE or SEQUENCE OF.
  ///
  /// - Throws: The closure's error; nothing is written then.
  package mutating func writeSequence<Failure: Error>(
    tag: DERTag = .sequence, _ body: (inout DERWriter) throws(Failure) -> Void
  ) throws(Failure) {
    try write(tag, body)
  }

  /// Writes a SET OF. The closure writes one element for each value; the writer sorts them (X.690 §11.6).
  ///
  /// - Throws: The closure's error; nothing is written then.
  package mutating func writeSetOf<Value, Failure: Error>(
    tag: DERTag = .set, _ values: some Sequence<Value>, _ body: (inout DERWriter, Value) throws(Failure) -> Void
  ) throws(Failure) {
    var elements: [[UInt8]] = []
    for value in values {
      var element = DERWriter()
      try body(&element, value)
      elements.append(element.bytes)
    }
    elements.sort { $0.lexicographicallyPrecedes($1) }
    write(tag, content: elements.flatMap(\.self))
  }

  /// Writes `[number] EXPLICIT` around the output of the closure.
  ///
  /// - Throws: The closure's error; nothing is written then.
  package mutating func writeExplicit<Failure: Error>(
    _ number: UInt32, _ body: (inout DERWriter) throws(Failure) -> Void
  ) throws(Failure) {
    try write(.contextConstructed(number), body)
  }

  private mutating func writeHeader(_ tag: DERTag, length: Int) {
    let lead = tag.tagClass.rawValue << 6 | (tag.isConstructed ? 0x20 : 0)
    if tag.number < 0x1f {
      bytes.append(lead | UInt8(truncatingIfNeeded: tag.number))
    } else {
      bytes.append(lead | 0x1f)
      let groups = (UInt32.bitWidth - tag.number.leadingZeroBitCount + 6) / 7
      for group in (0..<groups).reversed() {
        bytes.append(UInt8(tag.number >> (group * 7) & 0x7f) | (group == 0 ? 0 : 0x80))
      }
    }
    guard length >= 0x80 else {
      bytes.append(UInt8(truncatingIfNeeded: length))
      return
    }
    let octets = (Int.bitWidth - length.leadingZeroBitCount + 7) / 8
    bytes.append(0x80 | UInt8(truncatingIfNeeded: octets))
    for octet in (0..<octets).reversed() {
      bytes.append(UInt8(truncatingIfNeeded: length >> (octet * 8)))
    }
  }
}
