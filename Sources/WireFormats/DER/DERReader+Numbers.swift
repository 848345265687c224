// SPDX-License-Identifier: Apache-2.0

extension DERReader {
  /// Reads a BOOLEAN: 00 or FF and nothing else (X.690 §11.1).
  public mutating func readBoolean(tag: DERTag = .boolean) throws(WireError) -> Bool {
    let element = try read(tag)
    guard element.content.count == 1, let byte = element.content.first, byte == 0x00 || byte == 0xff else {
      throw WireError(.derInvalidBoolean, at: element.encoded.startIndex)
    }
    return byte == 0xff
  }

  /// Reads a BOOLEAN as BER has it: every octet but 00 is true (X.690 §8.2.2). For certificates that others have issued,
  /// whose bytes are signed as they are; not for anything that must have one form.
  public mutating func readLenientBoolean(tag: DERTag = .boolean) throws(WireError) -> Bool {
    let element = try read(tag)
    guard element.content.count == 1, let byte = element.content.first else {
      throw WireError(.derInvalidBoolean, at: element.encoded.startIndex)
    }
    return byte != 0x00
  }

  /// Reads a NULL.
  public mutating func readNull(tag: DERTag = .null) throws(WireError) {
    let element = try read(tag)
    guard element.content.isEmpty else { throw WireError(.derInvalidNull, at: element.encoded.startIndex) }
  }

  /// Reads an INTEGER of any size as its two's complement octets, which are the fewest possible.
  public mutating func readInteger(tag: DERTag = .integer) throws(WireError) -> Bytes {
    let element = try read(tag)
    guard let first = element.content.first else {
      throw WireError(.derInvalidInteger, at: element.encoded.startIndex)
    }
    if let second = element.content.dropFirst().first {
      // A first octet that only repeats the sign is one too many (X.690 §8.3.2).
      guard first != 0x00 || second >= 0x80, first != 0xff || second < 0x80 else {
        throw WireError(.derInvalidInteger, at: element.encoded.startIndex)
      }
    }
    return element.content
  }

  /// Reads an INTEGER that is not negative as its magnitude, big-endian, without leading zeros; zero is no octets.
  public mutating func readUnsignedInteger(tag: DERTag = .integer) throws(WireError) -> Bytes {
    let start = offset
    let octets = try readInteger(tag: tag)
    guard let first = octets.first, first < 0x80 else { throw WireError(.derIntegerOutOfRange, at: start) }
    return first == 0 ? octets.dropFirst() : octets
  }

  /// Reads an INTEGER that fits 64 bits with a sign.
  public mutating func readInt64(tag: DERTag = .integer) throws(WireError) -> Int64 {
    let start = offset
    let octets = try readInteger(tag: tag)
    guard octets.count <= 8, let first = octets.first else { throw WireError(.derIntegerOutOfRange, at: start) }
    var number: Int64 = first >= 0x80 ? -1 : 0
    for octet in octets {
      number = number << 8 | Int64(octet)
    }
    return number
  }

  /// Reads an INTEGER that is not negative and fits 64 bits.
  public mutating func readUInt64(tag: DERTag = .integer) throws(WireError) -> UInt64 {
    let start = offset
    let octets = try readUnsignedInteger(tag: tag)
    guard octets.count <= 8 else { throw WireError(.derIntegerOutOfRange, at: start) }
    return octets.reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Reads an ENUMERATED.
  public mutating func readEnumerated(tag: DERTag = .enumerated) throws(WireError) -> Int64 {
    try readInt64(tag: tag)
  }
}
