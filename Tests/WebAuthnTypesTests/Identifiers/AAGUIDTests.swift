// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import WebAuthnTypes

@Suite struct AAGUIDTests {
  @Test func `only sixteen bytes make one`() {
    #expect(AAGUID(hex("00112233445566778899aabbccddeeff")[...]) != nil)
    #expect(AAGUID(hex("00112233445566778899aabbccddee")[...]) == nil)
    #expect(AAGUID([UInt8](repeating: 0, count: 16)[...]) == .zero)
  }

  @Test func `it is written like a UUID`() {
    let aaguid = AAGUID(hex("00112233445566778899AABBCCDDEEFF")[...])
    #expect(aaguid?.description == "00112233-4455-6677-8899-aabbccddeeff")
  }
}
