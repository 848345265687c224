// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PasskeyService

struct CredentialNameTests {
  @Test(arguments: [
    (" Ada’s phone ", "Ada’s phone"), ("日本 🔑", "日本 🔑"), ("👩‍💻", "👩‍💻"),
    (String(repeating: "n", count: 64), String(repeating: "n", count: 64)),
  ])
  func `a name is a line of text`(typed: String, kept: String) throws {
    #expect(try CredentialName(typed).text == kept)
    #expect(try CredentialName(CredentialName.unnamed.text) == .unnamed)
  }

  @Test(arguments: [
    "", "  \t", "a\nb", "a\u{0}b", "a\u{202e}b", "a\u{2028}b", "\u{feff}a", "a\u{e000}",
    "\u{a0}", "\u{3000}\u{2003}", "\u{200d}", "\u{200c}\u{a0}\u{200c}", "\u{3164}", "\u{115f}",
    String(repeating: "n", count: 65), String(repeating: "e\u{301}\u{302}\u{303}", count: 60),
  ])
  func `an invalid name is refused`(text: String) async {
    await expect(.credentialNameInvalid) { _ = try CredentialName(text) }
  }
}
