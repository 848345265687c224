// SPDX-License-Identifier: Apache-2.0

extension DERWriter {
  /// Writes a BOOLEAN.
  public mutating func writeBoolean(_ value: Bool, tag: DERTag = .boolean) {
    write(tag, content: [value ? 0xff : 0x00])
  }

  /// Writes a NULL.
  public mutating func writeNull(tag: DERTag = .null) {
    write(tag, content: [])
  }

  /// Writes an INTEGER.
  public mutating func writeInteger(_ number: Int64, tag: DERTag = .integer) {
    let octets = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
    write(tag, content: withoutRepeatedSign(octets[...]))
  }

  /// Writes an INTEGER that is not negative, from its big-endian octets; leading zeros are passed over.
  public mutating func writeInteger(magnitude: Bytes, tag: DERTag = .integer) {
    write(tag, content: withoutRepeatedSign(([0x00] + magnitude)[...]))
  }

  /// Writes an INTEGER from its two's complement octets, of which there is at least one; repeated signs are passed over.
  public mutating func writeInteger(twosComplement octets: Bytes, tag: DERTag = .integer) {
    write(tag, content: withoutRepeatedSign(octets.isEmpty ? [0x00] : octets))
  }

  /// Writes an ENUMERATED.
  public mutating func writeEnumerated(_ number: Int64, tag: DERTag = .enumerated) {
    writeInteger(number, tag: tag)
  }

  /// Writes an OCTET STRING.
  public mutating func writeOctetString(_ octets: Bytes, tag: DERTag = .octetString) {
    write(tag, content: octets)
  }

  /// Writes an OCTET STRING that holds the DER that the closure writes.
  public mutating func writeOctetString<Failure: Error>(
    tag: DERTag = .octetString, _ body: (inout DERWriter) throws(Failure) -> Void
  ) throws(Failure) {
    try write(tag, body)
  }

  /// Writes a BIT STRING of whole octets.
  public mutating func writeBitString(_ octets: Bytes, tag: DERTag = .bitString) {
    write(tag, content: ([0x00] + octets)[...])
  }

  /// Writes a BIT STRING in which the bits with these numbers are set, and none after the last of them (X.690 §11.2.2).
  public mutating func writeBitString(named bits: Set<UInt8>, tag: DERTag = .bitString) {
    guard let last = bits.max() else {
      write(tag, content: [0x00])
      return
    }
    let octets = (0...last / 8).map { octet in
      bits.filter { $0 / 8 == octet }.reduce(UInt8(0)) { $0 | 0x80 >> ($1 % 8) }
    }
    write(tag, content: ([7 - last % 8] + octets)[...])
  }

  /// Writes an OBJECT IDENTIFIER.
  public mutating func writeObjectIdentifier(_ identifier: ObjectIdentifier, tag: DERTag = .objectIdentifier) {
    write(tag, content: identifier.encoded)
  }

  /// Writes a UTF8String.
  public mutating func writeUTF8String(_ text: String, tag: DERTag = .utf8String) {
    write(tag, content: Array(text.utf8)[...])
  }

  /// Writes a PrintableString; text that it cannot hold is refused at the offset of its first such byte.
  public mutating func writePrintableString(_ text: String, tag: DERTag = .printableString) throws(WireError) {
    try writeCharacters(text, tag) { $0.isPrintableStringCharacter }
  }

  /// Writes an IA5String; text that is not ASCII is refused at the offset of its first such byte.
  public mutating func writeIA5String(_ text: String, tag: DERTag = .ia5String) throws(WireError) {
    try writeCharacters(text, tag) { $0 < 0x80 }
  }

  private mutating func writeCharacters(
    _ text: String, _ tag: DERTag, where isAllowed: (UInt8) -> Bool
  ) throws(WireError) {
    let octets = Array(text.utf8)
    if let offset = octets.firstIndex(where: { !isAllowed($0) }) { throw WireError(.derInvalidString, at: offset) }
    write(tag, content: octets[...])
  }

  /// The fewest octets for a number in two's complement.
  private func withoutRepeatedSign(_ octets: Bytes) -> Bytes {
    var octets = octets
    while let first = octets.first, let second = octets.dropFirst().first,
      (first == 0x00 && second < 0x80) || (first == 0xff && second >= 0x80)
    {
      octets = octets.dropFirst()
    }
    return octets
  }
}

extension DERWriter {
  /// Writes a moment as certificates must: UTCTime up to 2049, GeneralizedTime after (RFC 5280 §4.1.2.5).
  ///
  /// A moment outside the years 0 to 9999 has no form and is refused.
  public mutating func writeTime(_ moment: Timestamp) throws(WireError) {
    let digits = try digits(of: moment)
    if "1950" <= digits.year && digits.year < "2050" {
      write(.utcTime, content: Array((digits.year.dropFirst(2) + digits.rest).utf8)[...])
    } else {
      try writeGeneralizedTime(moment)
    }
  }

  /// Writes a moment as GeneralizedTime.
  public mutating func writeGeneralizedTime(_ moment: Timestamp, tag: DERTag = .generalizedTime) throws(WireError) {
    let digits = try digits(of: moment)
    write(tag, content: Array((digits.year + digits.rest).utf8)[...])
  }

  /// RFC 3339 text without its punctuation is what both forms are made of.
  private func digits(of moment: Timestamp) throws(WireError) -> (year: String, rest: String) {
    guard let text = moment.rfc3339 else { throw WireError(.timeInvalid, at: 0) }
    let digits = text.filter { $0.isNumber }
    return (String(digits.prefix(4)), digits.dropFirst(4) + "Z")
  }
}
