// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import Testing
import WebAuthnTypes

@Suite struct RequestOptionsTests {
  private static func options() throws -> RequestOptions {
    RequestOptions(
      challenge: try Challenge([UInt8](0..<16)), timeout: 60_000, relyingPartyID: try RelyingPartyID("raxx.app"),
      allowCredentials: [CredentialDescriptor(id: try CredentialID([7]))], userVerification: .required,
      hints: [.hybrid, .securityKey], extensions: ["prf": ["eval": ["first": "AA"]], "a": [1.5, "x", .null]])
  }

  private static let text = """
    {"challenge":"AAECAwQFBgcICQoLDA0ODw","timeout":60000,"rpId":"raxx.app",\
    "allowCredentials":[{"type":"public-key","id":"Bw"}],"userVerification":"required",\
    "hints":["hybrid","security-key"],"extensions":{"a":[1.5,"x",null],"prf":{"eval":{"first":"AA"}}}}
    """

  @Test func `writes the JSON form of parseRequestOptionsFromJSON`() throws {
    #expect(String(decoding: try Self.options().json, as: UTF8.self) == Self.text)
  }

  @Test func `options survive a round trip through JSON text and a coder`() throws {
    let options = try Self.options()
    #expect(try RequestOptions(json: Self.text.bytes) == options)
    #expect(try decode(RequestOptions.self, from: Self.text) == options)
    #expect(try RequestOptions(json: encode(options)) == options)
  }

  @Test func `only the challenge is required`() throws {
    let options = try RequestOptions(json: #"{"challenge":"AAECAwQFBgcICQoLDA0ODw"}"#.bytes)
    #expect(options == RequestOptions(challenge: try Challenge([UInt8](0..<16)), relyingPartyID: nil))
    #expect(options.userVerification == .preferred)
    #expect(throws: FormatError(.optionsMissingMember, at: 0, member: "challenge")) {
      try RequestOptions(json: "{}".bytes)
    }
  }

  @Test func `a timeout is an unsigned long of Web IDL`() throws {
    func timeout(_ number: String) throws -> UInt32? {
      try RequestOptions(json: #"{"challenge":"AAECAwQFBgcICQoLDA0ODw","timeout":\#(number)}"#.bytes).timeout
    }
    #expect(try timeout("4294967295") == .max)
    #expect(throws: FormatError(.optionsInvalidMember, at: 48, member: "timeout")) { try timeout("4294967296") }
    #expect(
      throws: FormatError(.optionsInvalidMember, WireError(.jsonNumberOutOfRange, at: 48), member: "timeout")
    ) {
      try timeout("0.5")
    }
  }
}
