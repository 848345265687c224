// SPDX-License-Identifier: Apache-2.0

// date-time = 4DIGIT "-" 2DIGIT "-" 2DIGIT "T" 2DIGIT ":" 2DIGIT ":" 2DIGIT ["." 1*DIGIT] time-offset
// time-offset = "Z" / ("+" / "-") 2DIGIT ":" 2DIGIT                                        (RFC 3339 §5.6)

extension UnixTime {
  /// Parses RFC 3339 text such as `2024-12-27T00:00:00Z`. Fractions of a second are dropped.
  ///
  /// - Throws: `time.invalid`, with the offset in UTF-8 bytes from 0.
  package init(rfc3339 text: String) throws(WireError) {
    try self.init(rfc3339: Bytes(text.utf8))
  }

  /// Parses RFC 3339 text. Fractions of a second are dropped.
  ///
  /// - Throws: `time.invalid`, with the index of the invalid byte.
  package init(rfc3339 text: Bytes) throws(WireError) {
    var reader = DigitReader(text)
    let date = CivilDate(
      year: try reader.readNumber(digits: 4),
      month: try reader.readNumber(digits: 2, after: "-"),
      day: try reader.readNumber(digits: 2, after: "-"))
    guard date.isInCalendar else { throw WireError(.timeInvalid, at: text.startIndex) }
    try reader.read(oneOf: "Tt")
    let hour = try reader.readNumber(digits: 2, upTo: 23)
    let minute = try reader.readNumber(digits: 2, after: ":", upTo: 59)
    // A leap second is treated as the following second.
    let second = try reader.readNumber(digits: 2, after: ":", upTo: 60)
    try reader.skipFraction()
    let offset = try reader.readOffset()
    try reader.finish()
    let secondOfDay = (hour * 60 + minute) * 60 + second
    self.init(secondsSince1970: Int64(date.daysSince1970) * Self.secondsPerDay + Int64(secondOfDay - offset * 60))
  }

  /// The time as RFC 3339 text in UTC; `nil` outside the years 0 to 9999, which the format cannot represent.
  package var rfc3339: String? {
    let (days, second) = daysAndSecond
    guard let date = CivilDate(daysSince1970: days) else { return nil }
    var text: [UInt8] = []
    text.reserveCapacity(20)
    func write(_ number: Int, _ mark: Unicode.Scalar) {
      text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10 % 10))
      text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
      text.append(UInt8(ascii: mark))
    }
    text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: date.year / 1000 % 10))
    text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: date.year / 100 % 10))
    write(date.year % 100, "-")
    write(date.month, "-")
    write(date.day, "T")
    write(second / 3600, ":")
    write(second / 60 % 60, ":")
    write(second % 60, "Z")
    return String(decoding: text, as: UTF8.self)
  }

  /// The whole days since 1970 and the second of the day.
  var daysAndSecond: (days: Int, second: Int) {
    let (days, second) = secondsSince1970.quotientAndRemainder(dividingBy: Self.secondsPerDay)
    return second < 0 ? (Int(days) - 1, Int(second + Self.secondsPerDay)) : (Int(days), Int(second))
  }
}

extension UnixTime: CustomStringConvertible {
  /// RFC 3339 text, or `@` and the seconds since 1970 outside the years 0 to 9999.
  public var description: String { rfc3339 ?? "@\(secondsSince1970)" }
}

/// Returns a non-negative number padded with leading zeros to `width` digits.
func padded(_ number: Int, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

/// Parses the digits of dates and times.
struct DigitReader {
  private var reader: ByteReader

  init(_ text: Bytes) {
    reader = ByteReader(text)
  }

  mutating func readNumber(digits: Int, after mark: String? = nil, upTo limit: Int = .max) throws(WireError) -> Int {
    if let mark { try read(oneOf: mark) }
    let start = reader.offset
    var number = 0
    for _ in 0..<digits {
      number = number * 10 + (try readDigit())
    }
    guard number <= limit else { throw WireError(.timeInvalid, at: start) }
    return number
  }

  mutating func read(oneOf marks: String) throws(WireError) {
    let start = reader.offset
    guard let byte = try? reader.readByte(), marks.utf8.contains(byte) else {
      throw WireError(.timeInvalid, at: start)
    }
  }

  mutating func skipFraction() throws(WireError) {
    guard reader.next == UInt8(ascii: ".") else { return }
    try read(oneOf: ".")
    repeat { _ = try readDigit() } while reader.next.map(isDigit) ?? false
  }

  /// The offset from UTC in minutes.
  mutating func readOffset() throws(WireError) -> Int {
    let sign = reader.next
    try read(oneOf: "Zz+-")
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return 0 }
    let minutes = try readNumber(digits: 2, upTo: 23) * 60 + readNumber(digits: 2, after: ":", upTo: 59)
    return sign == UInt8(ascii: "-") ? -minutes : minutes
  }

  func finish() throws(WireError) {
    guard reader.isAtEnd else { throw WireError(.timeInvalid, at: reader.offset) }
  }

  private mutating func readDigit() throws(WireError) -> Int {
    let start = reader.offset
    guard let byte = try? reader.readByte(), isDigit(byte) else { throw WireError(.timeInvalid, at: start) }
    return Int(byte - UInt8(ascii: "0"))
  }

  private func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }
}
