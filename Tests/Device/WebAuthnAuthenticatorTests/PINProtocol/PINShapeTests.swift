// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

@testable import WebAuthnAuthenticator

struct PINShapeTests {
  @Test(arguments: [("", 0), ("1234", 4), ("äöü", 3), ("🗝️", 2), ("日本語です", 5), ("a\u{0}b", 3)])
  func `code points are counted, not bytes`(pin: String, count: Int) {
    #expect(PINShape(utf8: [UInt8](pin.utf8)[...])?.codePointCount == count)
  }

  @Test(arguments: ["ff", "c3", "31 32 33 e2 82", "c0 80", "ed a0 80"])
  func `invalid UTF-8 is rejected`(bytes: String) {
    #expect(PINShape(utf8: hex(bytes)[...]) == nil)
  }

  @Test(arguments: ["1111", "1212", "aabb", "1234", "87654321", "abcd", "dcba", "äää", "1", ""])
  func `a common PIN is too simple`(pin: String) {
    #expect(PINShape(utf8: [UInt8](pin.utf8)[...])?.isTooSimple == true)
  }

  @Test(arguments: ["1231", "1357", "a1b2c3d4", "1243", "123123", "geheim"])
  func `another PIN is accepted`(pin: String) {
    #expect(PINShape(utf8: [UInt8](pin.utf8)[...])?.isTooSimple == false)
  }
}
