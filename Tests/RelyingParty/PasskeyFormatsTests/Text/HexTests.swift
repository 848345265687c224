// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct HexTests {
  @Test func `decodes digits of either case and encodes in lower case`() throws {
    #expect(try Hex.decode("0123456789abcdefABCDEF") == hex("0123456789abcdefabcdef"))
    #expect(try Hex.decode("") == [])
    #expect(Hex.encode(hex("0123456789ABCDEF")) == "0123456789abcdef")
    #expect(Hex.encode([]) == "")
  }

  @Test(arguments: [
    ("0", WireError(.hexOddLength, at: 1)), ("0011223", WireError(.hexOddLength, at: 7)),
    ("0g", WireError(.hexInvalidCharacter, at: 1)), ("g", WireError(.hexInvalidCharacter, at: 0)),
    ("00 11", WireError(.hexInvalidCharacter, at: 2)), ("0x00", WireError(.hexInvalidCharacter, at: 1)),
    ("00\n", WireError(.hexInvalidCharacter, at: 2)), ("00é", WireError(.hexInvalidCharacter, at: 2)),
  ])
  func `rejects malformed text at the offset of the error`(text: String, error: WireError) {
    #expect(throws: error) { try Hex.decode(text) }
    let whole = [0x30] + Array(text.utf8)
    #expect(throws: WireError(error.code, at: error.offset + 1)) { try Hex.decode(whole[1...]) }
  }

  @Test func `accepts only the 22 hexadecimal digits`() {
    let digits = Set("0123456789abcdefABCDEF".utf8)
    for byte in UInt8.min ... .max {
      let text = [UInt8(ascii: "0"), byte]
      #expect(((try? Hex.decode(text)) != nil) == digits.contains(byte))
    }
  }

  @Test func `random bytes survive a round trip`() throws {
    var random = SeededGenerator(seed: 16)
    for count in 0...64 {
      let bytes = random.bytes(count)
      #expect(try Hex.decode(Hex.encode(bytes)) == bytes)
    }
  }
}
