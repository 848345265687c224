// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct SubjectPublicKeyInfoTests {
  @Test func `reads algorithm, parameters and key`() throws {
    let bytes = hex("3019 3013 06072a8648ce3d0201 06082a8648ce3d030107 0302 0004")
    let information = try SubjectPublicKeyInfo(der: bytes)
    #expect(information.algorithm.algorithm == [1, 2, 840, 10045, 2, 1])
    #expect(information.algorithm.parameters?.encoded == hex("06082a8648ce3d030107")[...])
    #expect(information.key == [0x04])
    #expect(information.encoded == bytes[...])
    #expect(information.algorithm.encoded == bytes[2..<23])
  }

  @Test func `an algorithm may lack parameters`() throws {
    let information = try SubjectPublicKeyInfo(der: hex("300a 3005 06032b6570 030100"))
    #expect(information.algorithm.algorithm == [1, 3, 101, 112])
    #expect(information.algorithm.parameters == nil)
    #expect(information.key.isEmpty)
  }

  @Test(arguments: [
    ("300b 3005 06032b6570 03020780", WireError.Code.derInvalidBitString, 9),
    ("300a 3005 06032b6570 030100 00", .derTrailingBytes, 12),
    ("300c 3005 06032b6570 030100 0500", .derTrailingBytes, 12),
    ("300e 3009 06032b6570 0500 0500 030100", .derTrailingBytes, 11),
    ("3000", .derTruncated, 2),
  ])
  func `rejects malformed keys`(digits: String, code: WireError.Code, offset: Int) {
    #expect(throws: WireError(code, at: offset)) { try SubjectPublicKeyInfo(der: hex(digits)) }
  }
}
