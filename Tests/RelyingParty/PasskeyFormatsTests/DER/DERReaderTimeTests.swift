// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import Testing

@Suite struct DERReaderTimeTests {
  @Test(arguments: [
    (UInt8(0x17), "240101000000Z", "2024-01-01T00:00:00Z"),
    (0x17, "491231235959Z", "2049-12-31T23:59:59Z"),
    (0x17, "500101000000Z", "1950-01-01T00:00:00Z"),
    (0x17, "700201000000Z", "1970-02-01T00:00:00Z"),
    (0x18, "30240101000000Z", "3024-01-01T00:00:00Z"),
    (0x18, "20240229120000Z", "2024-02-29T12:00:00Z"),
    (0x18, "99991231235959Z", "9999-12-31T23:59:59Z"),
  ])
  func `reads UTCTime and GeneralizedTime`(tag: UInt8, text: String, expected: String) throws {
    var reader = DERReader([tag, UInt8(text.utf8.count)] + text.utf8)
    #expect(try reader.readTime().rfc3339 == expected)
    try reader.finish()
  }

  @Test(arguments: [
    (UInt8(0x17), "2401010000Z"), (0x17, "240101000000"), (0x17, "240101000000+0000"), (0x17, "240230000000Z"),
    (0x17, "240101240000Z"), (0x17, "240101000060Z"), (0x17, "20240101000000Z"), (0x17, ""), (0x17, "240101000000z"),
    (0x18, "20240101000000.5Z"), (0x18, "240101000000Z"), (0x18, "20240101000000"), (0x18, "2024-01-0100000Z"),
  ])
  func `rejects forms that RFC 5280 does not allow`(tag: UInt8, text: String) {
    var reader = DERReader(([0x05, 0x00, tag, UInt8(text.utf8.count)] + text.utf8)[2...])
    #expect(throws: WireError(.derInvalidTime, at: 2)) { try reader.readTime() }
  }

  @Test func `rejects an element that is not a time`() throws {
    var reader = DERReader([0x05, 0x00])
    #expect(throws: WireError(.derUnexpectedTag, at: 0)) { try reader.readTime() }
    #expect(try reader.readOptionalTime() == nil)
  }

  @Test func `an optional time may have either form or be absent`() throws {
    var reader = DERReader(([0x17, 13] + "240101000000Z".utf8) + ([0x18, 15] + "20240101000000Z".utf8))
    #expect(try reader.readOptionalTime()?.rfc3339 == "2024-01-01T00:00:00Z")
    #expect(try reader.readOptionalTime()?.rfc3339 == "2024-01-01T00:00:00Z")
    #expect(try reader.readOptionalTime() == nil)
  }
}
