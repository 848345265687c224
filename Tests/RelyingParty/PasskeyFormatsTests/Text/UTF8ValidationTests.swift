// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

@testable import PasskeyFormats

@Suite struct UTF8ValidationTests {
  @Test func `accepts empty text, ASCII and sequences of every length`() {
    for text in ["", "a", "passkey", "exactly8", "more than eight", "é", "日本語", "😀", "abcdefg😀abcdefgé日"] {
      #expect(firstInvalidUTF8(in: Array(text.utf8)[...]) == nil, "\(text)")
    }
  }

  @Test(arguments: [
    (row: "c280", last: "dfbf"), (row: "e0a080", last: "e0bfbf"), (row: "e18080", last: "ecbfbf"),
    (row: "ed8080", last: "ed9fbf"), (row: "ee8080", last: "efbfbf"), (row: "f0908080", last: "f0bfbfbf"),
    (row: "f1808080", last: "f3bfbfbf"), (row: "f4808080", last: "f48fbfbf"),
  ])
  func `accepts the first and last sequence of each row of RFC 3629`(row: String, last: String) {
    #expect(firstInvalidUTF8(in: hex(row)[...]) == nil)
    #expect(firstInvalidUTF8(in: hex(last)[...]) == nil)
  }

  @Test(arguments: [
    "80", "bf", "c080", "c1bf", "c2", "c241", "c2c2", "e0", "e080", "e09fbf", "e0a0", "e0a041", "eda080", "edbfbf",
    "ee80", "ee8041", "ef41bf", "f0808080", "f08fbfbf", "f09080", "f0908041", "f0904180", "f4908080", "f5808080",
    "f7bfbfbf", "f888808080", "fe", "ff", "edafbfedbfbf",
  ])
  func `reports the first byte of an invalid sequence at any position`(digits: String) {
    let fault = hex(digits)
    for before in 0..<20 {
      for after in [0, 1, 9] {
        let filled = [UInt8](repeating: 0x61, count: before) + fault + [UInt8](repeating: 0x61, count: after)
        #expect(firstInvalidUTF8(in: filled[...]) == before)
      }
    }
  }

  @Test func `reads only the slice and reports an index of its array`() {
    let whole = hex("ff c3a9 ff")
    #expect(firstInvalidUTF8(in: whole[1..<3]) == nil)
    #expect(firstInvalidUTF8(in: whole[1..<2]) == 1)
    #expect(firstInvalidUTF8(in: whole[1...]) == 3)
  }

  @Test func `agrees with the standard library on random bytes`() {
    var random = SeededGenerator(seed: 3629)
    // Bytes near the row boundaries, so that valid sequences are frequent.
    let alphabet: [UInt8] = [0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xe0, 0xed, 0xef, 0xf0, 0xf4]
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        alphabet[Int.random(in: alphabet.indices, using: &random)]
      }
      let isValid = String(validating: bytes, as: UTF8.self) != nil
      #expect((firstInvalidUTF8(in: bytes[...]) == nil) == isValid)
    }
  }
}
