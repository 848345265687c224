// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct ECDSASignatureTests {
  @Test func `two positive integers survive a round trip`() throws {
    let bytes = hex("3007 02020080 020101")
    let signature = try ECDSASignature(der: bytes)
    #expect(signature.r == [0x80])
    #expect(signature.s == [0x01])
    #expect(signature.der == bytes)
    #expect(ECDSASignature(r: [0x00, 0x80], s: [0x00, 0x00, 0x01]) == signature)
  }

  @Test(arguments: [
    ("3006 020100 020101", WireError.Code.derIntegerOutOfRange, 2),
    ("3006 020101 020100", .derIntegerOutOfRange, 5),
    ("3006 020180 020101", .derIntegerOutOfRange, 2),
    ("3007 02020001 020101", .derInvalidInteger, 2),
    ("3005 0200 020101", .derInvalidInteger, 2),
    ("3006 020101 020101 00", .derTrailingBytes, 8),
    ("3009 020101 020101 020101", .derTrailingBytes, 8),
    ("3003 020101", .derTruncated, 5),
    ("308106 020101 020101", .derInvalidLength, 1),
    ("3106 020101 020101", .derUnexpectedTag, 0),
    ("3080 020101 020101 0000", .derInvalidLength, 1),
    ("", .derTruncated, 0),
  ])
  func `rejects any other form`(digits: String, code: WireError.Code, offset: Int) {
    #expect(throws: WireError(code, at: offset)) { try ECDSASignature(der: hex(digits)) }
  }

  @Test func `rejects zero in a signature`() {
    #expect(ECDSASignature(r: [0x00], s: [0x01]) == nil)
    #expect(ECDSASignature(r: [0x01], s: []) == nil)
  }
}
