// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import Testing
import WebAuthnClient

@testable import PasskeyCommands

@Suite struct SessionEndTests {
  @Test func `the text about the end of a session says when it ends without a sign-out`() throws {
    func end(_ members: String) throws -> String {
      let json = #"{"version":1,"server":"https://raxx.app","profile":"raxx"\#(members)}"#
      return try ServerSession(json: [UInt8](json.utf8)[...]).ownEnd
    }
    #expect(try end("") == "will expire")
    #expect(try end(#","expiresAt":4102444800"#) == "expires at 2100-01-01T00:00:00Z at the latest")
    #expect(
      try end(#","expiresAt":4102444800,"refreshToken":"r","refreshExpiresAt":4133980800"#)
        == "expires at 2101-01-01T00:00:00Z at the latest")
    #expect(try end(#","expiresAt":1"#) == "has expired")
  }
}
