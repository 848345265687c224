// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct CBORReaderTests {
  @Test func `reads one item from the front and keeps the rest`() throws {
    let bytes = hex("00 8201 02 f5 ff")
    var reader = CBORReader(bytes, rules: .wellFormed)
    #expect(try reader.readValue().unsigned == 0)
    #expect(try reader.readValue().array.map { try $0.unsigned } == [1, 2])
    #expect(try reader.readValue().bool)
    #expect(reader.rest == [0xff])
    #expect(throws: WireError(.cborTrailingBytes, at: 5)) { try reader.finish() }
  }

  @Test func `a rejected item consumes nothing`() throws {
    var reader = CBORReader(hex("8201"), rules: .wellFormed)
    #expect(throws: WireError(.cborLengthExceedsInput, at: 0)) { try reader.readValue() }
    #expect(reader.rest == [0x82, 0x01])
  }

  @Test func `values are slices of the input`() throws {
    let bytes = hex("ffff a1 6161 43010203")
    let value = try CBORValue(parsing: bytes[2...], rules: .canonical)
    #expect(value.offset == 2)
    #expect(try value.map.require("a").bytes.indices == 6..<9)
  }

  @Test(
    arguments: [
      ("", WireError.Code.cborTruncated, 0),
      ("18", .cborTruncated, 1),
      ("1b00000000000000", .cborTruncated, 8),
      ("1c", .cborReservedHead, 0),
      ("811e", .cborReservedHead, 1),
      ("1f", .cborReservedHead, 0),
      ("df00", .cborReservedHead, 0),
      ("430102", .cborLengthExceedsInput, 0),
      ("5bffffffffffffffff", .cborLengthExceedsInput, 0),
      ("8100 00", .cborTrailingBytes, 2),
      ("82 01", .cborLengthExceedsInput, 0),
      ("83 820101 01", .cborTruncated, 5),
      ("a1 01", .cborLengthExceedsInput, 0),
      ("bbffffffffffffffff", .cborLengthExceedsInput, 0),
      ("ff", .cborUnexpectedBreak, 0),
      ("81ff", .cborUnexpectedBreak, 1),
      ("f800", .cborInvalidSimpleValue, 0),
      ("f81f", .cborInvalidSimpleValue, 0),
      ("a2 01 00 01 00", .cborDuplicateKey, 3),
      ("a3 02 00 01 00 02 00", .cborDuplicateKey, 5),
      ("a2 01 00 1801 00", .cborDuplicateKey, 3),
      ("a2 6161 00 780161 00", .cborDuplicateKey, 4),
      ("a1 80 00", .cborUnsupportedKey, 1),
      ("a1 a0 00", .cborUnsupportedKey, 1),
      ("a1 f93c00 00", .cborUnsupportedKey, 1),
      ("a1 c100 00", .cborUnsupportedKey, 1),
      ("62c328", .cborInvalidUTF8, 1),
      ("9fff", .cborIndefiniteLength, 0),
      ("8101 5f", .cborTrailingBytes, 2),
      ("a1 01 7fff", .cborIndefiniteLength, 2),
    ] as [(String, WireError.Code, Int)])
  func `reports the code and offset of malformed input`(input: String, code: WireError.Code, offset: Int) {
    #expect(throws: WireError(code, at: offset)) { try CBORValue(parsing: hex(input), rules: .wellFormed) }
  }

  @Test(
    arguments: [
      ("1817", WireError.Code.cborNotShortest, 0),
      ("82 01 1900ff", .cborNotShortest, 2),
      ("580100", .cborNotShortest, 0),
      ("a2 02 00 01 00", .cborKeysOutOfOrder, 3),
      ("a2 20 00 01 00", .cborKeysOutOfOrder, 3),
      ("a2 626161 00 6162 00", .cborKeysOutOfOrder, 5),
      ("a2 6162 00 6161 00", .cborKeysOutOfOrder, 4),
      ("c100", .cborTagNotAllowed, 0),
      ("5fff", .cborIndefiniteLength, 0),
    ] as [(String, WireError.Code, Int)])
  func `canonical rules reject non-canonical input`(input: String, code: WireError.Code, offset: Int) throws {
    #expect(throws: WireError(code, at: offset)) { try CBORValue(parsing: hex(input), rules: .canonical) }
    _ = try CBORValue(parsing: hex(input), rules: .general)
  }

  @Test func `accepts sixteen levels and rejects the seventeenth`() throws {
    let sixteen = [UInt8](repeating: 0x81, count: 16)
    _ = try CBORValue(parsing: sixteen + [0x00], rules: .wellFormed)
    #expect(throws: WireError(.cborDepthExceeded, at: 16)) {
      try CBORValue(parsing: sixteen + [0x81, 0x00], rules: .wellFormed)
    }
    #expect(throws: WireError(.cborDepthExceeded, at: 16)) {
      try CBORValue(parsing: [UInt8](repeating: 0xc1, count: 17) + [0x00], rules: .wellFormed)
    }
  }

  @Test func `chunks must be valid definite strings of the same type`() {
    #expect(throws: WireError(.cborInvalidChunk, at: 1)) { try general("5f 6161 ff") }
    #expect(throws: WireError(.cborInvalidChunk, at: 1)) { try general("7f 7fff ff") }
    #expect(throws: WireError(.cborInvalidUTF8, at: 2)) { try general("7f 61c3 61a4 ff") }
    #expect(throws: WireError(.cborTruncated, at: 3)) { try general("5f 4100") }
    #expect(throws: WireError(.cborUnexpectedBreak, at: 2)) { try general("bf 01 ff") }
  }

  @Test func `checks a hundred thousand unsorted keys in subquadratic time`() throws {
    // Descending keys. Comparing all pairs would take 5 · 10⁹ comparisons.
    let count = 100_000
    var bytes = hex("ba 000186a0")
    for number in (0..<count).reversed() {
      bytes += [0x1a] + (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } + [0xf6]
    }
    #expect(try CBORValue(parsing: bytes, rules: .wellFormed).map.count == count)
    bytes.replaceSubrange(5..<10, with: hex("1a 00000007"))
    let lastButSeven = bytes.count - 8 * 6
    #expect(throws: WireError(.cborDuplicateKey, at: lastButSeven)) {
      try CBORValue(parsing: bytes, rules: .wellFormed)
    }
  }

  private func general(_ digits: String) throws -> CBORValue {
    try CBORValue(parsing: hex(digits), rules: .general)
  }
}
