// SPDX-License-Identifier: Apache-2.0

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
