// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import Testing
import WebAuthnTypes

@testable import PasskeyService

struct EmailCodeTests {
  @Test(arguments: ["K7QF-M2XW", "k7qfm2xw", " K7QF M2XW ", "K7QF--M2XW"])
  func `user input is read with or without hyphens and case`(text: String) {
    #expect(EmailCode(text)?.exposedText == "K7QF-M2XW")
  }

  @Test func `letters that look like digits count as those digits`() {
    #expect(EmailCode("OoIiLl23")?.exposedText == "0011-1123")
  }

  @Test(arguments: ["", "K7QF-M2X", "K7QF-M2XWA", "K7QF-M2XU", "K7QF_M2XW", "Ｋ7QF-M2XW"])
  func `other text is no code`(text: String) {
    #expect(EmailCode(text) == nil)
  }

  @Test func `a description does not reveal the code`() throws {
    let code = try #require(EmailCode("K7QF-M2XW"))
    let mailed = MailedCode("K7QF-M2XW", cancellation: "K7QF-M2XW", expiry: ServiceWorld.start)
    var dumped = ""
    dump(code, to: &dumped)
    dump(mailed, to: &dumped)
    for text in ["\(code)", "\(mailed)", String(reflecting: code), String(reflecting: mailed), dumped] {
      #expect(!text.contains("K7QF") && !text.contains("M2XW"))
    }
  }

  @Test func `codes differ by record, purpose and key`() throws {
    let world = try ServiceWorld()
    let email = try EmailAddress("ada@raxx.app")
    var codes: Set<String> = []
    for purpose in EmailCeremony.Purpose.allCases {
      for _ in 0..<2 {
        let (ceremony, _) = try world.service.newVerification(purpose, of: email, for: nil, at: ServiceWorld.start)
        codes.insert(world.service.emailCode(of: ceremony).exposedText)
        codes.insert(world.service.recoveryCode(ceremony.id).exposedText)
        codes.insert(world.service.cancellationCode(ceremony.id).exposedText)
      }
    }
    #expect(codes.count == 3 * 2 * EmailCeremony.Purpose.allCases.count)
  }
}
