// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct DERReaderStringsTests {
  @Test func `numbers bits from the highest bit of the first octet`() throws {
    var reader = DERReader(hex("0303 07 8180"))
    let bits = try reader.readBitString()
    #expect(bits.count == 9)
    #expect((-1...10).filter { bits[$0] } == [0, 7, 8])
  }

  @Test func `accepts an empty BIT STRING`() throws {
    var reader = DERReader(hex("030100"))
    let bits = try reader.readBitString()
    #expect(bits.count == 0)
    #expect(!bits[0])
  }

  @Test(arguments: ["0300", "030101", "03020800", "03020101", "030207c0"])
  func `rejects invalid unused bits`(digits: String) {
    var reader = DERReader(hex(digits))
    #expect(throws: WireError(.derInvalidBitString, at: 0)) { try reader.readBitString() }
  }

  @Test func `reads strings of each type`() throws {
    var reader = DERReader(hex("0c03 e282ac 1304 41203d3f 1602 4040"))
    #expect(try reader.readUTF8String() == "€")
    #expect(try reader.readPrintableString() == "A =?")
    #expect(try reader.readIA5String() == "@@")
  }

  @Test func `rejects a character outside the type at its offset`() {
    var reader = DERReader(hex("0c03 4141c3"))
    #expect(throws: WireError(.derInvalidString, at: 4)) { try reader.readUTF8String() }
    reader = DERReader(hex("1302 4140"))
    #expect(throws: WireError(.derInvalidString, at: 3)) { try reader.readPrintableString() }
    reader = DERReader(hex("1602 4180"))
    #expect(throws: WireError(.derInvalidString, at: 3)) { try reader.readIA5String() }
  }

  @Test func `accepts every PrintableString character`() throws {
    let allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 '()+,-./:=?"
    for byte in UInt8.min ... .max {
      var reader = DERReader([0x13, 0x01, byte])
      #expect((try? reader.readPrintableString()) == (allowed.utf8.contains(byte) ? String(Unicode.Scalar(byte)) : nil))
    }
  }

  @Test func `reads object identifiers`() throws {
    var reader = DERReader(hex("0603551d0f 0600"))
    #expect(try reader.readObjectIdentifier() == [2, 5, 29, 15])
    #expect(throws: WireError(.derInvalidObjectIdentifier, at: 5)) { try reader.readObjectIdentifier() }
  }
}
