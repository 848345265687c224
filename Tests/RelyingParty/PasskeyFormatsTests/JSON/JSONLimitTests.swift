// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PasskeyFormats

@Suite struct JSONLimitTests {
  @Test(arguments: [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]")])
  func `accepts 32 levels and rejects the 33rd at its bracket`(open: String, close: String) throws {
    let perRound = open.utf8.count { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }
    let rounds = JSON.maximumDepth / perRound
    let deepest = String(repeating: open, count: rounds) + "0" + String(repeating: close, count: rounds)
    #expect(try readJSON(deepest).offset == JSONText.bytesBefore)
    let tooDeep = String(repeating: open, count: rounds + 1)
    #expect(throws: JSONText.error(.jsonDepthExceeded, at: open.utf8.count * rounds)) { try readJSON(tooDeep) }
  }

  @Test func `rejects a million brackets quickly and without stack overflow`() {
    let brackets = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
    #expect(throws: WireError(.jsonDepthExceeded, at: 32)) { try JSON.parse(brackets, maximumSize: .max) }
  }

  @Test func `depth counts only open brackets`() throws {
    let wide = "[" + Array(repeating: "[[[]]]", count: 1000).joined(separator: ",") + "]"
    #expect(try readJSON(wide).array.reduce(0) { count, _ in count + 1 } == 1000)
  }

  @Test func `the default size limit is 64 KiB, and the caller can change it`() throws {
    let longest = "\"" + String(repeating: "a", count: JSON.maximumMessageSize - 2) + "\""
    #expect(try readJSON(longest).utf8.count == JSON.maximumMessageSize - 2)
    #expect(throws: JSONText.error(.jsonTooLarge, at: JSON.maximumMessageSize)) { try readJSON(longest + " ") }
    #expect(try readJSON(longest + " ", maximumSize: .max).utf8.count == JSON.maximumMessageSize - 2)
    #expect(throws: JSONText.error(.jsonTooLarge, at: 1)) { try readJSON("[]", maximumSize: 1) }
    #expect(throws: JSONText.error(.jsonTooLarge, at: 0)) { try readJSON("[]", maximumSize: -1) }
  }

  @Test(arguments: ["[1,1,1]", "[[],[]]", "[\"\",\"\"]", "[{},{}]", "{\"aaa\":1,\"bbb\":2}"])
  func `the densest texts take six bytes of memory a byte, and three more while growing`(seed: String) throws {
    #expect(MemoryLayout<JSONNode>.stride == 12)
    let text = Array(("[" + Array(repeating: seed, count: 50_000).joined(separator: ",") + "]").utf8)
    let nodes = try JSONParser.parse(text.span)
    #expect(nodes.count <= text.count / 2 + 1)
    #expect(nodes.capacity * 12 <= text.count * 6 + 16_384)
  }

  @Test func `reads hostile texts in subquadratic time`() throws {
    // Quadratic algorithms would take minutes.
    let count = 200_000
    let texts: [String] = [
      "{" + (0..<count).map { "\"\($0)\":0" }.joined(separator: ",") + "}",
      "{" + (0..<count).map { "\"\\u0061\($0)\":0" }.joined(separator: ",") + "}",
      "[" + Array(repeating: "[]", count: count).joined(separator: ",") + "]",
      "{\"a\":{" + (0..<count).map { "\"\($0)\":{\"a\":[{}]}" }.joined(separator: ",") + "}}",
      "\"" + String(repeating: "\\u00e9", count: count) + "\"",
      String(repeating: "9", count: count),
    ]
    for text in texts { _ = try JSON.parse([UInt8](text.utf8), maximumSize: .max) }
  }
}
