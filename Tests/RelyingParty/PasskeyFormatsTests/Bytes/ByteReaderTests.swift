// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct ByteReaderTests {
  @Test func `reads consecutive integers as big-endian`() throws {
    var reader = ByteReader(hex("01 0203 04050607 08090a0b0c0d0e0f"))
    #expect(try reader.readByte() == 0x01)
    #expect(try reader.readUInt16() == 0x0203)
    #expect(try reader.readUInt32() == 0x0405_0607)
    #expect(try reader.readUInt64() == 0x0809_0a0b_0c0d_0e0f)
    try reader.finish()
  }

  @Test func `reading past the end reports the end offset and consumes nothing`() {
    var reader = ByteReader(hex("010203"))
    #expect(throws: WireError(.bytesTruncated, at: 3)) { try reader.readUInt32() }
    #expect(reader.offset == 0)
  }

  @Test func `rejects a negative or excessive count`() {
    var reader = ByteReader(hex("0102"))
    #expect(throws: WireError(.bytesTruncated, at: 2)) { try reader.read(-1) }
    #expect(throws: WireError(.bytesTruncated, at: 2)) { try reader.read(.max) }
  }

  @Test func `remaining bytes are an error at the first of them`() throws {
    var reader = ByteReader(hex("0102"))
    _ = try reader.readByte()
    #expect(throws: WireError(.bytesTrailing, at: 1)) { try reader.finish() }
  }

  @Test func `offsets in a slice are indices of the whole array`() throws {
    let whole = hex("00000001")
    var reader = ByteReader(whole[2...])
    #expect(reader.offset == 2)
    #expect(try reader.readUInt16() == 1)
    #expect(throws: WireError(.bytesTruncated, at: 4)) { try reader.readByte() }
  }
}
