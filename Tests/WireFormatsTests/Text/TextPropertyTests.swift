// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import WireFormats

/// What holds for every text that stands for bytes, tried on random ones.
@Suite struct TextPropertyTests {
  struct Difference: Error {
    let what: String
    let input: [UInt8]
  }

  @Test func `bytes come back from every form`() throws {
    try PropertyRuns.check { generator in
      let bytes = generator.bytes(Int.random(in: 0...80, using: &generator))
      guard try Base64URL.decode(Base64URL.encode(bytes)) == bytes, try Base64.decode(Base64.encode(bytes)) == bytes,
        try Hex.decode(Hex.encode(bytes)) == bytes
      else { throw Difference(what: "other bytes", input: bytes) }
    }
  }

  @Test func `a text that is accepted is the one way to write its bytes, and no text traps`() throws {
    try PropertyRuns.check { generator in
      let letters = [UInt8](Base64URL.encode(generator.bytes(Int.random(in: 0...40, using: &generator))).utf8)
      try Self.judge(Mutation.mutated(letters, using: &generator))
      try Self.judge(generator.bytes(Int.random(in: 0...24, using: &generator)))
    }
  }

  private static func judge(_ text: [UInt8]) throws {
    do throws(WireError) {
      let bytes = try Base64URL.decode(text[...])
      guard [UInt8](Base64URL.encode(bytes).utf8) == text, try Base64.decodeLeniently(text[...]) == bytes else {
        throw WireError(.base64StrayBits, at: -1)
      }
    } catch {
      guard text.startIndex...text.endIndex ~= error.offset else { throw Difference(what: "\(error)", input: text) }
    }
    if let bytes = try? Hex.decode(text[...]), Hex.encode(bytes).utf8.count != text.count {
      throw Difference(what: "hex of another length", input: text)
    }
    _ = try? PEM.blocks(in: text[...])
  }
}
