// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import WireFormats

@testable import WebAuthnTypes

@Suite struct PlainAuthenticationResponseTests {
  private static let assertion = [
    #""clientDataJSON":"e30""#, #""authenticatorData":"_w""#, #""signature":"MA""#, #""userHandle":"dQ""#,
  ]
  private static let whole = object([
    #""id":"AQID""#, #""rawId":"AQID""#, #""type":"public-key""#, #""authenticatorAttachment":"platform""#,
    #""response":"# + object(assertion), #""clientExtensionResults":{}"#,
  ])

  @Test(
    arguments: [
      whole, whole.replacing(",", with: " ,\n\t"), whole.replacing(":", with: " : "), " \r\n\(whole) ",
      whole.replacing(#","userHandle":"dQ""#, with: ""), whole.replacing(#""dQ""#, with: #""""#),
      whole.replacing(#""authenticatorAttachment":"platform","#, with: ""),
    ])
  func `what browsers write goes the quick way, and is read as by the parser`(text: String) throws {
    let quick = try #require(PlainAuthenticationResponse.read(text.bytes))
    #expect(try quick == AuthenticationResponse(parsingAsJSON: text.bytes))
    #expect(try quick == AuthenticationResponse(json: text.bytes))
  }

  @Test(
    arguments: [
      whole.replacing("{}", with: #"{"appid":true}"#), whole.replacing(#""platform""#, with: "null"),
      whole.replacing("platform", with: #"plat\u0066orm"#), whole.replacing(#""type""#, with: #""other":1,"type""#),
      whole.replacing(#""dQ""#, with: "null"), whole.replacing("platform", with: "plätform"),
      whole.replacing(#""id":"AQID""#, with: #""id":"AQI\u0044""#), whole.replacing("rawId", with: #"raw\u0049d"#),
      whole.replacing("public-key", with: #"public\u002dkey"#),
    ])
  func `what is right and written otherwise goes the other way`(text: String) throws {
    #expect(PlainAuthenticationResponse.read(text.bytes) == nil)
    #expect(try AuthenticationResponse(json: text.bytes).id == CredentialID([1, 2, 3]))
  }

  @Test(
    arguments: [
      (whole + "}", FormatError.Code.authenticationResponseMalformed, ""),
      (whole.replacing(#""type""#, with: #""id":"AQID","type""#), .authenticationResponseMalformed, ""),
      (whole.replacing(#""signature""#, with: #""signature":"MA","signature""#), .authenticationResponseMalformed, ""),
      (whole.replacing(#""id":"AQID""#, with: #""id":"AQIE""#), .authenticationResponseIDMismatch, "id"),
      (whole.replacing("AQID", with: ""), .credentialIDInvalidLength, "rawId"),
      (
        whole.replacing("dQ", with: String(repeating: "A", count: 88)), .userHandleInvalidLength, "response.userHandle"
      ),
      (whole.replacing("public-key", with: "password"), .authenticationResponseUnknownType, "type"),
      (whole.replacing("MA", with: "MB"), .authenticationResponseInvalidMember, "response.signature"),
      (whole.replacing(#""signature":"MA","#, with: ""), .authenticationResponseMissingMember, "response.signature"),
    ])
  func `what is wrong is told by the parser`(text: String, code: FormatError.Code, member: String) throws {
    #expect(PlainAuthenticationResponse.read(text.bytes) == nil)
    #expect {
      try AuthenticationResponse(json: text.bytes)
    } throws: { error in
      (error as? FormatError)?.code == code && (error as? FormatError)?.member ?? "" == member
    }
  }

  @Test func `the quick way reads what the parser reads`() throws {
    var quickReadings = 0
    try PropertyRuns.check { generator in
      let text = Self.text(using: &generator)
      guard let quick = PlainAuthenticationResponse.read(text) else { return }
      guard try quick == AuthenticationResponse(parsingAsJSON: text) else { throw Disagreement(text: text) }
      quickReadings += 1
    }
    #expect(quickReadings > 1_000, "a property about the quick way that hardly ever went it")
  }

  @Test func `faults in client data and authenticator data are counted from their beginnings`() throws {
    let response = try #require(PlainAuthenticationResponse.read(Self.whole.bytes))
    #expect(response.clientDataJSON.startIndex == 0)
    #expect(response.authenticatorData.startIndex == 0)
  }

  /// The members in any order, now and then one too many or too few, and now and then spoilt.
  private static func text(using generator: inout SeededGenerator) -> Bytes {
    var inside = assertion.shuffled(using: &generator)
    let others = [#""id":"AQID""#, #""rawId":"AQID""#, #""type":"public-key""#, #""clientExtensionResults":{}"#]
    let extra = [#""authenticatorAttachment":"platform""#, #""signature":"MA""#, #""id":"AQID""#, #""other":[{}]"#]
    if Int.random(in: 0...4, using: &generator) == 0 { inside.append(extra.randomElement(using: &generator) ?? "") }
    if Int.random(in: 0...4, using: &generator) == 0 { inside.removeLast() }
    var members = others + [#""response":"# + object(inside)]
    if Int.random(in: 0...1, using: &generator) == 0 { members.append(extra.randomElement(using: &generator) ?? "") }
    let text = [UInt8](object(members.shuffled(using: &generator)).utf8)
    let isSpoilt = Int.random(in: 0...2, using: &generator) > 0
    return ([0x5a] + (isSpoilt ? Mutation.mutated(text, using: &generator) : text) + [0x5a]).dropFirst().dropLast()
  }

  private static func object(_ members: [String]) -> String {
    "{" + members.joined(separator: ",") + "}"
  }

  private struct Disagreement: Error, CustomStringConvertible {
    let text: Bytes

    var description: String { "two readings of \(String(decoding: text, as: UTF8.self))" }
  }
}
