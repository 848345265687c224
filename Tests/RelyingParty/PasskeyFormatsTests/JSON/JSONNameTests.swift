// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

@testable import PasskeyFormats

@Suite struct JSONNameTests {
  @Test(arguments: [
    ("{\"a\":1,\"a\":1}", 7), ("{\"\":1,\"\":2}", 6), ("{\"a\":1,\"\\u0061\":2}", 7), ("{\"\\u0061\":1,\"a\":2}", 12),
    ("{\"\\u0061\":1,\"\\u0061\":2}", 12), ("{\"/\":1,\"\\/\":2}", 7), ("{\"é\":1,\"\\u00E9\":2}", 8),
    ("{\"\\ud83d\\ude00\":1,\"😀\":2}", 18), ("{\"b\":0,\"a\":[{\"a\":1}],\"c\":{},\"a\":1}", 28),
    ("[{\"a\":1},{\"x\":{\"a\":1,\"a\":2}}]", 21), ("{\"a\":1,\"b\":2,\"b\":3,\"a\":4}", 13),
    ("{\"long enough for words\":1,\"long enough for words\":2}", 27),
  ])
  func `rejects a duplicate name at its second occurrence, regardless of escapes`(text: String, offset: Int) {
    #expect(throws: JSONText.error(.jsonDuplicateName, at: offset)) { try readJSON(text) }
  }

  @Test(arguments: [
    "{\"a\":1,\"A\":2}", "{\"a\":{\"a\":1},\"b\":{\"a\":1}}", "{\"e\\u0301\":1,\"é\":2}", "{\"a\":1,\"a\\u0000\":2}",
    "{\"aaaaaaaaaaaaaaaab\":1,\"aaaaaaaaaaaaaaaac\":2}", "{\"baaaaaaaaaaaaaaaa\":1,\"caaaaaaaaaaaaaaaa\":2}",
  ])
  func `accepts names that differ or are in different objects`(text: String) {
    #expect(throws: Never.self) { try readJSON(text) }
  }

  @Test(arguments: [2, 3, 15, 16, 17, 18, 100, 1000])
  func `reports the first duplicate among few and many members`(count: Int) throws {
    func text(_ names: [String]) -> String { "{" + names.map { "\"\($0)\":[0,{}]" }.joined(separator: ",") + "}" }
    let names = (0..<count).map { "name\($0)" }
    #expect(try readJSON(text(names)).members.map(\.name) == names)

    // The first name again at the end and, earlier, the next to last name with other escapes.
    let twice = text(names + ["\\u006eame\(count - 2)", "name0"])
    let offset = text(names).utf8.count
    #expect(throws: JSONText.error(.jsonDuplicateName, at: offset)) { try readJSON(twice) }
  }

  @Test func `distinguishes names with equal hashes`() throws {
    let collisions = namesWithOneHash()
    try #require(collisions.count >= 40)
    for count in [2, 10, 40] {
      let names = collisions.prefix(count)
      let text = "{" + names.map { "\"\($0)\":0" }.joined(separator: ",") + "}"
      let value = try readJSON(text)
      for (index, member) in try value.members.enumerated() {
        #expect(member.name == names[index])
        #expect(try value[names[index]]?.offset == member.value.offset)
      }
      let twice = text.dropLast() + ",\"\(names[0])\":1}"
      #expect(throws: JSONText.error(.jsonDuplicateName, at: text.utf8.count)) { try readJSON(String(twice)) }
      let escaped =
        text.dropLast() + ",\"\\u00\(Hex.encode(Array(names[1].utf8.prefix(1))))\(names[1].dropFirst())\":1}"
      #expect(throws: JSONText.error(.jsonDuplicateName, at: text.utf8.count)) { try readJSON(String(escaped)) }
    }
  }

  /// Returns names with one hash, found by inverting the hash function.
  private func namesWithOneHash() -> [String] {
    // For eight characters, the hash is the upper 30 bits of ((8 * odd) ^ characters) * odd. The other 34 bits are
    // free.
    let odd: UInt64 = 0x9e37_79b9_7f4a_7c15
    var inverse = odd
    for _ in 0..<5 { inverse = inverse &* (2 &- odd &* inverse) }
    var names: [String] = []
    for free in UInt64(0)..<1_000_000 where names.count < 40 {
      let word = (0x1234_5678 << 34 | free) &* inverse ^ 8 &* odd
      let characters = (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
      let isPlain = characters.allSatisfy {
        (0x20..<0x7f).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
      }
      if isPlain { names.append(String(decoding: characters, as: UTF8.self)) }
    }
    #expect(Set(names.map { JSONString.hash($0.utf8Span.span) }).count == 1)
    return names
  }
}
