// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import Testing
import WebAuthnTypes

@Suite struct AuthenticationResponseTests {
  private static let text = """
    {"id":"AQID","rawId":"AQID","type":"public-key","authenticatorAttachment":"cross-platform","response":\
    {"clientDataJSON":"e30","authenticatorData":"_w","signature":"MA","userHandle":"dQ"},\
    "clientExtensionResults":{"appid":true,"prf":{"results":{"first":"AA"}}}}
    """

  @Test func `reads every member`() throws {
    let response = try AuthenticationResponse(json: Self.text.bytes)
    #expect(response.id.bytes == [1, 2, 3])
    #expect(response.type == .publicKey)
    #expect(response.authenticatorAttachment == .crossPlatform)
    #expect(response.clientDataJSON == "{}".bytes)
    #expect(response.authenticatorData == [0xff])
    #expect(response.signature == [0x30])
    #expect(response.userHandle?.bytes == [UInt8]("u".utf8))
    #expect(response.clientExtensionResults["appid"] == true)
    #expect(response.clientExtensionResults["prf"]?["results"]?["first"]?.string == "AA")
  }

  @Test func `writes the browser's JSON form`() throws {
    let response = try AuthenticationResponse(json: Self.text.bytes)
    #expect(String(decoding: response.json, as: UTF8.self) == Self.text)
  }

  @Test func `a coder reads and writes the same value`() throws {
    let response = try AuthenticationResponse(json: Self.text.bytes)
    #expect(try decode(AuthenticationResponse.self, from: Self.text) == response)
    #expect(try AuthenticationResponse(json: encode(response)) == response)
  }

  @Test(arguments: [(#","userHandle":"dQ""#, ""), (#""dQ""#, "null"), (#""dQ""#, #""""#)])
  func `a missing, null or empty user handle is nil`(part: String, other: String) throws {
    let text = Self.text.replacing(part, with: other)
    #expect(try AuthenticationResponse(json: text.bytes).userHandle == nil)
    #expect(try decode(AuthenticationResponse.self, from: text).userHandle == nil)
  }

  @Test(arguments: ["clientDataJSON", "authenticatorData", "signature"])
  func `a response without a required inner member is rejected`(name: String) {
    let text = Self.text.replacing("\"\(name)\"", with: "\"x\"")
    #expect(throws: FormatError(.authenticationResponseMissingMember, at: 102, member: "response.\(name)")) {
      try AuthenticationResponse(json: text.bytes)
    }
  }

  @Test(arguments: [
    (#""rawId":"AQID""#, #""rawId":"AQIE""#, FormatError.Code.authenticationResponseIDMismatch, "id", 6),
    (#""public-key""#, #""password""#, .authenticationResponseUnknownType, "type", 35),
    (
      #""dQ""#, #""\#(String(repeating: "A", count: 88))""#, .userHandleInvalidLength, "response.userHandle", 181
    ),
  ])
  func `contradictory members are rejected`(
    valid: String, bad: String, code: FormatError.Code, member: String, offset: Int
  ) {
    let text = Self.text.replacing(valid, with: bad)
    #expect(throws: FormatError(code, at: offset, member: member)) { try AuthenticationResponse(json: text.bytes) }
    #expect {
      try decode(AuthenticationResponse.self, from: text)
    } throws: { error in
      underlyingError(error) == FormatError(code, at: 0, member: member)
    }
  }

  @Test(arguments: [",\"clientExtensionResults\":null", ""])
  func `missing or null extension results are empty`(results: String) throws {
    let text = Self.text.replacing(#/,"clientExtensionResults".*}}}/#, with: results) + "}"
    #expect(try AuthenticationResponse(json: text.bytes).clientExtensionResults.isEmpty)
    #expect(try decode(AuthenticationResponse.self, from: text).clientExtensionResults.isEmpty)
  }

  @Test(arguments: [
    (#""_w""#, #""/w==""#), (#""_w""#, #""/w""#), (#""MA""#, #""MA==""#), (#""id":"AQID""#, #""id":"A Q I D""#),
    (#""dQ""#, #""dQ==""#),
  ])
  func `padded and standard base64 is accepted only with the encoding anyBase64`(
    valid: String, bad: String
  ) throws {
    let text = Self.text.replacing(valid, with: bad)
    #expect(
      try AuthenticationResponse(json: [UInt8](text.utf8), encoding: .anyBase64)
        == AuthenticationResponse(json: Self.text.bytes))
    #expect(throws: FormatError.self) { try AuthenticationResponse(json: text.bytes) }
    #expect(throws: DecodingError.self) { try decode(AuthenticationResponse.self, from: text) }
  }

  @Test func `anyBase64 rejects a different ID, non-zero trailing bits and wrong padding`() {
    for (valid, bad) in [(#""id":"AQID""#, #""id":"AQIE""#), (#""MA""#, #""MB==""#), (#""MA""#, #""MA=""#)] {
      #expect(throws: FormatError.self) {
        try AuthenticationResponse(json: [UInt8](Self.text.replacing(valid, with: bad).utf8), encoding: .anyBase64)
      }
    }
  }

  @Test func `error offsets are indices of the buffer`() {
    let body = ([0x20, 0x20] + Self.text.replacing("\"MA\"", with: "\"M\"").bytes).dropFirst(2)
    #expect {
      try AuthenticationResponse(json: body)
    } throws: { error in
      let error = error as? FormatError
      return error?.wireError == WireError(.base64InvalidLength, at: 167) && error?.offset == 167
    }
  }

  @Test func `text that is not a JSON object is rejected`() {
    #expect(throws: FormatError(.authenticationResponseMalformed, WireError(.jsonWrongType, at: 0))) {
      try AuthenticationResponse(json: "null".bytes)
    }
  }
}
