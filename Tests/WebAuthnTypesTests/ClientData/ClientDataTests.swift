// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import WireFormats

@testable import WebAuthnTypes

@Suite struct ClientDataTests {
  private static let challenge = "AAECAwQFBgcICQoLDA0ODw"
  private static let usual =
    #"{"type":"webauthn.get","challenge":"\#(challenge)","origin":"https://raxx.app","crossOrigin":false}"#

  @Test func `it says for what it was made, what it answers and who asked`() throws {
    let data = try ClientData(parsing: Self.usual.bytes)
    #expect(data.type == .get)
    #expect(data.challenge == [UInt8](0..<16)[...])
    #expect(data.origin == "https://raxx.app")
    #expect(data.originUTF8 == "https://raxx.app".bytes)
    #expect(data.crossOrigin == false)
    #expect(data.topOrigin == nil)
    #expect(data.encoded == Self.usual.bytes)
  }

  @Test func `the topmost frame's origin is kept`() throws {
    let text = Self.usual.replacing("false}", with: #"true,"topOrigin":"https://example.com"}"#)
    let data = try ClientData(parsing: text.bytes)
    #expect(data.crossOrigin == true)
    #expect(data.topOrigin == "https://example.com")
  }

  @Test(arguments: [
    usual, "\u{feff}" + usual, " " + usual, usual + "\n",
    usual.replacing("}", with: #","other_keys_can_be_added_here":"do not compare clientDataJSON"}"#),
    usual.replacing("}", with: #","tokenBinding":{"status":"supported"}}"#),
    usual.replacing("}", with: #","tokenBinding":null}"#), usual.replacing("https://", with: #"https:\/\/"#),
    #"{"origin":"https://raxx.app","challenge":"\#(challenge)","crossOrigin":false,"type":"webauthn.get"}"#,
  ])
  func `however it is written, it says the same`(text: String) throws {
    let data = try ClientData(parsing: text.bytes)
    #expect(data.type == .get)
    #expect(data.challenge == [UInt8](0..<16)[...])
    #expect(data.origin == "https://raxx.app")
    #expect(data.crossOrigin == false)
    #expect(data.encoded == text.bytes)
  }

  @Test func `what a client of Level 1 does not say is not there`() throws {
    let data = try ClientData(parsing: Self.usual.replacing(#","crossOrigin":false"#, with: "").bytes)
    #expect(data.crossOrigin == nil)
  }

  @Test func `crossOrigin and topOrigin count as absent where they are null, and the original bytes are kept`() throws {
    let text = Self.usual.replacing("false", with: #"null,"topOrigin":null"#)
    let data = try ClientData(parsing: text.bytes)
    #expect(data.crossOrigin == nil)
    #expect(data.topOriginUTF8 == nil)
    #expect(data.encoded == text.bytes)
  }

  @Test(arguments: ["type", "challenge", "origin"])
  func `three members must be there`(name: String) {
    let text = Self.usual.replacing("\"\(name)\"", with: "\"x\"")
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
  func `a member of another type is refused`(good: String, bad: String, member: String, cause: WireError.Code) {
    #expect {
      try ClientData(parsing: Self.usual.replacing(good, with: bad).bytes)
    } throws: { error in
      let error = error as? FormatError
      return error?.code == .clientDataInvalidMember && error?.member == member && error?.wireError?.code == cause
    }
  }

  @Test func `what is no JSON object is refused`() {
    #expect(throws: FormatError(.clientDataMalformed, WireError(.jsonWrongType, at: 0))) {
      try ClientData(parsing: "[]".bytes)
    }
    #expect(throws: FormatError(.clientDataMalformed, WireError(.jsonTruncated, at: 0))) {
      try ClientData(parsing: [])
    }
    #expect(throws: FormatError(.clientDataMalformed, WireError(.jsonTrailingBytes, at: Self.usual.utf8.count))) {
      try ClientData(parsing: (Self.usual + "}").bytes)
    }
    #expect(throws: FormatError(.clientDataMalformed, WireError(.jsonDuplicateName, at: 108))) {
      try ClientData(parsing: Self.usual.replacing("}", with: #","type":"webauthn.create"}"#).bytes)
    }
  }

  @Test func `a text that is too long is refused, however it is written`() {
    let origin = "https://" + String(repeating: "a", count: JSON.maximumMessageSize)
    #expect(throws: FormatError(.clientDataMalformed, WireError(.jsonTooLarge, at: JSON.maximumMessageSize))) {
      try ClientData(parsing: Self.usual.replacing("https://raxx.app", with: origin).bytes)
    }
  }

  @Test func `the usual text goes the quick way`() throws {
    #expect(SerializedClientData.read(Self.usual.bytes) != nil)
    #expect(SerializedClientData.read((" " + Self.usual).bytes) == nil)
  }
}
