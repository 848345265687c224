// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct DERReaderNumbersTests {
  @Test(arguments: [
    ("020100", Int64(0)), ("02017f", 127), ("02020080", 128), ("020180", -128), ("0202ff7f", -129), ("0201ff", -1),
    ("02087fffffffffffffff", .max), ("02088000000000000000", .min),
  ])
  func `reads signed integers`(digits: String, number: Int64) throws {
    var reader = DERReader(hex(digits))
    #expect(try reader.readInt64() == number)
    try reader.finish()
  }

  @Test func `reads unsigned integers up to 64 bits`() throws {
    var reader = DERReader(hex("020100 020900ffffffffffffffff"))
    #expect(try reader.readUInt64() == 0)
    #expect(try reader.readUInt64() == .max)
  }

  @Test func `returns large integers as octets`() throws {
    var reader = DERReader(hex("020900ffffffffffffffff 020900ffffffffffffffff 020100"))
    #expect(try reader.readInteger() == hex("00ffffffffffffffff")[...])
    #expect(try reader.readUnsignedInteger() == hex("ffffffffffffffff")[...])
    #expect(try reader.readUnsignedInteger().isEmpty)
  }

  @Test(arguments: ["0200", "02020001", "0202ff80", "0202007f", "0202ffff"])
  func `rejects empty and non-minimal integers`(digits: String) {
    var reader = DERReader((hex("ff") + hex(digits))[1...])
    #expect(throws: WireError(.derInvalidInteger, at: 1)) { try reader.readInteger() }
  }

  @Test func `rejects numbers out of range`() {
    for digits in ["0209010000000000000000", "0209ff0000000000000000", "020900ffffffffffffffff"] {
      var reader = DERReader(hex(digits))
      #expect(throws: WireError(.derIntegerOutOfRange, at: 0)) { try reader.readInt64() }
    }
    for digits in ["0209010000000000000000", "0201ff", "020180"] {
      var reader = DERReader(hex(digits))
      #expect(throws: WireError(.derIntegerOutOfRange, at: 0)) { try reader.readUInt64() }
    }
    var reader = DERReader(hex("0201ff"))
    #expect(throws: WireError(.derIntegerOutOfRange, at: 0)) { try reader.readUnsignedInteger() }
  }

  @Test func `a lenient BOOLEAN is any single octet`() throws {
    var reader = DERReader(hex("0101 00 0101 01 0101 ff 0101 80"))
    #expect(try !reader.readLenientBoolean())
    for _ in 0..<3 { #expect(try reader.readLenientBoolean()) }
    for digits in ["0100", "0102 0001"] {
      var reader = DERReader(hex(digits))
      #expect(throws: WireError(.derInvalidBoolean, at: 0)) { try reader.readLenientBoolean() }
    }
  }

  @Test func `a BOOLEAN is 00 or FF`() throws {
    var reader = DERReader(hex("010100 0101ff"))
    #expect(try !reader.readBoolean())
    #expect(try reader.readBoolean())
    for digits in ["010101", "0100", "0102ffff"] {
      var reader = DERReader(hex(digits))
      #expect(throws: WireError(.derInvalidBoolean, at: 0)) { try reader.readBoolean() }
    }
  }

  @Test func `a NULL is empty, and an ENUMERATED is not an INTEGER`() throws {
    var reader = DERReader(hex("050100"))
    #expect(throws: WireError(.derInvalidNull, at: 0)) { try reader.readNull() }
    reader = DERReader(hex("0a0102"))
    #expect(throws: WireError(.derUnexpectedTag, at: 0)) { try reader.readInt64() }
    #expect(try reader.readEnumerated() == 2)
  }

  @Test func `an implicit tag replaces the type's tag`() throws {
    var reader = DERReader(hex("800105 8101ff 8200"))
    #expect(try reader.readUInt64(tag: .context(0)) == 5)
    #expect(try reader.readBoolean(tag: .context(1)))
    try reader.readNull(tag: .context(2))
  }
}
