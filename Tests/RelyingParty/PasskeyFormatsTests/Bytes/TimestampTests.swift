// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct TimestampTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", Int64(0)),
    ("1969-12-31T23:59:59Z", -1),
    ("2000-02-29T12:00:00Z", 951_825_600),
    ("2024-12-27T00:00:00Z", 1_735_257_600),
    ("2038-01-19T03:14:08Z", 2_147_483_648),
    ("3024-01-01T00:00:00Z", 33_260_976_000),
    ("0000-01-01T00:00:00Z", -62_167_219_200),
    ("9999-12-31T23:59:59Z", 253_402_300_799),
  ])
  func `converts between text and seconds`(text: String, seconds: Int64) throws {
    #expect(try UnixTime(rfc3339: text) == UnixTime(secondsSince1970: seconds))
    #expect(UnixTime(secondsSince1970: seconds).rfc3339 == text)
  }

  @Test(arguments: [
    "2024-12-27T01:30:00+01:30", "2024-12-26T14:00:00-10:00", "2024-12-27t00:00:00z", "2024-12-27T00:00:00.999Z",
    "2024-12-26T23:59:60Z", "2024-12-27T00:00:00-00:00",
  ])
  func `accepts offsets, fractions, lower case and a leap second`(text: String) throws {
    #expect(try UnixTime(rfc3339: text).rfc3339 == "2024-12-27T00:00:00Z")
  }

  @Test(arguments: [
    ("", 0), ("2024", 4), ("2024-02-30T00:00:00Z", 0), ("2023-02-29T00:00:00Z", 0), ("1900-02-29T00:00:00Z", 0),
    ("2024-13-01T00:00:00Z", 0), ("2024-00-01T00:00:00Z", 0), ("2024-01-00T00:00:00Z", 0), ("2024-04-31T00:00:00Z", 0),
    ("2024-12-27 00:00:00Z", 10), ("2024-12-27T24:00:00Z", 11), ("2024-12-27T00:60:00Z", 14),
    ("2024-12-27T00:00:61Z", 17), ("2024-12-27T00:00:00", 19), ("2024-12-27T00:00:00.Z", 20),
    ("2024-12-27T00:00:00+24:00", 20), ("2024-12-27T00:00:00+01", 22), ("2024-12-27T00:00:00ZZ", 20),
    ("+024-12-27T00:00:00Z", 0), ("2024-1२-27T00:00:00Z", 6),
  ])
  func `rejects malformed text at the offset of the error`(text: String, offset: Int) {
    #expect(throws: WireError(.timeInvalid, at: offset)) { try UnixTime(rfc3339: text) }
  }

  @Test func `an error in a slice has an index of the whole array`() {
    let bytes = Array("xx2024-12-27X".utf8)
    #expect(throws: WireError(.timeInvalid, at: 12)) { try UnixTime(rfc3339: bytes[2...]) }
  }

  @Test func `every day from 0000 to 9999 survives a round trip`() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<5000 {
      let seconds = Int64.random(in: -62_167_219_200...253_402_300_799, using: &generator)
      let text = try #require(UnixTime(secondsSince1970: seconds).rfc3339)
      #expect(try UnixTime(rfc3339: text).secondsSince1970 == seconds)
    }
    // Every turn of the year, where off-by-one errors would appear.
    for year in 0...9999 {
      let newYear = try #require(UnixTime(year: year, month: 1, day: 1))
      #expect(newYear.rfc3339?.hasSuffix("-01-01T00:00:00Z") == true)
      #expect(year == 0 || (newYear - .seconds(1)).rfc3339?.hasSuffix("-12-31T23:59:59Z") == true)
    }
  }

  @Test func `a time outside years 0 to 9999 is described by its seconds`() {
    #expect(UnixTime(secondsSince1970: 253_402_300_800).rfc3339 == nil)
    #expect(UnixTime(secondsSince1970: .max).description == "@9223372036854775807")
    #expect(UnixTime(secondsSince1970: .min).rfc3339 == nil)
  }

  @Test func `sums are clamped to the earliest and latest time`() {
    let last = UnixTime(secondsSince1970: .max)
    let first = UnixTime(secondsSince1970: .min)
    #expect(last + .seconds(1) == last)
    #expect(first - .seconds(1) == first)
    #expect(first + .seconds(-1) == first)
    #expect(last - .seconds(-1) == last)
    #expect(UnixTime(secondsSince1970: 60) + .seconds(300) == UnixTime(secondsSince1970: 360))
    #expect(first < last)
  }

  @Test func `rejects an invalid time of day`() {
    #expect(UnixTime(year: 2024, month: 1, day: 1, hour: 24) == nil)
    #expect(UnixTime(year: 2024, month: 1, day: 1, minute: 60) == nil)
    #expect(UnixTime(year: 2024, month: 1, day: 1, second: -1) == nil)
    #expect(UnixTime(year: 10000, month: 1, day: 1) == nil)
  }
}
