// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import WireFormats

@Suite struct Base64URLTests {
  // RFC 4648 §10, without padding, and the two characters that differ from the standard alphabet.
  static let pairs = [
    (text: "", bytes: ""), (text: "Zg", bytes: "66"), (text: "Zm8", bytes: "666f"), (text: "Zm9v", bytes: "666f6f"),
    (text: "Zm9vYg", bytes: "666f6f62"), (text: "Zm9vYmE", bytes: "666f6f6261"),
    (text: "Zm9vYmFy", bytes: "666f6f626172"), (text: "-_-_", bytes: "fbffbf"), (text: "_w", bytes: "ff"),
  ]

  @Test(arguments: pairs)
  func `text and bytes are turned into one another`(text: String, bytes: String) throws {
    #expect(try Base64URL.decode(text) == hex(bytes))
    #expect(try Base64URL.decode(Array(text.utf8)[...]) == hex(bytes))
    #expect(Base64URL.encode(hex(bytes)) == text)
    #expect(Base64URL.encode(hex(bytes)[...]) == text)
  }

  @Test(arguments: pairs)
  func `bytes are put behind others`(text: String, bytes: String) throws {
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
  func `every other spelling is refused where it departs`(text: String, error: WireError) {
    #expect(throws: error) { try Base64URL.decode(text) }
    #expect(throws: error) { try Base64URL.decode(Array(text.utf8)[...]) }
  }

  @Test func `each of the 256 bytes is refused or accepted, in each place of a group`() {
    let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    for byte in UInt8.min ... .max {
      for place in 0..<8 {
        var text = Array("AAAAAAAA".utf8)
        text[place] = byte
        if alphabet.contains(byte) {
          #expect((try? Base64URL.decode(text[...]))?.count == 6)
        } else {
          #expect(throws: WireError(.base64InvalidCharacter, at: place)) { try Base64URL.decode(text[...]) }
        }
      }
    }
  }

  @Test func `of all texts of two and three characters only those without stray bits are accepted`() {
    let values = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    for (value, character) in values.enumerated() {
      let two = [UInt8(ascii: "A"), character]
      let three = [UInt8(ascii: "A"), UInt8(ascii: "A"), character]
      #expect(((try? Base64URL.decode(two[...])) != nil) == value.isMultiple(of: 16))
      #expect(((try? Base64URL.decode(three[...])) != nil) == value.isMultiple(of: 4))
    }
  }

  @Test func `offsets are those of the whole array, also in a slice of it`() throws {
    let whole = Array("\"Zm9v\",\"Zm9*\"".utf8)
    #expect(try Base64URL.decode(whole[1..<5]) == hex("666f6f"))
    #expect(throws: WireError(.base64InvalidCharacter, at: 11)) { try Base64URL.decode(whole[8..<12]) }
    #expect(throws: WireError(.base64InvalidLength, at: 9)) { try Base64URL.decode(whole[8..<9]) }
  }

  @Test func `random bytes of every length up to 300 come back`() throws {
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

  @Test func `what random text is accepted is written back as it was`() throws {
    let alphabet = Array("AQgw-_9=+ ".utf8)
    var accepted = 0
    try PropertyRuns.check { generator in
      let text = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
        alphabet[Int.random(in: alphabet.indices, using: &generator)]
      }
      guard let bytes = try? Base64URL.decode(text[...]) else { return }
      accepted += 1
      try #require(Array(Base64URL.encode(bytes).utf8) == text)
    }
    #expect(accepted > 1000)
  }

  @Test func `a spoilt text is refused at an offset in it, or is another's only text`() throws {
    try PropertyRuns.check { generator in
      let whole = Base64URL.encode(generator.bytes(Int.random(in: 0...60, using: &generator)))
      let text = Mutation.mutated(Array(whole.utf8), using: &generator)
      let result = Result { () throws(WireError) in try Base64URL.decode(text[...]) }
      switch result {
      case .success(let bytes):
        try #require(Array(Base64URL.encode(bytes).utf8) == text)
        try #require(try Base64.decodeLeniently(text[...]) == bytes)
      case .failure(let error):
        try #require(0...text.count ~= error.offset && error.code.rawValue.hasPrefix("base64."))
      }
    }
  }

  @Test(.enabled(if: AllocationCounter.isCounting, "\(AllocationCounter.absence)"))
  func `decoding allocates no more than the text is long, twice`() throws {
    try PropertyRuns.check { generator in
      let text = Mutation.mutated(
        Array(Base64URL.encode(generator.bytes(Int.random(in: 0...600, using: &generator))).utf8), using: &generator)
      let allocated = AllocationCounter.bytes { try? Base64URL.decode(text[...]) }
      // Once for the quick loop and once for the careful one; the runtime may ask for some at the first use of a type.
      try #require(allocated <= 2 * text.count + 4096, "\(allocated) bytes for \(text.count)")
    }
  }
}
