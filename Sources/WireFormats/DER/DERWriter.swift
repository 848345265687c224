// SPDX-License-Identifier: Apache-2.0

/// Writes DER (X.690 §10), canonical by construction: lengths and integers in the fewest octets, sets in order.
///
/// Every `write…` of a type with a tag of its own takes another tag in place of it, for IMPLICIT.
public struct DERWriter: Sendable {
  /// What has been written.
  public private(set) var bytes: [UInt8] = []

  /// Starts with nothing written.
  public init() {}

  /// Writes an element with this content.
  public mutating func write(_ tag: DERTag, content: Bytes) {
    writeHeader(tag, length: content.count)
    bytes.append(contentsOf: content)
  }

  /// Writes elements that are encoded already.
  public mutating func write(encoded: Bytes) {
    bytes.append(contentsOf: encoded)
  }

  /// Writes an element that holds what the closure writes.
  public mutating func write<Failure: Error>(
    _ tag: DERTag, _ body: (inout DERWriter) throws(Failure) -> Void
  ) throws(Failure) {
    var inside = DERWriter()
    try body(&inside)
    write(tag, content: inside.bytes[...])
  }

  /// Writes a SEQUENCE or SEQUENCE OF.
  public mutating func writeSequence<Failure: Error>(
    tag: DERTag = .sequence, _ body: (inout DERWriter) throws(Failure) -> Void
  ) throws(Failure) {
    try write(tag, body)
  }

  /// Writes a SET OF: each element is what the closure writes for one value, and they are put in order (X.690 §11.6).
  public mutating func writeSetOf<Value, Failure: Error>(
    tag: DERTag = .set, _ values: some Sequence<Value>, _ body: (inout DERWriter, Value) throws(Failure) -> Void
  ) throws(Failure) {
    var elements: [[UInt8]] = []
    for value in values {
      var element = DERWriter()
      try body(&element, value)
      elements.append(element.bytes)
    }
    elements.sort { $0.lexicographicallyPrecedes($1) }
    write(tag, content: elements.flatMap(\.self)[...])
  }

  /// Writes `[number] EXPLICIT`, which holds what the closure writes.
  public mutating func writeExplicit<Failure: Error>(
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
