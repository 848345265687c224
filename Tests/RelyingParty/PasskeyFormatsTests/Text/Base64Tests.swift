// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct Base64Tests {
  // RFC 4648 §10.
  @Test(arguments: [
    (text: "", bytes: ""), (text: "Zg==", bytes: "66"), (text: "Zm8=", bytes: "666f"), (text: "Zm9v", bytes: "666f6f"),
    (text: "Zm9vYg==", bytes: "666f6f62"), (text: "Zm9vYmE=", bytes: "666f6f6261"),
    (text: "Zm9vYmFy", bytes: "666f6f626172"), (text: "+/+/", bytes: "fbffbf"),
  ])
  func `converts between text and bytes`(text: String, bytes: String) throws {
    #expect(try Base64.decode(text) == hex(bytes))
    #expect(try Base64.decode(Array(text.utf8)) == hex(bytes))
    #expect(Base64.encode(hex(bytes)) == text)
    #expect(Base64.encode(hex(bytes)) == text)
    #expect(try Base64.decodeLeniently(text) == hex(bytes))
  }

  @Test(arguments: [
    ("Zg", WireError(.base64InvalidLength, at: 2)), ("Zg=", WireError(.base64InvalidLength, at: 3)),
    ("Zm8", WireError(.base64InvalidLength, at: 3)), ("Zm9vY", WireError(.base64InvalidLength, at: 5)),
    ("=", WireError(.base64InvalidCharacter, at: 0)), ("====", WireError(.base64InvalidCharacter, at: 0)),
    ("Z===", WireError(.base64InvalidCharacter, at: 1)), ("Zg=A", WireError(.base64InvalidCharacter, at: 3)),
    ("Zg==Zg==", WireError(.base64InvalidCharacter, at: 4)), ("Zg===", WireError(.base64InvalidCharacter, at: 4)),
    ("Zm9v====", WireError(.base64InvalidCharacter, at: 4)), ("Zm8==", WireError(.base64InvalidCharacter, at: 4)),
    ("-_-_", WireError(.base64InvalidCharacter, at: 0)), ("Zm9v\nZm9v", WireError(.base64InvalidCharacter, at: 4)),
    ("Zh==", WireError(.base64StrayBits, at: 1)), ("Zm9=", WireError(.base64StrayBits, at: 2)),
  ])
  func `rejects other spellings at the offset of the error`(text: String, error: WireError) {
    #expect(throws: error) { try Base64.decode(text) }
  }

  @Test(arguments: [
    "+/+/Zg==", "-_-_Zg", "+_-/Zg==", "-_-_Zg==", "+/+/Zg", "+/+/\r\nZg==\r\n", " +/\t+/ Z g = = ", "\n+/+/Zg",
  ])
  func `the lenient form accepts both alphabets, white space and optional padding`(text: String) throws {
    #expect(try Base64.decodeLeniently(text) == hex("fbffbf66"))
    #expect(try Base64.decodeLeniently(Array(text.utf8)) == hex("fbffbf66"))
  }

  @Test(arguments: [
    ("Zg=", WireError(.base64InvalidLength, at: 3)), ("Z", WireError(.base64InvalidLength, at: 1)),
    ("Z\n", WireError(.base64InvalidLength, at: 2)), ("Z===", WireError(.base64InvalidCharacter, at: 1)),
    ("Zg==\nZg==", WireError(.base64InvalidCharacter, at: 5)), ("Zm9v=", WireError(.base64InvalidCharacter, at: 4)),
    ("Zm9v,", WireError(.base64InvalidCharacter, at: 4)), ("Z h\n", WireError(.base64StrayBits, at: 2)),
  ])
  func `the lenient form rejects malformed text`(text: String, error: WireError) {
    #expect(throws: error) { try Base64.decodeLeniently(text) }
  }

  @Test func `random bytes up to length 100 survive a round trip in both decoders`() throws {
    var random = SeededGenerator(seed: 1421)
    for count in 0...100 {
      let bytes = random.bytes(count)
      let text = Base64.encode(bytes)
      #expect(text.utf8.count == (count + 2) / 3 * 4)
      #expect(try Base64.decode(text) == bytes)
      #expect(try Base64.decodeLeniently(text) == bytes)
      #expect(try Base64.decodeLeniently(Base64URL.encode(bytes)) == bytes)
    }
  }
}
