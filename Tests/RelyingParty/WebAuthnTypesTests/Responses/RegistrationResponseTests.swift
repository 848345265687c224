// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyFormats
import Testing
import WebAuthnTypes

@Suite struct RegistrationResponseTests {
  private static let text = """
    {"id":"AQID","rawId":"AQID","type":"public-key","authenticatorAttachment":"platform","response":\
    {"clientDataJSON":"e30","authenticatorData":"_w","transports":["internal","pigeon"],"publicKey":"MA",\
    "publicKeyAlgorithm":-7,"attestationObject":"oA"},"clientExtensionResults":{"credProps":{"rk":true}}}
    """

  @Test func `reads every member`() throws {
    let response = try RegistrationResponse(json: Self.text.bytes)
    #expect(response.id.bytes == [1, 2, 3])
    #expect(response.type == .publicKey)
    #expect(response.authenticatorAttachment == .platform)
    #expect(response.clientDataJSON == "{}".bytes)
    #expect(response.attestationObject == [0xa0])
    #expect(response.transports == [.internal, AuthenticatorTransport(rawValue: "pigeon")])
    #expect(response.clientExtensionResults["credProps"]?["rk"]?.bool == true)
    #expect(response.copies.authenticatorData == [0xff])
    #expect(response.copies.publicKey == [0x30])
    #expect(response.copies.publicKeyAlgorithm == .es256)
  }

  @Test func `writes the browser's JSON form`() throws {
    let response = try RegistrationResponse(json: Self.text.bytes)
    #expect(String(decoding: response.json, as: UTF8.self) == Self.text)
  }

  @Test func `a coder reads and writes the same value`() throws {
    let response = try RegistrationResponse(json: Self.text.bytes)
    #expect(try decode(RegistrationResponse.self, from: Self.text) == response)
    #expect(try RegistrationResponse(json: encode(response)) == response)
  }

  @Test func `members that older browsers omit are optional`() throws {
    let text = """
      {"id":"AQID","rawId":"AQID","type":"public-key","authenticatorAttachment":null,\
      "response":{"clientDataJSON":"e30","attestationObject":"oA","publicKey":null}}
      """
    let response = try RegistrationResponse(json: text.bytes)
    #expect(try decode(RegistrationResponse.self, from: text) == response)
    #expect(response.transports.isEmpty && response.clientExtensionResults.isEmpty)
    #expect(response.copies == RegistrationResponse.Copies())
  }

  @Test(arguments: [
    ("\"id\"", "id"), ("\"rawId\"", "rawId"), ("\"type\"", "type"), ("\"response\"", "response"),
    ("\"clientDataJSON\"", "response.clientDataJSON"), ("\"attestationObject\"", "response.attestationObject"),
  ])
  func `a response without a required member is rejected`(name: String, member: String) {
    let text = Self.text.replacing(name, with: "\"x\"")
    let offset = member.hasPrefix("response.") ? 96 : 0
    let expected = FormatError(.registrationResponseMissingMember, at: offset, member: member)
    #expect(throws: expected) { try RegistrationResponse(json: text.bytes) }
    #expect {
      try decode(RegistrationResponse.self, from: text)
    } throws: { error in
      underlyingError(error) == FormatError(expected.code, at: 0, member: member)
    }
  }

  @Test(arguments: [
    (#""rawId":"AQID""#, #""rawId":"AQIE""#, FormatError.Code.registrationResponseIDMismatch, "id", 6),
    (#""id":"AQID""#, #""id":"AQID=""#, .registrationResponseIDMismatch, "id", 6),
    (#""public-key""#, #""password""#, .registrationResponseUnknownType, "type", 35),
    (#""AQID""#, #""""#, .credentialIDInvalidLength, "rawId", 17),
  ])
  func `contradictory members are rejected`(
    valid: String, bad: String, code: FormatError.Code, member: String, offset: Int
  ) {
    let text = Self.text.replacing(valid, with: bad)
    #expect(throws: FormatError(code, at: offset, member: member)) { try RegistrationResponse(json: text.bytes) }
    #expect {
      try decode(RegistrationResponse.self, from: text)
    } throws: { error in
      underlyingError(error) == FormatError(code, at: 0, member: member)
    }
  }

  @Test(arguments: [
    (#""oA""#, #""oB""#, "response.attestationObject", WireError.Code.base64StrayBits),
    (#""e30""#, #""e30=""#, "response.clientDataJSON", .base64InvalidCharacter),
    (#""e30""#, "[]", "response.clientDataJSON", .jsonWrongType),
    (#"["internal","pigeon"]"#, #"["usb",1]"#, "response.transports", .jsonWrongType),
    (#"{"credProps":{"rk":true}}"#, "[]", "clientExtensionResults", .jsonWrongType),
    (#""platform""#, "true", "authenticatorAttachment", .jsonWrongType),
  ])
  func `a member of the wrong type is rejected`(valid: String, bad: String, member: String, cause: WireError.Code) {
    let text = Self.text.replacing(valid, with: bad)
    #expect {
      try RegistrationResponse(json: text.bytes)
    } throws: { error in
      let error = error as? FormatError
      return error?.code == .registrationResponseInvalidMember && error?.member == member
        && error?.wireError?.code == cause
    }
    #expect(throws: DecodingError.self) { try decode(RegistrationResponse.self, from: text) }
  }

  @Test(arguments: [
    (#""_w""#, #""/w==""#), (#""MA""#, #""MA==""#), (#""MA""#, "7"), ("-7", "-7.5"), ("-7", #""ES256""#),
  ])
  func `a copy that does not decode is nil`(valid: String, bad: String) throws {
    let whole = try RegistrationResponse(json: Self.text.bytes)
    let text = Self.text.replacing(valid, with: bad)
    let response = try RegistrationResponse(json: text.bytes)
    #expect(try decode(RegistrationResponse.self, from: text) == response)
    #expect(response.copies != whole.copies)
    var others = response
    others.copies = whole.copies
    #expect(others == whole)
  }

  @Test(arguments: [(#""oA""#, #""oA==""#), (#""_w""#, #""/w==""#), (#""e30""#, #""e30=""#)])
  func `padded and standard base64 is accepted with the encoding anyBase64`(valid: String, bad: String) throws {
    let text = Self.text.replacing(valid, with: bad)
    #expect(
      try RegistrationResponse(json: [UInt8](text.utf8), encoding: .anyBase64)
        == RegistrationResponse(json: Self.text.bytes))
  }

  @Test func `text that is not a JSON object is rejected`() {
    #expect(throws: FormatError(.registrationResponseMalformed, WireError(.jsonWrongType, at: 0))) {
      try RegistrationResponse(json: "[]".bytes)
    }
    #expect(throws: FormatError(.registrationResponseMalformed, WireError(.jsonTruncated, at: 1))) {
      try RegistrationResponse(json: "{".bytes)
    }
  }
}
