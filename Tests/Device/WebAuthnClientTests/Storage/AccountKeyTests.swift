// SPDX-License-Identifier: Apache-2.0

import Testing
import WebAuthnClient

@Suite struct AccountKeyTests {
  private func key(
    _ user: String?, at server: String = "https://raxx.app", profile: String = "raxx"
  ) throws -> AccountKey {
    AccountKey(server: try ServerAddress(server), profile: profile, user: user)
  }

  @Test func `the name of a file is stable`() throws {
    #expect(try key("ada@raxx.app").fileName == "6e4d08e7514ba49790e0996adc67e782.json")
  }

  @Test(arguments: [
    ("ada@raxx.app", "Ada@RAXX.app"), ("\u{e9}va", "e\u{301}va"), ("\u{c9}VA", "e\u{301}va"),
    ("\u{1e69}", "s\u{307}\u{323}"), ("\u{212b}", "\u{e5}"), ("ΟΔΟΣ", "οδος"), ("οδος", "οδοσ"),
  ])
  func `names that differ in case or normalization have one file`(name: String, other: String) throws {
    #expect(try key(name) == key(other))
    #expect(try key(name).fileName == key(other).fileName)
    #expect(try key(name).isFor(ServerAddress("https://raxx.app"), profile: "raxx", user: other))
  }

  @Test func `other users, servers and profiles have other files`() throws {
    let keys = [
      try key("ada"), try key("ada "), try key("bo"), try key(nil), try key("ada", at: "https://api.raxx.app"),
      try key("ada", profile: "yapt"),
    ]
    #expect(Set(keys).count == keys.count)
    #expect(Set(keys.map(\.fileName)).count == keys.count)
    for key in keys.dropFirst() {
      #expect(try !key.isFor(ServerAddress("https://raxx.app"), profile: "raxx", user: "ada"))
    }
    #expect(try key(nil) == key(""))
  }

  @Test(arguments: [
    "../../etc/passwd", "a/b", "/", ".", "..", "", ".hidden", "a\u{0}b", "new\nline",
    String(repeating: "x", count: 10_000),
    String(repeating: "\u{1f511}", count: 10_000),
  ])
  func `any name of a user makes a short file name without it`(user: String) throws {
    let name = try key(user).fileName
    #expect(name.utf8.count == 37 && name.hasSuffix(".json"))
    #expect(name.dropLast(5).allSatisfy { $0.isHexDigit && !$0.isUppercase })
  }
}
