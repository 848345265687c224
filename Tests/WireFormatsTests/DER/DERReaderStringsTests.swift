// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import WireFormats

@Suite struct DERReaderStringsTests {
  @Test func `bits are numbered from the highest of the first octet`() throws {
    var reader = DERReader(hex("0303 07 8180")[...])
    let bits = try reader.readBitString()
    #expect(bits.count == 9)
    #expect((-1...10).filter { bits[$0] } == [0, 7, 8])
  }

  @Test func `no bits at all is a bit string too`() throws {
    var reader = DERReader(hex("030100")[...])
    let bits = try reader.readBitString()
    #expect(bits.count == 0)
    #expect(!bits[0])
  }

  @Test(arguments: ["0300", "030101", "03020800", "03020101", "030207c0"])
  func `a bit string whose unused bits make no sense is refused`(digits: String) {
    var reader = DERReader(hex(digits)[...])
    #expect(throws: WireError(.derInvalidBitString, at: 0)) { try reader.readBitString() }
  }

  @Test func `strings hold the characters of their type`() throws {
    var reader = DERReader(hex("0c03 e282ac 1304 41203d3f 1602 4040")[...])
    #expect(try reader.readUTF8String() == "€")
    #expect(try reader.readPrintableString() == "A =?")
    #expect(try reader.readIA5String() == "@@")
  }

  @Test func `a character that the type does not have is refused where it stands`() {
    var reader = DERReader(hex("0c03 4141c3")[...])
    #expect(throws: WireError(.derInvalidString, at: 4)) { try reader.readUTF8String() }
    reader = DERReader(hex("1302 4140")[...])
    #expect(throws: WireError(.derInvalidString, at: 3)) { try reader.readPrintableString() }
    reader = DERReader(hex("1602 4180")[...])
    #expect(throws: WireError(.derInvalidString, at: 3)) { try reader.readIA5String() }
  }

  @Test func `every PrintableString character is known`() throws {
    let allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 '()+,-./:=?"
    for byte in UInt8.min ... .max {
      var reader = DERReader([0x13, 0x01, byte])
      #expect((try? reader.readPrintableString()) == (allowed.utf8.contains(byte) ? String(Unicode.Scalar(byte)) : nil))
    }
  }

  @Test func `object identifiers are read`() throws {
    var reader = DERReader(hex("0603551d0f 0600")[...])
    #expect(try reader.readObjectIdentifier() == [2, 5, 29, 15])
    #expect(throws: WireError(.derInvalidObjectIdentifier, at: 5)) { try reader.readObjectIdentifier() }
  }
}
