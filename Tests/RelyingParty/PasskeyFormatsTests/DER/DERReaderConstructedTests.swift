// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct DERReaderConstructedTests {
  @Test func `an element that a closure leaves unread is an error`() {
    var reader = DERReader(hex("3006 020101 020102"))
    #expect(throws: WireError(.derTrailingBytes, at: 5)) {
      try reader.readSequence { (inside) throws(WireError) in try inside.readInt64() }
    }
  }

  @Test func `an element cannot extend past its sequence`() {
    var reader = DERReader(hex("3003 020201 02"))
    #expect(throws: WireError(.derLengthExceedsInput, at: 3)) {
      try reader.readSequence { (inside) throws(WireError) in try inside.readInt64() }
    }
  }

  @Test func `rejects a primitive sequence`() {
    var reader = DERReader(hex("1000"))
    #expect(throws: WireError(.derUnexpectedTag, at: 0)) { try reader.readSequence { _ in } }
    #expect(throws: WireError(.derUnexpectedTag, at: 0)) { try reader.readElement().readContent { _ in } }
  }

  @Test func `reads a SEQUENCE OF to its end`() throws {
    var reader = DERReader(hex("3006 020102 020101"))
    #expect(try reader.readSequenceOf { (inside) throws(WireError) in try inside.readInt64() } == [2, 1])
  }

  @Test func `accepts a SET in any order and a SET OF only when sorted`() throws {
    let sorted = hex("3106 020101 020102")
    let unsorted = hex("3106 020102 020101")
    for bytes in [sorted, unsorted] {
      let sum = try DERReader.parse(bytes) { (reader) throws(WireError) in
        try reader.readSet { (inside) throws(WireError) in try inside.readInt64() + inside.readInt64() }
      }
      #expect(sum == 3)
    }
    var reader = DERReader(sorted)
    #expect(try reader.readSetOf { (inside) throws(WireError) in try inside.readInt64() } == [1, 2])
    reader = DERReader(unsorted)
    #expect(throws: WireError(.derSetOutOfOrder, at: 5)) {
      try reader.readSetOf { (inside) throws(WireError) in try inside.readInt64() }
    }
  }

  @Test func `reads explicit and implicit tags and skips absent optional ones`() throws {
    // { [0] EXPLICIT INTEGER, [1] IMPLICIT OCTET STRING, [702] EXPLICIT INTEGER }, as in Android's key description.
    let bytes = hex("3010 a003 020105 8102 aabb bf853e03 020100")
    try DERReader.parse(bytes) { (reader) throws(WireError) in
      try reader.readSequence { (inside) throws(WireError) in
        #expect(try inside.readOptionalExplicit(0) { (inside) throws(WireError) in try inside.readInt64() } == 5)
        #expect(try inside.readOptionalExplicit(0) { (inside) throws(WireError) in try inside.readInt64() } == nil)
        #expect(
          try inside.readOptional(.context(1)) { (inside) throws(WireError) in
            try inside.readOctetString(tag: .context(1))
          } == [0xaa, 0xbb])
        #expect(try inside.readExplicit(702) { (inside) throws(WireError) in try inside.readInt64() } == 0)
      }
    }
  }

  @Test func `rejects an explicit tag with two elements`() {
    var reader = DERReader(hex("a006 020105 020106"))
    #expect(throws: WireError(.derTrailingBytes, at: 5)) {
      try reader.readExplicit(0) { (inside) throws(WireError) in try inside.readInt64() }
    }
  }
}
