// SPDX-License-Identifier: Apache-2.0

// Time ::= CHOICE { utcTime UTCTime, generalTime GeneralizedTime }                                (RFC 5280 §4.1)
// UTCTime is YYMMDDHHMMSSZ (50 to 99 are the 1900s), GeneralizedTime is YYYYMMDDHHMMSSZ. Both have seconds, no
// fractions,
// and Z (RFC 5280 §4.1.2.5.1 and .2). RFC 5280 requires UTCTime up to 2049 and GeneralizedTime from 2050. The reader
// accepts either type for any year, because the meaning is clear.

extension DERReader {
  /// Reads a UTCTime or a GeneralizedTime.
  ///
  /// - Throws: `der.invalid-time` if it is malformed.
  package mutating func readTime() throws(WireError) -> UnixTime {
    try isNext(.utcTime) ? readUTCTime() : readGeneralizedTime()
  }

  /// Reads a UTCTime or a GeneralizedTime if one is next; returns `nil` otherwise.
  ///
  /// - Throws: `der.invalid-time` if it is malformed.
  package mutating func readOptionalTime() throws(WireError) -> UnixTime? {
    if try isNext(.utcTime) { return try readUTCTime() }
    return try isNext(.generalizedTime) ? readGeneralizedTime() : nil
  }

  /// Reads a UTCTime.
  ///
  /// - Throws: `der.invalid-time` if it is malformed, `der.unexpected-tag` for another element.
  package mutating func readUTCTime(tag: DERTag = .utcTime) throws(WireError) -> UnixTime {
    try readTime(tag) { (digits) throws(WireError) in
      let year = try digits.readNumber(digits: 2)
      return year < 50 ? 2000 + year : 1900 + year
    }
  }

  /// Reads a GeneralizedTime.
  ///
  /// - Throws: `der.invalid-time` if it is malformed, `der.unexpected-tag` for another element.
  package mutating func readGeneralizedTime(tag: DERTag = .generalizedTime) throws(WireError) -> UnixTime {
    try readTime(tag) { (digits) throws(WireError) in try digits.readNumber(digits: 4) }
  }

  private mutating func readTime(
    _ tag: DERTag, year readYear: (inout DigitReader) throws(WireError) -> Int
  ) throws(WireError) -> UnixTime {
    let element = try read(tag)
    do {
      var digits = DigitReader(element.content)
      let moment = UnixTime(
        year: try readYear(&digits),
        month: try digits.readNumber(digits: 2),
        day: try digits.readNumber(digits: 2),
        hour: try digits.readNumber(digits: 2),
        minute: try digits.readNumber(digits: 2),
        second: try digits.readNumber(digits: 2))
      try digits.read(oneOf: "Z")
      try digits.finish()
      if let moment { return moment }
    } catch {
      // Reports a malformed digit at the offset of the element.
    }
    throw WireError(.derInvalidTime, at: element.encoded.startIndex)
  }
}
