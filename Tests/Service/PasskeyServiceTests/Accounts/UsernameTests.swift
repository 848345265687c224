// SPDX-License-Identifier: Apache-2.0

import Testing
import WebAuthnTypes

@testable import PasskeyService

struct UsernameTests {
  @Test(arguments: ["ada", "Ada Lovelace", " ada ", "ада", "阿达", "👩‍🚀", "a@b", "x\u{301}"])
  func `a line of visible text is a user name`(text: String) throws {
    #expect(try Username(text).text.utf8.elementsEqual(text == " ada " ? "ada".utf8 : text.utf8))
  }

  @Test(arguments: [
    "", "  ", "\u{200d}", "a\nb", "a\u{0}b", "a\u{202e}b", "a\u{2066}b", "a\u{2028}b", "\u{e000}",
    String(repeating: "a", count: 65), String(repeating: "👩‍👩‍👧‍👦", count: 20),
  ])
  func `other text is rejected`(text: String) async {
    await expect(.usernameInvalid) { _ = try Username(text) }
  }

  @Test(arguments: [
    ("Ada", "ADA"), ("é", "E\u{301}"), ("ΣΊΣΥΦΟΣ", "σίσυφος"), ("Straße", "STRASSE"), ("a\u{200d}b", "AB"),
  ])
  func `names that differ in case, normalization or invisible characters have one key`(
    one: String, other: String
  ) throws {
    #expect(try Username(one).key.utf8.elementsEqual(Username(other).key.utf8))
    #expect(try !Username(one).key.utf8.elementsEqual(Username("b").key.utf8))
  }

  @Test func `a policy decides which kind of name a text is`() async throws {
    var policy = ServicePolicy.Identifiers()
    #expect(try AccountName("Ada@raxx.app", by: policy) == .email(EmailAddress("ada@raxx.app")))
    await expect(.emailInvalid) { [policy] in _ = try AccountName("ada", by: policy) }
    policy.username = .optional
    #expect(try AccountName("ada", by: policy) == .username(Username("ada")))
    #expect(try AccountName("ada@raxx.app", by: policy) == .email(EmailAddress("ada@raxx.app")))
    policy.email = .refused
    #expect(try AccountName("ada@raxx.app", by: policy) == .username(Username("ada@raxx.app")))
    // A user name never has the key of an address.
    #expect(try AccountName("a@b.c", by: policy).key != AccountName.email(EmailAddress("a@b.c")).key)
  }

  @Test func `a handle of sixteen bytes has the text of a UUID`() throws {
    let handle = try UserHandle([UInt8](0..<16))
    #expect(handle.uuid == "00010203-0405-0607-0809-0a0b0c0d0e0f")
    #expect(UserHandle(uuid: "00010203-0405-0607-0809-0A0B0C0D0E0F") == handle)
    #expect(UserHandle(uuid: "00010203") == nil)
    #expect(try UserHandle([1, 2, 3]).uuid == nil)
  }
}
