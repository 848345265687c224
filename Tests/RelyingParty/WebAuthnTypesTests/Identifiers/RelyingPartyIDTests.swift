// SPDX-License-Identifier: Apache-2.0

import Testing
import WebAuthnTypes

@Suite struct RelyingPartyIDTests {
  @Test(arguments: [
    "raxx.app", "localhost", "api.raxx.app", "xn--bcher-kva.example", "a.b.c.d.example", "3com.com", "1.2.3.four",
    String(repeating: "a", count: 63) + ".example",
  ])
  func `lowercase domains are valid`(text: String) throws {
    #expect(try RelyingPartyID(text).text == text)
    #expect(try decode([RelyingPartyID].self, from: "[\"\(text)\"]").first?.description == text)
  }

  @Test(arguments: [
    ("", 0), ("Raxx.app", 0), ("raxx.app.", 9), (".raxx.app", 0), ("raxx..app", 5), ("-raxx.app", 0), ("raxx-.app", 4),
    ("raxx_.app", 4), ("https://raxx.app", 5), ("raxx.app:443", 8), ("raxx.app/", 8), ("bücher.example", 1),
    ("127.0.0.1", 0), ("raxx.123", 0), ("raxx.0x7f", 0), ("[::1]", 0), ("raxx app", 4), ("ra\u{212a}x.app", 2),
    (String(repeating: "a", count: 64) + ".example", 63), (String(repeating: "a.", count: 127), 253),
  ])
  func `invalid RP IDs are rejected`(text: String, offset: Int) {
    #expect(throws: FormatError(.relyingPartyIDInvalid, at: offset)) { try RelyingPartyID(text) }
  }

  @Test func `a decoding error contains the code`() {
    #expect {
      try decode([RelyingPartyID].self, from: #"["Raxx.app"]"#)
    } throws: { error in
      underlyingError(error) == FormatError(.relyingPartyIDInvalid, at: 0)
    }
  }
}
