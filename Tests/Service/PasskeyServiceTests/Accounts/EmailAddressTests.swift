// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PasskeyService

struct EmailAddressTests {
  @Test(arguments: [
    ("ada@raxx.app", "ada@raxx.app"),
    ("  Ada.Lovelace+Raxx@RAXX.App\r\n", "ada.lovelace+raxx@raxx.app"),
    ("o'hara_1@xn--bcher-kva.example", "o'hara_1@xn--bcher-kva.example"),
    ("a@localhost", "a@localhost"),
    ("!#$%&'*+-/=?^_`{|}~@x.y", "!#$%&'*+-/=?^_`{|}~@x.y"),
    (String(repeating: "a", count: 64) + "@x.y", String(repeating: "a", count: 64) + "@x.y"),
  ])
  func `an address has one canonical form`(typed: String, kept: String) throws {
    let address = try EmailAddress(typed)
    #expect(address.text == kept)
    #expect(try EmailAddress(address.text) == address)
    #expect("\(address)" == kept)
  }

  @Test(arguments: [
    "", "@", "ada", "ada@", "@raxx.app", "a da@raxx.app", "ada@raxx app", "ada@@raxx.app", ".ada@raxx.app",
    "ada.@raxx.app", "a..da@raxx.app", "\"ada\"@raxx.app", "ada(x)@raxx.app", "ada@raxx.app.", "ada@-raxx.app",
    "ada@ra_xx.app", "ada@192.0.2.1", "ada@[192.0.2.1]", "ada@bücher.example", "adä@raxx.app", "ada\u{0}@raxx.app",
    "ada\n@raxx.app", "<ada@raxx.app>", "ada@raxx.app,ben@raxx.app", "аda@raxx.app",
    String(repeating: "a", count: 65) + "@x.y", "a@" + String(repeating: "a.", count: 130) + "a",
  ])
  func `an invalid address is refused`(text: String) async {
    await expect(.emailInvalid) { _ = try EmailAddress(text) }
  }
}
