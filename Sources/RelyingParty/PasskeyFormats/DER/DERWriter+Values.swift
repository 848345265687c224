// SPDX-License-Identifier: Apache-2.0

extension DERWriter {
  /// Writes a BOOLEAN.
  package mutating func writeBoolean(_ value: Bool, tag: DERTag = .boolean) {
    write(tag, content: [value ? 0xff : 0x00])
  }

  /// Writes a NULL.
  package mutating func writeNull(tag: DERTag = .null) {
    write(tag, content: [])
  }

  /// Writes an INTEGER.
  package mutating func writeInteger(_ number: Int64, tag: DERTag = .integer) {
    let octets = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
    write(tag, content: withoutRepeatedSign(octets))
  }

  /// Writes a non-negative INTEGER from its big-endian octets. Leading zeros are dropped.
  package mutating func writeInteger(magnitude: some ByteSource, tag: DERTag = .integer) {
    let magnitude = magnitude.slice
    write(tag, content: withoutRepeatedSign([0x00] + magnitude))
  }

  /// Writes an INTEGER from its two's complement octets, at least one. Redundant sign octets are dropped.
  package mutating func writeInteger(twosComplement octets: some ByteSource, tag: DERTag = .integer) {
    let octets = octets.slice
    write(tag, content: withoutRepeatedSign(octets.isEmpty ? [0x00] : octets))
  }

  /// Writes an ENUMERATED.
  package mutating func writeEnumerated(_ number: Int64, tag: DERTag = .enumerated) {
    writeInteger(number, tag: tag)
  }

  /// Writes an OCTET STRING.
  package mutating func writeOctetString(_ octets: some ByteSource, tag: DERTag = .octetString) {
    let octets = octets.slice
    write(tag, content: octets)
  }

  /// Writes an OCTET STRING that contains the DER written by the closure.
  ///
  /// - Throws: The closure's error; nothing is written then.
  package mutating func writeOctetString<Failure: Error>(
    tag: DERTag = .octetString, _ body: (inout DERWriter) throws(Failure) -> Void
  ) throws(Failure) {
    try write(tag, body)
  }

  /// Writes a BIT STRING of whole octets.
  package mutating func writeBitString(_ octets: some ByteSource, tag: DERTag = .bitString) {
    let octets = octets.slice
    write(tag, content: [0x00] + octets)
  }

  /// Writes a BIT STRING with these bits set and no trailing zero bits (X.690 §11.2.2).
  package mutating func writeBitString(named bits: Set<UInt8>, tag: DERTag = .bitString) {
    guard let last = bits.max() else {
      write(tag, content: [0x00])
      return
    }
    let octets = (0...last / 8).map { octet in
      bits.filter { $0 / 8 == octet }.reduce(UInt8(0)) { $0 | 0x80 >> ($1 % 8) }
    }
    write(tag, content: ([7 - last % 8] + octets))
  }

  /// Writes an OBJECT IDENTIFIER.
  package mutating func writeObjectIdentifier(_ identifier: DERObjectIdentifier, tag: DERTag = .objectIdentifier) {
    write(tag, content: identifier.encoded)
  }

  /// Writes a UTF8String.
  package mutating func writeUTF8String(_ text: String, tag: DERTag = .utf8String) {
    write(tag, content: Array(text.utf8))
  }

  /// Writes a PrintableString.
  ///
  /// - Throws: `der.invalid-string` at the offset of the first character that PrintableString does not allow.
  package mutating func writePrintableString(_ text: String, tag: DERTag = .printableString) throws(WireError) {
    try writeCharacters(text, tag) { $0.isPrintableStringCharacter }
  }

  /// Writes an IA5String.
  ///
  /// - Throws: `der.invalid-string` at the offset of the first character that is not ASCII.
  package mutating func writeIA5String(_ text: String, tag: DERTag = .ia5String) throws(WireError) {
    try writeCharacters(text, tag) { $0 < 0x80 }
  }

  private mutating func writeCharacters(
    _ text: String, _ tag: DERTag, where isAllowed: (UInt8) -> Bool
  ) throws(WireError) {
    let octets = Array(text.utf8)
    if let offset = octets.firstIndex(where: { !isAllowed($0) }) { throw WireError(.derInvalidString, at: offset) }
    write(tag, content: octets)
  }

  /// Drops redundant sign octets of a two's complement number.
  private func withoutRepeatedSign(_ octets: some ByteSource) -> Bytes {
    var octets = octets.slice
    while let first = octets.first, let second = octets.dropFirst().first,
      (first == 0x00 && second < 0x80) || (first == 0xff && second >= 0x80)
    {
      octets = octets.dropFirst()
    }
    return octets
  }
}

extension DERWriter {
  /// Writes a time by the rules for certificates: UTCTime up to 2049, GeneralizedTime from 2050 (RFC 5280 §4.1.2.5).
  ///
  /// - Throws: `time.invalid` outside the years 0 to 9999.
  package mutating func writeTime(_ moment: UnixTime) throws(WireError) {
    let digits = try digits(of: moment)
    if "1950" <= digits.year && digits.year < "2050" {
      write(.utcTime, content: Array((digits.year.dropFirst(2) + digits.rest).utf8))
    } else {
      try writeGeneralizedTime(moment)
    }
  }

  /// Writes a GeneralizedTime.
  ///
  /// - Throws: `time.invalid` outside the years 0 to 9999.
  package mutating func writeGeneralizedTime(_ moment: UnixTime, tag: DERTag = .generalizedTime) throws(WireError) {
    let digits = try digits(of: moment)
    write(tag, content: Array((digits.year + digits.rest).utf8))
  }

  /// Returns the digits of the RFC 3339 text.
  private func digits(of moment: UnixTime) throws(WireError) -> (year: String, rest: String) {
    guard let text = moment.rfc3339 else { throw WireError(.timeInvalid, at: 0) }
    let digits = text.filter { $0.isNumber }
    return (String(digits.prefix(4)), digits.dropFirst(4) + "Z")
  }
}
