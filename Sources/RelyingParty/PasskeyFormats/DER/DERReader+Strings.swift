// SPDX-License-Identifier: Apache-2.0

extension DERReader {
  /// Reads an OCTET STRING.
  ///
  /// - Throws: `der.unexpected-tag` for another element, or the code of a malformed header; see ``readElement()``.
  package mutating func readOctetString(tag: DERTag = .octetString) throws(WireError) -> Bytes {
    try read(tag).content
  }

  /// Reads a BIT STRING.
  ///
  /// - Throws: `der.invalid-bit-string` unless the unused bits are 0 to 7 zero bits (X.690 §11.2.1).
  package mutating func readBitString(tag: DERTag = .bitString) throws(WireError) -> DERBitString {
    let element = try read(tag)
    guard let unusedBits = element.content.first, unusedBits <= 7 else {
      throw WireError(.derInvalidBitString, at: element.encoded.startIndex)
    }
    let octets = element.content.dropFirst()
    guard octets.last.map({ $0 & (1 << unusedBits - 1) == 0 }) ?? (unusedBits == 0) else {
      throw WireError(.derInvalidBitString, at: element.encoded.startIndex)
    }
    return DERBitString(octets: octets, unusedBits: Int(unusedBits))
  }

  /// Reads an OBJECT IDENTIFIER.
  ///
  /// - Throws: `der.invalid-object-identifier` if it is malformed or exceeds the limits of ``DERObjectIdentifier``.
  package mutating func readObjectIdentifier(tag: DERTag = .objectIdentifier) throws(WireError) -> DERObjectIdentifier {
    let element = try read(tag)
    guard let identifier = DERObjectIdentifier(encoded: element.content) else {
      throw WireError(.derInvalidObjectIdentifier, at: element.encoded.startIndex)
    }
    return identifier
  }

  /// Reads a UTF8String.
  ///
  /// - Throws: `der.invalid-string` if it is not valid UTF-8.
  package mutating func readUTF8String(tag: DERTag = .utf8String) throws(WireError) -> String {
    let element = try read(tag)
    if let offset = firstInvalidUTF8(in: element.content) { throw WireError(.derInvalidString, at: offset) }
    return String(decoding: element.content, as: UTF8.self)
  }

  /// Reads a PrintableString: letters, digits, space and `'()+,-./:=?` (X.680 §41.4).
  ///
  /// - Throws: `der.invalid-string` for other characters.
  package mutating func readPrintableString(tag: DERTag = .printableString) throws(WireError) -> String {
    try readCharacters(tag) { $0.isPrintableStringCharacter }
  }

  /// Reads an IA5String: ASCII.
  ///
  /// - Throws: `der.invalid-string` for other characters.
  package mutating func readIA5String(tag: DERTag = .ia5String) throws(WireError) -> String {
    try readCharacters(tag) { $0 < 0x80 }
  }

  private mutating func readCharacters(
    _ tag: DERTag, where isAllowed: (UInt8) -> Bool
  ) throws(WireError) -> String {
    let element = try read(tag)
    if let offset = element.content.firstIndex(where: { !isAllowed($0) }) {
      throw WireError(.derInvalidString, at: offset)
    }
    return String(decoding: element.content, as: UTF8.self)
  }
}

extension UInt8 {
  /// Whether PrintableString allows this character.
  var isPrintableStringCharacter: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "'")...UInt8(ascii: ")"): true
    case UInt8(ascii: "+")...UInt8(ascii: "/"), UInt8(ascii: " "), UInt8(ascii: ":"): true
    case UInt8(ascii: "="), UInt8(ascii: "?"): true
    default: false
    }
  }
}

/// The value of a BIT STRING.
package struct DERBitString: Hashable, Sendable {
  /// The bits, eight in each octet, most significant bit first.
  package let octets: Bytes

  /// The number of unused low bits in the last octet. They are zero.
  package let unusedBits: Int

  /// The number of bits.
  package var count: Int { octets.count * 8 - unusedBits }

  /// Whether the bit with this number is set. Bits past the end are not set.
  package subscript(bit: Int) -> Bool {
    guard bit >= 0, let octet = octets.dropFirst(bit / 8).first else { return false }
    return octet & (0x80 >> (bit % 8)) != 0
  }

  init(octets: Bytes, unusedBits: Int) {
    self.octets = octets
    self.unusedBits = unusedBits
  }
}
