// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyFormats
import Testing
import WebAuthnTypes

@Suite struct CreationOptionsTests {
  private static func options() throws -> CreationOptions {
    CreationOptions(
      relyingParty: RelyingPartyEntity(id: try RelyingPartyID("raxx.app"), name: "Raxx"),
      user: UserEntity(id: try UserHandle([1]), name: "ada@example.com", displayName: "Ada \"λ\""),
      challenge: try Challenge([UInt8](0..<16)),
      credentialParameters: [CredentialParameters(algorithm: .es256), CredentialParameters(algorithm: .rs256)],
      timeout: 300_000,
      excludeCredentials: [CredentialDescriptor(id: try CredentialID([7]), transports: [.usb, .nfc])],
      authenticatorSelection: AuthenticatorSelection(
        authenticatorAttachment: .platform, residentKey: .required, userVerification: .required),
      hints: [.clientDevice], attestation: .direct, attestationFormats: [.packed, .tpm],
      extensions: ["credProps": true])
  }

  private static let text = """
    {"rp":{"id":"raxx.app","name":"Raxx"},\
    "user":{"id":"AQ","name":"ada@example.com","displayName":"Ada \\"λ\\""},\
    "challenge":"AAECAwQFBgcICQoLDA0ODw",\
    "pubKeyCredParams":[{"type":"public-key","alg":-7},{"type":"public-key","alg":-257}],"timeout":300000,\
    "excludeCredentials":[{"type":"public-key","id":"Bw","transports":["usb","nfc"]}],\
    "authenticatorSelection":{"authenticatorAttachment":"platform","residentKey":"required",\
    "requireResidentKey":true,"userVerification":"required"},\
    "hints":["client-device"],"attestation":"direct","attestationFormats":["packed","tpm"],\
    "extensions":{"credProps":true}}
    """

  private static let least = """
    {"rp":{"name":"Raxx"},"user":{"id":"AQ","name":"a","displayName":""},\
    "challenge":"AAECAwQFBgcICQoLDA0ODw","pubKeyCredParams":[]}
    """

  @Test func `writes the JSON form of parseCreationOptionsFromJSON`() throws {
    #expect(String(decoding: try Self.options().json, as: UTF8.self) == Self.text)
  }

  @Test func `options survive a round trip through JSON text and a coder`() throws {
    let options = try Self.options()
    #expect(try CreationOptions(json: Self.text.bytes) == options)
    #expect(try decode(CreationOptions.self, from: Self.text) == options)
    #expect(try CreationOptions(json: encode(options)) == options)
  }

  @Test func `absent members have the standard's defaults`() throws {
    let options = try CreationOptions(json: Self.least.bytes)
    #expect(try decode(CreationOptions.self, from: Self.least) == options)
    #expect(options.relyingParty.id == nil)
    #expect(options.timeout == nil)
    #expect(options.attestation == .none)
    #expect(options.authenticatorSelection == AuthenticatorSelection())
    #expect(options.authenticatorSelection.residentKey == .discouraged)
    #expect(options.authenticatorSelection.userVerification == .preferred)
    #expect(try CreationOptions(json: options.json[...]) == options)
  }

  @Test func `a coder carries options of any size`() throws {
    var options = try Self.options()
    options.excludeCredentials = try (0..<64).map { (number) in
      CredentialDescriptor(id: try CredentialID([UInt8](repeating: UInt8(number), count: 1_023)))
    }
    #expect(options.json.count > 65_536)
    let encoded = try encode(options)
    #expect(try JSON.parse(encoded, maximumSize: .max).require("excludeCredentials").array.count { _ in true } == 64)
  }

  @Test func `requireResidentKey decides if residentKey is absent or unknown`() throws {
    func residentKey(_ selection: String) throws -> ResidentKeyRequirement {
      let text = Self.least.replacing("{\"rp\"", with: "{\"authenticatorSelection\":\(selection),\"rp\"")
      let options = try CreationOptions(json: text.bytes)
      #expect(try decode(CreationOptions.self, from: text) == options)
      return options.authenticatorSelection.residentKey
    }
    #expect(try residentKey(#"{"requireResidentKey":true}"#) == .required)
    #expect(try residentKey(#"{"requireResidentKey":true,"residentKey":"preferred"}"#) == .preferred)
    #expect(try residentKey("{}") == .discouraged)
    // Unknown values count as absent.
    #expect(try residentKey(#"{"requireResidentKey":true,"residentKey":"perhaps"}"#) == .required)
    #expect(try residentKey(#"{"requireResidentKey":false,"residentKey":"perhaps"}"#).rawValue == "perhaps")
  }

  @Test(arguments: ["", "AAEC"])
  func `options with a short challenge are accepted`(
    _ challenge: String
  ) throws {
    let text = Self.least.replacing("AAECAwQFBgcICQoLDA0ODw", with: challenge)
    let options = try CreationOptions(json: text.bytes)
    #expect(Base64URL.encode(options.challenge.bytes) == challenge)
    #expect(try decode(CreationOptions.self, from: text) == options)
  }

  @Test(arguments: [
    (#""rp":"#, "rp"), (#""user":"#, "user"), (#""challenge":"#, "challenge"),
    (#""pubKeyCredParams":"#, "pubKeyCredParams"),
  ])
  func `a missing required member is reported`(name: String, member: String) {
    let text = Self.least.replacing(name, with: "\"x\":")
    #expect(throws: FormatError(.optionsMissingMember, at: 0, member: member)) {
      try CreationOptions(json: text.bytes)
    }
    #expect {
      try decode(CreationOptions.self, from: text)
    } throws: { error in
      underlyingError(error) == FormatError(.optionsMissingMember, at: 0, member: member)
    }
  }

  @Test(arguments: [
    (#""displayName":"""#, #""x":"""#, FormatError(.optionsMissingMember, at: 29, member: "user.displayName")),
    (#""id":"AQ""#, #""id":"""#, FormatError(.userHandleInvalidLength, at: 35, member: "user.id")),
    (#"{"name":"Raxx"}"#, #"{"id":"R","name":""}"#, FormatError(.relyingPartyIDInvalid, at: 12, member: "rp.id")),
    ("[]", "[7]", FormatError(.optionsInvalidMember, WireError(.jsonWrongType, at: 126), member: "pubKeyCredParams")),
    ("[]", "[],\"timeout\":-1", FormatError(.optionsInvalidMember, at: 138, member: "timeout")),
    ("[]", "[{\"type\":\"x\"}]", FormatError(.optionsMissingMember, at: 126, member: "pubKeyCredParams.alg")),
  ])
  func `an invalid member is rejected at its offset`(valid: String, bad: String, error: FormatError) {
    let text = Self.least.replacing(valid, with: bad)
    #expect(throws: error) { try CreationOptions(json: text.bytes) }
    #expect(throws: DecodingError.self) { try decode(CreationOptions.self, from: text) }
  }

  @Test func `text that is not a JSON object is rejected`() {
    #expect(throws: FormatError(.optionsMalformed, WireError(.jsonWrongType, at: 0))) {
      try CreationOptions(json: "1".bytes)
    }
  }
}
