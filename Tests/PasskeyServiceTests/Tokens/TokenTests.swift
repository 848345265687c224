// SPDX-License-Identifier: Apache-2.0

import SystemCrypto
import Testing
import WireFormats

@testable import PasskeyService

struct TokenTests {
  @Test func `a token is read as it was shown, and only its hash is kept`() throws {
    let token = try Token(random: .seeded([1]))
    let read = try #require(Token(token.exposedText))
    #expect(read.exposedText == token.exposedText)
    #expect(read.digest == token.digest)
    #expect(token.digest.bytes == Digest.sha256(try Base64URL.decode(token.exposedText)[...]))
    #expect(token.exposedText.utf8.count == 43)
  }

  @Test func `no token is printed`() throws {
    let token = try Token(random: .system)
    var dumped = ""
    dump(token, to: &dumped)
    #expect(!"\(token) \(dumped)".contains(token.exposedText))
  }

  @Test(arguments: ["", "abc", String(repeating: "A", count: 42), String(repeating: "A", count: 44), "\u{0}"])
  func `what has not the form of a token is none`(text: String) {
    #expect(Token(text) == nil)
  }

  @Test func `an identifier is read as it was written`() throws {
    let id: SessionID = try RandomSource.system.draw(SessionID.self)
    #expect(SessionID("\(id)") == id)
    #expect(SessionID("\(id)A") == nil)
    #expect(SessionID("!") == nil)
    #expect(DeviceID([1, 2, 3][...]) == nil)
  }
}
