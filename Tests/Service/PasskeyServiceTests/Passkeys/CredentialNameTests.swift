// SPDX-License-Identifier: Apache-2.0

import PasskeyServiceTestSupport
import Testing
import WebAuthnTypes

@testable import PasskeyService

struct CredentialNameTests {
  @Test(arguments: [
    (" Ada’s phone ", "Ada’s phone"), ("日本 🔑", "日本 🔑"), ("👩‍💻", "👩‍💻"),
    (String(repeating: "n", count: 64), String(repeating: "n", count: 64)),
  ])
  func `a name is a line of text`(typed: String, kept: String) throws {
    #expect(try Passkey.Name(typed).text == kept)
    #expect(try Passkey.Name(Passkey.Name.unnamed.text) == .unnamed)
  }

  @Test func `a passkey has the name of its provider, or of the device that made it`() throws {
    var record = try Sample.passkey(of: UserHandle(Sample.bytes(16))).record
    let client = AccountSession.ClientSoftware(browser: "Firefox", system: "Linux")
    func name(_ transports: [AuthenticatorTransport], _ client: AccountSession.ClientSoftware?) -> String {
      record.transports = transports
      return Passkey.Name(of: record, .zero, client).text
    }
    #expect(name([.internal], client) == "Firefox, Linux")
    #expect(name([.internal], AccountSession.ClientSoftware(browser: nil, system: "iOS")) == "iOS")
    #expect(name([.internal], nil) == "Passkey" && AccountSession.ClientSoftware(browser: nil, system: nil) == nil)
    // A phone or a key beside the device.
    for transports: [AuthenticatorTransport] in [[.internal, .hybrid], [.usb], []] {
      #expect(name(transports, client) == "Passkey")
    }
    let bitwarden = try #require(AAGUID(uuid: "d548826e-79b4-db40-a3d8-11116f7e8349"))
    #expect(Passkey.Name(of: record, bitwarden, client).text == "Bitwarden")
    for provider in AAGUID.providers.values { #expect(try Passkey.Name(provider).text == provider) }
  }

  @Test(arguments: [
    "", "  \t", "a\nb", "a\u{0}b", "a\u{202e}b", "a\u{2028}b", "\u{feff}a", "a\u{e000}",
    "\u{a0}", "\u{3000}\u{2003}", "\u{200d}", "\u{200c}\u{a0}\u{200c}", "\u{3164}", "\u{115f}",
    String(repeating: "n", count: 65), String(repeating: "e\u{301}\u{302}\u{303}", count: 60),
  ])
  func `an invalid name is refused`(text: String) async {
    await expect(.credentialNameInvalid) { _ = try Passkey.Name(text) }
  }
}
