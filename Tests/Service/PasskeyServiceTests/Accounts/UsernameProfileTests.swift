// SPDX-License-Identifier: Apache-2.0

import PasskeyServiceTestSupport
import Testing
import WebAuthnTypes

@testable import PasskeyService

/// The names that new accounts may have.
struct UsernameProfileTests {
  @Test(arguments: [
    "adam", "Ada Lovelace", "ada.l_99-b", "O'Brien", "J\u{fc}rgen Stra\u{df}e", "Zo\u{eb}", "x\u{301}", "gal\u{b7}la",
    "\u{e5}sa", "адам", "Ёлка 7", "\u{3a3}ίσυφος", "阿达", "山田taro", "ひらがなカタカナー漢字", "김ada", "金은", "ㄅㄆ中A",
    "עדה", "عادل ٣٤", "अदिति", "আদা ৪", "ஆதம்", "ამ", "Նարե", "አዳ",
  ])
  func `a name of one script, or of a usual mixture, is accepted`(name: String) throws {
    #expect(try UsernameProfile.fault(of: Username(name).text) == nil)
  }

  @Test(arguments: [
    "adam\u{a0}", "ad\u{a0}am", "adam\u{2003}", "adam\u{2800}", "ad\u{3000}am", "ad\u{1680}am", "ad  am",
    "ad\u{200d}am",
    "ad\u{200c}am", "ad\u{ad}am", "adam\u{3164}", "adam\u{115f}", "adam\u{fe0f}", "ad\u{34f}am", "adam\u{180e}",
    "\u{ff41}\u{ff44}\u{ff41}\u{ff4d}", "\u{17f}am", "\u{fb01}n", "\u{2160}", "\u{1d41a}dam", "a\u{2010}b",
    "\u{430}d\u{430}m", "ad\u{430}m", "\u{3b1}dam", "pay\u{3c1}al", "aдам", "アa\u{434}", "ひ한", "㄀ㄅ가", "عa", "1\u{9ea}",
    "\u{1f469}\u{200d}\u{1f680}", "☃", "a\u{301}\u{301}\u{301}", "1\u{301}", "a \u{301}", "ˈa", "ᚠ", "ᏗᎪ",
  ])
  func `a name that can pass for another is refused`(name: String) throws {
    // The service still reads such names: earlier versions gave them.
    let parsed = try? Username(name)
    #expect(parsed.map { UsernameProfile.fault(of: $0.text) != nil } ?? true)
  }

  @Test func `accounts with other names stay usable, and new ones do not get them`() async throws {
    let world = try ServiceWorld {
      $0.identifiers.username = .required
      $0.identifiers.email = .optional
    }
    // An earlier version registered it.
    let name = try Username("ad\u{a0}am")
    let account = Account(
      handle: try UserHandle([UInt8](repeating: 7, count: 32)), names: AccountNames(username: name), state: .active,
      created: ServiceWorld.start)
    let first = try await world.memory.registerAccount(account).passkey
    #expect(
      try await world.service.beginSignIn(.username(name), in: world.at()).allowCredentials.map(\.id)
        == [first.record.id])
    let code = try await world.service.recover(account.handle, by: .console, in: world.at())
    let options = try await world.service.beginRegistration(account.names, code: code, in: world.at())
    let recovered = try await world.service.finishRegistration(Person().create(options), in: world.at())
    #expect(recovered.account.name == name.text)
    for username in ["ad\u{a0}am", "adam\u{2003}", "\u{430}d\u{430}m"] {
      let names = AccountNames(username: try Username(username))
      await expect(.usernameInvalid) { _ = try await world.service.beginRegistration(names, in: world.at()) }
      await expect(.usernameInvalid) { _ = try await world.service.createAccount(names, by: .console, in: world.at()) }
    }
  }
}
