// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

@testable import WebAuthnTypes

@Suite struct ClientDataTests {
  private static let challenge = "AAECAwQFBgcICQoLDA0ODw"
  private static let typical =
    #"{"type":"webauthn.get","challenge":"\#(challenge)","origin":"https://raxx.app","crossOrigin":false}"#

  @Test func `client data have a type, a challenge and an origin`() throws {
    let data = try ClientData(parsing: Self.typical.bytes)
    #expect(data.type == .get)
    #expect(data.challenge == [UInt8](0..<16)[...])
    #expect(data.origin == "https://raxx.app")
    #expect(data.originUTF8 == "https://raxx.app".bytes)
    #expect(data.crossOrigin == false)
    #expect(data.topOrigin == nil)
    #expect(data.encoded == Self.typical.bytes)
  }

  @Test func `the top origin is read`() throws {
    let text = Self.typical.replacing("false}", with: #"true,"topOrigin":"https://example.com"}"#)
    let data = try ClientData(parsing: text.bytes)
    #expect(data.crossOrigin == true)
    #expect(data.topOrigin == "https://example.com")
  }

  @Test(arguments: [
    typical, "\u{feff}" + typical, " " + typical, typical + "\n",
    typical.replacing("}", with: #","other_keys_can_be_added_here":"do not compare clientDataJSON"}"#),
    typical.replacing("}", with: #","tokenBinding":{"status":"supported"}}"#),
    typical.replacing("}", with: #","tokenBinding":null}"#), typical.replacing("https://", with: #"https:\/\/"#),
    #"{"origin":"https://raxx.app","challenge":"\#(challenge)","crossOrigin":false,"type":"webauthn.get"}"#,
  ])
  func `other JSON spellings give the same values`(text: String) throws {
    let data = try ClientData(parsing: text.bytes)
    #expect(data.type == .get)
    #expect(data.challenge == [UInt8](0..<16)[...])
    #expect(data.origin == "https://raxx.app")
    #expect(data.crossOrigin == false)
    #expect(data.encoded == text.bytes)
  }

  @Test func `members that Level 1 clients omit are nil`() throws {
    let data = try ClientData(parsing: Self.typical.replacing(#","crossOrigin":false"#, with: "").bytes)
    #expect(data.crossOrigin == nil)
  }

  @Test func `null crossOrigin and topOrigin count as absent, and the original bytes are kept`() throws {
    let text = Self.typical.replacing("false", with: #"null,"topOrigin":null"#)
    let data = try ClientData(parsing: text.bytes)
    #expect(data.crossOrigin == nil)
    #expect(data.topOriginUTF8 == nil)
    #expect(data.encoded == text.bytes)
  }

  @Test(arguments: ["type", "challenge", "origin"])
  func `an object without a required member is rejected`(name: String) {
    let text = Self.typical.replacing("\"\(name)\"", with: "\"x\"")
    #expect(throws: FormatError(.clientDataMissingMember, at: 0, member: name)) {
      try ClientData(parsing: text.bytes)
    }
  }

  @Test(arguments: [
    (#""webauthn.get""#, "7", "type", WireError.Code.jsonWrongType),
    (#""AAECAwQFBgcICQoLDA0ODw""#, #""AA=""#, "challenge", .base64InvalidCharacter),
    (#""AAECAwQFBgcICQoLDA0ODw""#, "null", "challenge", .jsonWrongType),
    (#""https://raxx.app""#, "{}", "origin", .jsonWrongType), ("false", "0", "crossOrigin", .jsonWrongType),
    ("false", #"true,"topOrigin":1"#, "topOrigin", .jsonWrongType),
  ])
  func `a member of the wrong type is rejected`(valid: String, bad: String, member: String, cause: WireError.Code) {
    #expect {
      try ClientData(parsing: Self.typical.replacing(valid, with: bad).bytes)
    } throws: { error in
      let error = error as? FormatError
      return error?.code == .clientDataInvalidMember && error?.member == member && error?.wireError?.code == cause
    }
  }

  @Test func `text that is not a JSON object is rejected`() {
    #expect(throws: FormatError(.clientDataMalformed, WireError(.jsonWrongType, at: 0))) {
      try ClientData(parsing: "[]".bytes)
    }
    #expect(throws: FormatError(.clientDataMalformed, WireError(.jsonTruncated, at: 0))) {
      try ClientData(parsing: [])
    }
    #expect(throws: FormatError(.clientDataMalformed, WireError(.jsonTrailingBytes, at: Self.typical.utf8.count))) {
      try ClientData(parsing: (Self.typical + "}").bytes)
    }
    #expect(throws: FormatError(.clientDataMalformed, WireError(.jsonDuplicateName, at: 108))) {
      try ClientData(parsing: Self.typical.replacing("}", with: #","type":"webauthn.create"}"#).bytes)
    }
  }

  @Test func `client data above the size limit are rejected by the fast path and the parser`() {
    let origin = "https://" + String(repeating: "a", count: JSON.maximumMessageSize)
    #expect(throws: FormatError(.clientDataMalformed, WireError(.jsonTooLarge, at: JSON.maximumMessageSize))) {
      try ClientData(parsing: Self.typical.replacing("https://raxx.app", with: origin).bytes)
    }
  }

  @Test func `common text takes the fast path`() throws {
    #expect(SerializedClientData.read(Self.typical.bytes) != nil)
    #expect(SerializedClientData.read((" " + Self.typical).bytes) == nil)
  }
}
