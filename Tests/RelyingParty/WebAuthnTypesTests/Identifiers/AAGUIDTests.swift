// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing
import WebAuthnTypes

@Suite struct AAGUIDTests {
  @Test func `an AAGUID has 16 bytes`() {
    #expect(AAGUID(hex("00112233445566778899aabbccddeeff")) != nil)
    #expect(AAGUID(hex("00112233445566778899aabbccddee")) == nil)
    #expect(AAGUID([UInt8](repeating: 0, count: 16)) == .zero)
  }

  @Test func `an AAGUID is described as a UUID`() {
    let aaguid = AAGUID(hex("00112233445566778899AABBCCDDEEFF"))
    #expect(aaguid?.description == "00112233-4455-6677-8899-aabbccddeeff")
  }

  @Test func `UUID text is parsed in either case`() {
    let aaguid = AAGUID(hex("00112233445566778899aabbccddeeff"))
    #expect(AAGUID(uuid: "00112233-4455-6677-8899-aabbccddeeff") == aaguid)
    #expect(AAGUID(uuid: "00112233-4455-6677-8899-AABBCCDDEEFF") == aaguid)
  }

  @Test(arguments: [
    "", "00112233445566778899aabbccddeeff", "0011223-34455-6677-8899-aabbccddeeff",
    "00112233-4455-6677-8899-aabbccddeef",
    "{00112233-4455-6677-8899-aabbccddeeff}", "00112233-4455-6677-8899-aabbccddeefg",
  ])
  func `malformed AAGUID text is rejected`(text: String) {
    #expect(AAGUID(uuid: text) == nil)
  }
}
