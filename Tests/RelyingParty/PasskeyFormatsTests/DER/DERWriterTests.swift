// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct DERWriterTests {
  private func written(_ body: (inout DERWriter) throws -> Void) throws -> [UInt8] {
    var writer = DERWriter()
    try body(&writer)
    return writer.bytes
  }

  @Test func `writes integers in the fewest octets`() throws {
    for (number, digits) in [
      (Int64(0), "020100"), (127, "02017f"), (128, "02020080"), (-128, "020180"), (-129, "0202ff7f"), (-1, "0201ff"),
      (.max, "02087fffffffffffffff"), (.min, "02088000000000000000"),
    ] {
      #expect(try written { $0.writeInteger(number) } == hex(digits))
    }
    #expect(try written { $0.writeInteger(magnitude: []) } == hex("020100"))
    #expect(try written { $0.writeInteger(magnitude: [0x00, 0x00, 0x80]) } == hex("02020080"))
    #expect(try written { $0.writeInteger(twosComplement: [0xff, 0xff, 0x80]) } == hex("020180"))
    #expect(try written { $0.writeInteger(twosComplement: []) } == hex("020100"))
    #expect(try written { $0.writeEnumerated(2) } == hex("0a0102"))
  }

  @Test func `writes tags and lengths in the fewest octets`() throws {
    #expect(try written { $0.write(.contextConstructed(702), content: []) } == hex("bf853e00"))
    #expect(try written { $0.write(.context(30), content: []) } == hex("9e00"))
    #expect(try written { $0.write(.context(31), content: []) } == hex("9f1f00"))
    #expect(try written { $0.write(.context(.max), content: []) } == hex("9f8fffffff7f00"))
    for (count, header) in [(127, "047f"), (128, "048180"), (256, "04820100"), (65536, "0483010000")] {
      let octets = [UInt8](repeating: 7, count: count)
      #expect(try written { $0.writeOctetString(octets) } == hex(header) + octets)
    }
  }

  @Test func `sorts the elements of a SET OF`() throws {
    #expect(
      try written { $0.writeSetOf([3, 1, 2]) { $0.writeInteger($1) } } == hex("3109 020101 020102 020103"))
  }

  @Test func `constructed elements contain the output of their closure`() throws {
    let bytes = try written {
      $0.writeSequence {
        $0.writeExplicit(0) { $0.writeInteger(2) }
        $0.writeOctetString { $0.writeNull() }
        $0.writeBoolean(true)
        $0.write(encoded: [0x05, 0x00])
      }
    }
    #expect(bytes == hex("300e a003020102 04020500 0101ff 0500"))
  }

  @Test func `a named BIT STRING ends with its last set bit`() throws {
    #expect(try written { $0.writeBitString([0xaa, 0xbb]) } == hex("030300aabb"))
    #expect(try written { $0.writeBitString(named: [0]) } == hex("03020780"))
    #expect(try written { $0.writeBitString(named: [5, 6]) } == hex("03020106"))
    #expect(try written { $0.writeBitString(named: [7, 8]) } == hex("0303070180"))
    #expect(try written { $0.writeBitString(named: []) } == hex("030100"))
  }

  @Test func `rejects text that the string type does not allow`() throws {
    #expect(try written { try $0.writePrintableString("AA") } == hex("13024141"))
    #expect(try written { try $0.writeIA5String("@") } == hex("160140"))
    #expect(try written { $0.writeUTF8String("€") } == hex("0c03e282ac"))
    #expect(throws: WireError(.derInvalidString, at: 1)) { try written { try $0.writePrintableString("A@") } }
    #expect(throws: WireError(.derInvalidString, at: 2)) { try written { try $0.writeIA5String("AA€") } }
  }

  @Test(arguments: [
    ("1949-12-31T23:59:59Z", "180f", "19491231235959Z"),
    ("1950-01-01T00:00:00Z", "170d", "500101000000Z"),
    ("2049-12-31T23:59:59Z", "170d", "491231235959Z"),
    ("2050-01-01T00:00:00Z", "180f", "20500101000000Z"),
  ])
  func `writes UTCTime only from 1950 to 2049`(moment: String, header: String, text: String) throws {
    let moment = try UnixTime(rfc3339: moment)
    #expect(try written { try $0.writeTime(moment) } == hex(header) + Array(text.utf8))
  }

  @Test func `rejects a time outside years 0 to 9999`() {
    let moment = UnixTime(secondsSince1970: .max)
    #expect(throws: WireError(.timeInvalid, at: 0)) { try written { try $0.writeTime(moment) } }
    #expect(throws: WireError(.timeInvalid, at: 0)) { try written { try $0.writeGeneralizedTime(moment) } }
  }
}
