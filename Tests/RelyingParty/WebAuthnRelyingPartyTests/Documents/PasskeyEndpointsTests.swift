// SPDX-License-Identifier: Apache-2.0

import Testing
import WebAuthnRelyingParty

@Suite struct PasskeyEndpointsTests {
  @Test func `it is written as credential managers read it`() throws {
    let document = try PasskeyEndpoints(
      enroll: "https://raxx.app/passkeys/new", manage: "https://raxx.app:8443/passkeys?tab=1",
      prfUsageDetails: "https://help.raxx.app/passkeys#prf")
    #expect(
      String(decoding: document.json, as: UTF8.self) == """
        {"enroll":"https://raxx.app/passkeys/new","manage":"https://raxx.app:8443/passkeys?tab=1",\
        "prfUsageDetails":"https://help.raxx.app/passkeys#prf"}
        """)
  }

  @Test func `without URLs it still announces passkeys`() throws {
    #expect(String(decoding: try PasskeyEndpoints().json, as: UTF8.self) == "{}")
  }

  @Test(arguments: [
    "", "/passkeys", "http://raxx.app/passkeys", "https://", "https:///passkeys", "https://Raxx.app/",
    "https://raxx.app:x/",
    "https://u@raxx.app/", "https://raxx.app/a b", "https://raxx.app/\u{e4}", "https://raxx.app/\"",
    "javascript:alert(1)",
  ])
  func `a URL that is not absolute https is refused`(url: String) {
    expectFailure(.documentURLInvalid, step: nil) { try PasskeyEndpoints(manage: url) }
  }
}
