// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import Testing

@testable import PasskeyService

struct TokenTests {
  private let now = UnixTime(secondsSince1970: 1_800_000_000)

  @Test func `a token is parsed from its text, and only its hash is stored`() throws {
    let token = try Token(at: now, random: .seeded([1]))
    let read = try #require(Token(token.exposedText))
    #expect(read.exposedText == token.exposedText)
    #expect(read.digest == token.digest)
    let hash = Digest.sha256(try Base64URL.decode(token.exposedText))
    #expect(token.digest.bytes.dropFirst(6) == hash.dropFirst(6))
    #expect(token.exposedText.utf8.count == 43)
  }

  @Test func `a token's stored id begins with its time and contains none of its random bytes`() throws {
    let token = try Token(at: now, random: .system)
    let secret = try Base64URL.decode(token.exposedText)
    #expect(token.digest.bytes.prefix(4) == [0x6b, 0x49, 0xd2, 0x00])
    #expect(token.digest.bytes.prefix(6) == secret.prefix(6))
    #expect(token.digest.bytes[6...] != secret[6...])
    #expect(TokenDigest(of: secret[...]).bytes == Digest.sha256(secret))
  }

  @Test func `a newer id sorts after an older one`() throws {
    var former = (
      try Token(at: now, random: .system).digest.bytes, try AccountSessionID(at: now, random: .system).bytes
    )
    for second in 1...20 {
      let time = now + .seconds(second)
      let next = (
        try Token(at: time, random: .system).digest.bytes, try AccountSessionID(at: time, random: .system).bytes
      )
      #expect(former.0.lexicographicallyPrecedes(next.0))
      #expect(former.1.lexicographicallyPrecedes(next.1))
      former = next
    }
  }

  @Test func `tokens of the same time differ in their random part`() throws {
    let tokens = try (0..<1000).map { (_) in try Token(at: now, random: .system) }
    #expect(Set(tokens.map(\.digest)).count == 1000)
    #expect(Set(tokens.map { (token) in token.exposedText.suffix(34) }).count == 1000)
  }

  @Test func `a token is never printed`() throws {
    let token = try Token(at: now, random: .system)
    var dumped = ""
    dump(token, to: &dumped)
    #expect(!"\(token) \(dumped)".contains(token.exposedText))
  }

  @Test(arguments: ["", "abc", String(repeating: "A", count: 42), String(repeating: "A", count: 44), "\u{0}"])
  func `a malformed token is rejected`(text: String) {
    #expect(Token(text) == nil)
  }

  @Test func `an identifier survives a round trip`() throws {
    let id: AccountSessionID = try RandomSource.system.draw(AccountSessionID.self)
    #expect(AccountSessionID("\(id)") == id)
    #expect(AccountSessionID("\(id)A") == nil)
    #expect(AccountSessionID("!") == nil)
    #expect(Device.ID([1, 2, 3]) == nil)
  }
}
