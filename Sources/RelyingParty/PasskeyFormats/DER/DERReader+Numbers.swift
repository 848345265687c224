// SPDX-License-Identifier: Apache-2.0

extension DERReader {
  /// Reads a BOOLEAN: 00 or FF (X.690 §11.1).
  ///
  /// - Throws: `der.invalid-boolean` for other content.
  package mutating func readBoolean(tag: DERTag = .boolean) throws(WireError) -> Bool {
    let element = try read(tag)
    guard element.content.count == 1, let byte = element.content.first, byte == 0x00 || byte == 0xff else {
      throw WireError(.derInvalidBoolean, at: element.encoded.startIndex)
    }
    return byte == 0xff
  }

  /// Reads a BOOLEAN by the rules of BER: every octet except 00 is true (X.690 §8.2.2).
  ///
  /// Use it only for certificates of other issuers, which some encode this way. It accepts several encodings of one
  /// value.
  ///
  /// - Throws: `der.invalid-boolean` if the content is not one octet.
  package mutating func readLenientBoolean(tag: DERTag = .boolean) throws(WireError) -> Bool {
    let element = try read(tag)
    guard element.content.count == 1, let byte = element.content.first else {
      throw WireError(.derInvalidBoolean, at: element.encoded.startIndex)
    }
    return byte != 0x00
  }

  /// Reads a NULL.
  ///
  /// - Throws: `der.invalid-null` if it has content.
  package mutating func readNull(tag: DERTag = .null) throws(WireError) {
    let element = try read(tag)
    guard element.content.isEmpty else { throw WireError(.derInvalidNull, at: element.encoded.startIndex) }
  }

  /// Reads an INTEGER of any size as its two's complement octets.
  ///
  /// - Throws: `der.invalid-integer` unless it has the fewest octets.
  package mutating func readInteger(tag: DERTag = .integer) throws(WireError) -> Bytes {
    let element = try read(tag)
    guard let first = element.content.first else {
      throw WireError(.derInvalidInteger, at: element.encoded.startIndex)
    }
    if let second = element.content.dropFirst().first {
      // Rejects a first octet that only repeats the sign (X.690 §8.3.2).
      guard first != 0x00 || second >= 0x80, first != 0xff || second < 0x80 else {
        throw WireError(.derInvalidInteger, at: element.encoded.startIndex)
      }
    }
    return element.content
  }

  /// Reads a non-negative INTEGER as its big-endian magnitude without leading zeros. Zero has no octets.
  ///
  /// - Throws: `der.integer-out-of-range` for a negative number.
  package mutating func readUnsignedInteger(tag: DERTag = .integer) throws(WireError) -> Bytes {
    let start = offset
    let octets = try readInteger(tag: tag)
    guard let first = octets.first, first < 0x80 else { throw WireError(.derIntegerOutOfRange, at: start) }
    return first == 0 ? octets.dropFirst() : octets
  }

  /// Reads an INTEGER that fits `Int64`.
  ///
  /// - Throws: `der.integer-out-of-range` otherwise.
  package mutating func readInt64(tag: DERTag = .integer) throws(WireError) -> Int64 {
    let start = offset
    let octets = try readInteger(tag: tag)
    guard octets.count <= 8, let first = octets.first else { throw WireError(.derIntegerOutOfRange, at: start) }
    var number: Int64 = first >= 0x80 ? -1 : 0
    for octet in octets {
      number = number << 8 | Int64(octet)
    }
    return number
  }

  /// Reads an INTEGER that fits `UInt64`.
  ///
  /// - Throws: `der.integer-out-of-range` otherwise.
  package mutating func readUInt64(tag: DERTag = .integer) throws(WireError) -> UInt64 {
    let start = offset
    let octets = try readUnsignedInteger(tag: tag)
    guard octets.count <= 8 else { throw WireError(.derIntegerOutOfRange, at: start) }
    return octets.reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Reads an ENUMERATED that fits `Int64`.
  ///
  /// - Throws: `der.integer-out-of-range` otherwise.
  package mutating func readEnumerated(tag: DERTag = .enumerated) throws(WireError) -> Int64 {
    try readInt64(tag: tag)
  }
}
