// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct DERReaderTests {
  @Test func `an element is a slice of the input, with and without its header`() throws {
    let bytes = hex("ffff 0403 010203 05 00")
    var reader = DERReader(bytes[2...])
    let element = try reader.readElement()
    #expect(element.tag == .octetString)
    #expect(element.encoded.indices == 2..<7)
    #expect(element.content.indices == 4..<7)
    #expect(reader.offset == 7)
    #expect(try reader.isNext(.null))
    try reader.readNull()
    #expect(try !reader.isNext(.null))
    try reader.finish()
  }

  @Test(arguments: [
    ("bf1f00", UInt32(31)), ("bf7f00", 127), ("bf810000", 128), ("bf853e00", 702), ("bf8fffffff7f00", .max),
  ])
  func `reads tag numbers from 31 in several octets`(digits: String, number: UInt32) throws {
    var reader = DERReader(hex(digits))
    #expect(try reader.readElement().tag == .contextConstructed(number))
  }

  @Test(arguments: [
    ("", WireError.Code.derTruncated, 0),
    ("04", .derTruncated, 1),
    ("0482 01", .derTruncated, 3),
    ("bf", .derTruncated, 1),
    ("bf85", .derTruncated, 2),
    ("0403 0102", .derLengthExceedsInput, 1),
    ("0484ffffffff", .derLengthExceedsInput, 1),
    // The number fits one octet, has a leading zero, or exceeds 32 bits.
    ("bf1e00", .derInvalidTag, 0),
    ("bf801f00", .derInvalidTag, 0),
    ("bf9080808000 00", .derInvalidTag, 0),
    // Indefinite, reserved, too many octets, a leading zero, and one that fits the short form.
    ("0480", .derInvalidLength, 1),
    ("04ff", .derInvalidLength, 1),
    ("04850000000001ff", .derInvalidLength, 1),
    ("04820001 ff", .derInvalidLength, 1),
    ("048101 ff", .derInvalidLength, 1),
    ("04817f", .derInvalidLength, 1),
  ])
  func `rejects truncated and non-minimal headers`(digits: String, code: WireError.Code, offset: Int) {
    var reader = DERReader(hex(digits))
    #expect(throws: WireError(code, at: offset)) { try reader.readElement() }
    #expect(reader.offset == 0)
  }

  @Test func `reads lengths of one to four octets`() throws {
    for (header, count) in [("047f", 127), ("048180", 128), ("04820100", 256), ("0483010000", 65536)] {
      var reader = DERReader(hex(header) + [UInt8](repeating: 7, count: count))
      #expect(try reader.readOctetString().count == count)
      try reader.finish()
    }
  }

  @Test func `an element with another tag stays unread`() throws {
    var reader = DERReader(hex("0500"))
    #expect(throws: WireError(.derUnexpectedTag, at: 0)) { try reader.read(.integer) }
    #expect(try reader.readOptional(.integer) == nil)
    #expect(try reader.readOptional(.null)?.encoded == [0x05, 0x00])
    #expect(try reader.readOptional(.null) == nil)
  }

  @Test func `a malformed element does not count as absent`() {
    var reader = DERReader(hex("bf1e00"))
    #expect(throws: WireError(.derInvalidTag, at: 0)) { try reader.readOptional(.null) }
  }

  @Test func `parsing rejects trailing bytes`() {
    #expect(throws: WireError(.derTrailingBytes, at: 2)) {
      try DERReader.parse(hex("0500 00")) { (reader) throws(WireError) in try reader.readNull() }
    }
  }

  @Test func `rejects more than sixteen levels`() throws {
    func nested(_ depth: Int) -> [UInt8] {
      (0..<depth).reduce([]) { inside, _ in [0x30, UInt8(inside.count)] + inside }
    }
    func descend(_ reader: inout DERReader) throws(WireError) -> Int {
      guard !reader.isAtEnd else { return 0 }
      return try reader.readSequence { (inside) throws(WireError) in try descend(&inside) + 1 }
    }
    #expect(try DERReader.parse(nested(16), descend) == 16)
    #expect(throws: WireError(.derDepthExceeded, at: 32)) { try DERReader.parse(nested(17), descend) }
  }
}
