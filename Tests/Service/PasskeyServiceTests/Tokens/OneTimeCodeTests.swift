// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import Testing

@testable import PasskeyService

struct OneTimeCodeTests {
  @Test func `a code is read in upper and lower case, with and without separators`() throws {
    let code = try OneTimeCode(random: .seeded([7]))
    let text = code.exposedText
    #expect(text.utf8.count == 29)
    #expect(text.split(separator: "-").map(\.count) == [5, 5, 5, 5, 5])
    for typed in [text, text.lowercased(), text.filter { $0 != "-" }, " \(text) "] {
      #expect(OneTimeCode(typed)?.digest == code.digest)
    }
  }

  @Test func `letters that look like digits are read as digits`() {
    let digits = OneTimeCode("01101-10000-00000-00000-00000")
    #expect(digits != nil)
    #expect(OneTimeCode("oIlOi-10000-00000-00000-0000O")?.digest == digits?.digest)
  }

  @Test(arguments: [
    "", "ABCDE", "ABCDE-FGHJK-MNPQR-STVWX-YZ0", "ABCDE-FGHJK-MNPQR-STVWX-YZ0123", "ABCDU-FGHJK-MNPQR-STVWX-YZ012",
    "ABCDÉ-FGHJK-MNPQR-STVWX-YZ012",
  ])
  func `an invalid code is rejected`(text: String) {
    #expect(OneTimeCode(text) == nil)
  }

  @Test func `codes differ and are never printed`() throws {
    let code = try OneTimeCode(random: .system)
    #expect(try OneTimeCode(random: .system).digest != code.digest)
    var dumped = ""
    dump(code, to: &dumped)
    #expect(!"\(code) \(dumped)".contains(code.exposedText))
  }
}
