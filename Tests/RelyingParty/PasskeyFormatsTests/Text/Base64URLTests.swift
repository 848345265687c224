// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct Base64URLTests {
  // RFC 4648 §10 without padding, and the two characters that differ from the standard alphabet.
  static let pairs = [
    (text: "", bytes: ""), (text: "Zg", bytes: "66"), (text: "Zm8", bytes: "666f"), (text: "Zm9v", bytes: "666f6f"),
    (text: "Zm9vYg", bytes: "666f6f62"), (text: "Zm9vYmE", bytes: "666f6f6261"),
    (text: "Zm9vYmFy", bytes: "666f6f626172"), (text: "-_-_", bytes: "fbffbf"), (text: "_w", bytes: "ff"),
  ]

  @Test(arguments: pairs)
  func `converts between text and bytes`(text: String, bytes: String) throws {
    #expect(try Base64URL.decode(text) == hex(bytes))
    #expect(try Base64URL.decode(Array(text.utf8)) == hex(bytes))
    #expect(Base64URL.encode(hex(bytes)) == text)
    #expect(Base64URL.encode(hex(bytes)) == text)
  }

  @Test(arguments: pairs)
  func `appends decoded bytes`(text: String, bytes: String) throws {
    var output: [UInt8] = [0xaa, 0xbb]
    let isDecoded = Base64URL.decode(text.utf8Span.span, onto: &output)
    #expect(isDecoded)
    #expect(output == [0xaa, 0xbb] + hex(bytes))
    let padded = text + "="
    let isPaddedDecoded = Base64URL.decode(padded.utf8Span.span, onto: &output)
    #expect(!isPaddedDecoded)
  }

  @Test(arguments: [
    ("Zg==", WireError(.base64InvalidCharacter, at: 2)), ("Zm8=", WireError(.base64InvalidCharacter, at: 3)),
    ("Zm9v=", WireError(.base64InvalidCharacter, at: 4)), ("=", WireError(.base64InvalidCharacter, at: 0)),
    ("ab+/", WireError(.base64InvalidCharacter, at: 2)), ("ab/_", WireError(.base64InvalidCharacter, at: 2)),
    (" Zm9v", WireError(.base64InvalidCharacter, at: 0)), ("Zm\n9v", WireError(.base64InvalidCharacter, at: 2)),
    ("Zm9vé", WireError(.base64InvalidCharacter, at: 4)), ("Zm9v\0", WireError(.base64InvalidCharacter, at: 4)),
    ("Z", WireError(.base64InvalidLength, at: 1)), ("Zm9vY", WireError(.base64InvalidLength, at: 5)),
    ("Zh", WireError(.base64StrayBits, at: 1)), ("Zm9", WireError(.base64StrayBits, at: 2)),
    ("Zm9vYmF", WireError(.base64StrayBits, at: 6)), ("Zx", WireError(.base64StrayBits, at: 1)),
  ])
  func `rejects other spellings at the offset of the error`(text: String, error: WireError) {
    #expect(throws: error) { try Base64URL.decode(text) }
    #expect(throws: error) { try Base64URL.decode(Array(text.utf8)) }
  }

  @Test func `accepts exactly the alphabet at each position of a group`() {
    let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    for byte in UInt8.min ... .max {
      for place in 0..<8 {
        var text = Array("AAAAAAAA".utf8)
        text[place] = byte
        if alphabet.contains(byte) {
          #expect((try? Base64URL.decode(text))?.count == 6)
        } else {
          #expect(throws: WireError(.base64InvalidCharacter, at: place)) { try Base64URL.decode(text) }
        }
      }
    }
  }

  @Test func `accepts two and three characters only without stray bits`() {
    let values = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    for (value, character) in values.enumerated() {
      let two = [UInt8(ascii: "A"), character]
      let three = [UInt8(ascii: "A"), UInt8(ascii: "A"), character]
      #expect(((try? Base64URL.decode(two)) != nil) == value.isMultiple(of: 16))
      #expect(((try? Base64URL.decode(three)) != nil) == value.isMultiple(of: 4))
    }
  }

  @Test func `offsets in a slice are indices of the whole array`() throws {
    let whole = Array("\"Zm9v\",\"Zm9*\"".utf8)
    #expect(try Base64URL.decode(whole[1..<5]) == hex("666f6f"))
    #expect(throws: WireError(.base64InvalidCharacter, at: 11)) { try Base64URL.decode(whole[8..<12]) }
    #expect(throws: WireError(.base64InvalidLength, at: 9)) { try Base64URL.decode(whole[8..<9]) }
  }

  @Test func `random bytes up to length 300 survive a round trip`() throws {
    var random = SeededGenerator(seed: 4648)
    for count in 0...300 {
      let bytes = random.bytes(count)
      let text = Base64URL.encode(bytes)
      #expect(text.utf8.count == (count * 4 + 2) / 3)
      #expect(try Base64URL.decode(text) == bytes)
      let whole = [0, 0] + Array(text.utf8) + [0]
      #expect(try Base64URL.decode(whole[2..<whole.count - 1]) == bytes)
    }
  }

  @Test func `accepted random text is written back unchanged`() throws {
    let alphabet = Array("AQgw-_9=+ ".utf8)
    var accepted = 0
    try PropertyRuns.check { generator in
      let text = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
        alphabet[Int.random(in: alphabet.indices, using: &generator)]
      }
      guard let bytes = try? Base64URL.decode(text) else { return }
      accepted += 1
      try #require(Array(Base64URL.encode(bytes).utf8) == text)
    }
    #expect(accepted > 1000)
  }

  @Test func `a mutated text is rejected at an offset in it, or is the only encoding of other bytes`() throws {
    try PropertyRuns.check { generator in
      let whole = Base64URL.encode(generator.bytes(Int.random(in: 0...60, using: &generator)))
      let text = Mutation.mutated(Array(whole.utf8), using: &generator)
      let result = Result { () throws(WireError) in try Base64URL.decode(text) }
      switch result {
      case .success(let bytes):
        try #require(Array(Base64URL.encode(bytes).utf8) == text)
        try #require(try Base64.decodeLeniently(text) == bytes)
      case .failure(let error):
        try #require(0...text.count ~= error.offset && error.code.rawValue.hasPrefix("base64."))
      }
    }
  }

  @Test(.enabled(if: AllocationCounter.isCounting, "\(AllocationCounter.absence)"))
  func `decoding allocates at most twice the length of the text`() throws {
    try PropertyRuns.check { generator in
      let text = Mutation.mutated(
        Array(Base64URL.encode(generator.bytes(Int.random(in: 0...600, using: &generator))).utf8), using: &generator)
      let allocated = AllocationCounter.bytes { try? Base64URL.decode(text) }
      // Once in the fast path and once in the slow path. The Swift runtime may allocate on the first use of a type.
      try #require(allocated <= 2 * text.count + 4096, "\(allocated) bytes for \(text.count)")
    }
  }
}
