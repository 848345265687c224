// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

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
  func `text of browsers takes the fast path, with the parser's result`(text: String) throws {
    let fast = try #require(PlainAuthenticationResponse.read(text.bytes))
    #expect(try fast == AuthenticationResponse(parsingAsJSON: text.bytes))
    #expect(try fast == AuthenticationResponse(json: text.bytes))
  }

  @Test(
    arguments: [
      whole.replacing("{}", with: #"{"appid":true}"#), whole.replacing(#""platform""#, with: "null"),
      whole.replacing("platform", with: #"plat\u0066orm"#), whole.replacing(#""type""#, with: #""other":1,"type""#),
      whole.replacing(#""dQ""#, with: "null"), whole.replacing("platform", with: "plätform"),
      whole.replacing(#""id":"AQID""#, with: #""id":"AQI\u0044""#), whole.replacing("rawId", with: #"raw\u0049d"#),
      whole.replacing("public-key", with: #"public\u002dkey"#),
    ])
  func `valid text in another spelling takes the parser`(text: String) throws {
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
  func `errors are those of the parser`(text: String, code: FormatError.Code, member: String) throws {
    #expect(PlainAuthenticationResponse.read(text.bytes) == nil)
    #expect {
      try AuthenticationResponse(json: text.bytes)
    } throws: { error in
      (error as? FormatError)?.code == code && (error as? FormatError)?.member ?? "" == member
    }
  }

  @Test func `the fast path gives the parser's result`() throws {
    var fastResults = 0
    try PropertyRuns.check { generator in
      let text = Self.text(using: &generator)
      guard let fast = PlainAuthenticationResponse.read(text) else { return }
      guard try fast == AuthenticationResponse(parsingAsJSON: text) else { throw Disagreement(text: text) }
      fastResults += 1
    }
    #expect(fastResults > 1_000, "too few inputs took the fast path")
  }

  @Test func `offsets of errors in client data and authenticator data start at 0`() throws {
    let response = try #require(PlainAuthenticationResponse.read(Self.whole.bytes))
    #expect(response.clientDataJSON.startIndex == 0)
    #expect(response.authenticatorData.startIndex == 0)
  }

  /// Members in random order, sometimes with one missing, duplicated or mutated.
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

    var description: String { "different results for \(String(decoding: text, as: UTF8.self))" }
  }
}
