// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyFormats
import Testing

@testable import WebAuthnTypes

struct BrowserOptionsTests {
  private static let creation = #"""
    {"rp":{"id":"raxx.app","name":"Raxx"},"user":{"id":"AQ","name":"ada","displayName":"Ada"},"challenge":"AAAA",
    "pubKeyCredParams":[{"type":"public-key","alg":-7}],"REST":0}
    """#

  /// Reads options of a registration, with members in place of `"REST":0`, or with a text replaced.
  private func creation(
    _ rest: String = #""x":0"#, _ old: String = "", _ new: String = ""
  ) throws -> BrowserOptions {
    let text = Self.creation.replacing(#""REST":0"#, with: rest)
    return try BrowserOptions(
      json: [UInt8]((old.isEmpty ? text : text.replacing(old, with: new)).utf8)[...], for: .registration)
  }

  private func request(_ text: String) throws -> BrowserOptions {
    try BrowserOptions(json: [UInt8](text.utf8)[...], for: .authentication)
  }

  @Test func `options of the right types are read unchanged`() throws {
    let text = Self.creation.replacing(
      #""REST":0"#,
      with: #"""
        "timeout":60000,"excludeCredentials":[{"type":"public-key","id":"AQ","transports":["usb"]}],
        "attestation":"direct",
        "authenticatorSelection":{"residentKey":"required","requireResidentKey":true,"userVerification":"required"},
        "hints":["hybrid"],"attestationFormats":["packed"],
        "extensions":{"credProps":true,"prf":{"eval":{"first":"AAAA"}}}
        """#)
    let bytes = [UInt8](text.utf8)[...]
    let options = try BrowserOptions(json: bytes, for: .registration)
    #expect(options.changes.isEmpty && options.refusals.isEmpty)
    #expect(try options.creationOptions() == CreationOptions(json: bytes))
    let asked = [UInt8](#"{"challenge":"AAAA","rpId":"raxx.app","allowCredentials":[],"hints":["x"]}"#.utf8)[...]
    #expect(try BrowserOptions(json: asked, for: .authentication).requestOptions() == RequestOptions(json: asked))
  }

  @Test(arguments: [
    #""excludeCredentials":null"#, #""hints":null"#, #""attestationFormats":null"#, #""excludeCredentials":{}"#,
    #""hints":"usb""#, #""authenticatorSelection":"required""#, #""extensions":true"#, #""extensions":{"prf":true}"#,
    #""extensions":{"prf":{"eval":null}}"#, #""extensions":{"prf":{"evalByCredential":null}}"#,
    #""excludeCredentials":[null]"#, #""excludeCredentials":[{"type":"public-key","id":"AQ","transports":null}]"#,
    #""excludeCredentials":[{"type":"public-key"}]"#,
  ])
  func `a null or another value in place of a list or an object is a TypeError`(members: String) throws {
    let refusal = try #require(try creation(members).refusals.first)
    #expect(refusal.exception == .typeError)
    #expect([.optionsInvalidMember, .optionsMissingMember].contains(refusal.fault.code))
    #expect(throws: refusal) { try creation(members).creationOptions() }
  }

  @Test func `a null text is the text null`() throws {
    #expect(try creation("\"x\":0", #""ada""#, "null").creationOptions().user.name == "null")
    let named = try creation("\"x\":0", #""displayName":"Ada""#, #""displayName":null"#)
    #expect(try named.creationOptions().user.displayName == "null")
    #expect(named.changes.map(\.member) == ["user.displayName"])
    #expect(named.changes.map(\.effect) == [#"reads "null""#])
    #expect(try request(#"{"challenge":"AAAA","rpId":null}"#).requestOptions().relyingPartyID?.text == "null")
    // "null" is base64url.
    #expect(try request(#"{"challenge":null}"#).requestOptions().challenge.bytes == [0x9e, 0xe9, 0x65])
  }

  @Test(arguments: [
    (#""authenticatorSelection":null"#, "authenticatorSelection"), (#""extensions":null"#, "extensions"),
    (#""attestation":null"#, "attestation"), (#""hints":[null]"#, "hints[0]"),
    (#""authenticatorSelection":{"authenticatorAttachment":null}"#, "authenticatorSelection.authenticatorAttachment"),
    (#""authenticatorSelection":{"requireResidentKey":null}"#, "authenticatorSelection.requireResidentKey"),
  ])
  func `a null that names no list is as good as absent`(members: String, member: String) throws {
    let options = try creation(members)
    #expect(options.refusals.isEmpty)
    #expect(options.changes.map(\.member) == [member])
    #expect(options.changes.allSatisfy { (change) in change.isAbsence })
  }

  @Test func `numbers and Booleans are converted`() throws {
    #expect(try creation(#""timeout":null"#).creationOptions().timeout == 0)
    #expect(try creation(#""timeout":"60000""#).creationOptions().timeout == 60000)
    #expect(try creation("\"x\":0", "-7", #""-7.9""#).creationOptions().credentialParameters.first?.algorithm == .es256)
    let text = #""authenticatorSelection":{"requireResidentKey":"false"},"extensions":{"credProps":1,"appidExclude":5}"#
    let options = try creation(text)
    #expect(try options.creationOptions().authenticatorSelection.residentKey == .required)
    #expect(try options.creationOptions().extensions == ["credProps": true, "appidExclude": "5"])
    #expect(options.changes.map(\.effect).sorted() == [#"reads "5""#, "reads true", "reads true"])
    #expect(!options.changes.contains { (change) in change.isAbsence })
  }

  @Test func `null asks for an extension that is an object`() throws {
    let options = try creation(#""extensions":{"prf":null,"largeBlob":null,"unknown":null}"#)
    #expect(try options.creationOptions().extensions == ["prf": [:], "largeBlob": [:]])
  }

  @Test func `malformed base64url is an EncodingError, after all TypeErrors`() throws {
    let refusals = try request(#"{"challenge":"!","hints":null}"#).refusals
    #expect(refusals.map(\.exception) == [.typeError, .encodingError])
    #expect(refusals.map(\.member) == ["hints", "challenge"])
    #expect(refusals.map(\.fault.offset) == [25, 14])
    let nested = try creation(#""extensions":{"prf":{"eval":{"first":{}}}}"#).refusals
    #expect(nested.map(\.exception) == [.encodingError])
    #expect(nested.map(\.member) == ["extensions.prf.eval.first"])
  }

  @Test(arguments: [0, 65, 66]) func `a user ID without 1 to 64 bytes is a TypeError`(count: Int) throws {
    let id = Base64URL.encode([UInt8](repeating: 1, count: count)[...])
    let refusals = try creation("\"x\":0", #""id":"AQ""#, #""id":"\#(id)""#).refusals
    #expect(refusals.map(\.exception) == [.typeError])
    #expect(refusals.map(\.fault.code) == [.userHandleInvalidLength])
    let longest = Base64URL.encode([UInt8](repeating: 1, count: 64)[...])
    #expect(try creation("\"x\":0", #""id":"AQ""#, #""id":"\#(longest)""#).refusals.isEmpty)
  }

  @Test(arguments: ["", "https://raxx.app", "RAXX.APP", "127.0.0.1"])
  func `an RP ID that is no domain is a SecurityError`(id: String) throws {
    let refusals = try request(#"{"challenge":"AAAA","rpId":"\#(id)"}"#).refusals
    #expect(refusals.map(\.exception) == [.securityError])
    #expect(refusals.map(\.member) == ["rpId"])
  }

  @Test func `credential IDs that cannot exist are accepted, and match nothing`() throws {
    let long = Base64URL.encode([UInt8](repeating: 1, count: 1024)[...])
    let options = try request(
      #"{"challenge":"AAAA","allowCredentials":[{"type":"public-key","id":"\#(long)"},{"type":"public-key","id":""}]}"#)
    #expect(options.refusals.isEmpty)
    #expect(options.changes.map(\.member) == ["allowCredentials[0].id", "allowCredentials[1].id"])
    // The list does not become empty, which would accept any credential.
    #expect(try options.requestOptions().allowCredentials.map(\.type) == [.init(rawValue: ""), .init(rawValue: "")])
  }

  @Test func `what only Chromium refuses is refused`() throws {
    let entry = #"{"type":"public-key","id":"AQ"}"#
    func list(_ count: Int) -> String { "[\(Array(repeating: entry, count: count).joined(separator: ","))]" }
    #expect(try creation(#""excludeCredentials":\#(list(64))"#).refusals.isEmpty)
    #expect(try creation(#""excludeCredentials":\#(list(65))"#).refusals.map(\.exception) == [.rangeError])
    let many = try request(#"{"challenge":"AAAA","allowCredentials":\#(list(65))}"#)
    #expect(many.refusals.map(\.exception) == [.rangeError])
    for extensions in [
      #"{"appid":null}"#, #"{"credentialProtectionPolicy":"other"}"#, #"{"enforceCredentialProtectionPolicy":1}"#,
      #"{"credentialProtectionPolicy":"userVerificationRequired"}"#,
    ] {
      let refusals = try creation(#""extensions":\#(extensions)"#).refusals
      #expect(refusals.map(\.exception) == [.notSupportedError], "\(extensions)")
    }
    let consistent = #""extensions":{"credentialProtectionPolicy":"userVerificationRequired"}"#
    #expect(try creation(consistent + #","authenticatorSelection":{"userVerification":"required"}"#).refusals.isEmpty)
    let properties = try request(#"{"challenge":"AAAA","extensions":{"credProps":true}}"#)
    #expect(properties.refusals.map(\.exception) == [.notSupportedError])
    #expect(try request(#"{"challenge":"AAAA","extensions":{"credProps":null}}"#).refusals.isEmpty)
  }

  @Test(arguments: ["null", "[]", "5", "", "{"]) func `text other than an object is malformed`(text: String) {
    #expect { try request(text) } throws: { (error) in (error as? FormatError)?.code == .optionsMalformed }
  }

  /// A relying party's own reader neither converts nor refuses more.
  @Test func `the other reader of options stays strict with types and takes null as absent`() throws {
    func options(_ text: String) throws -> RequestOptions { try RequestOptions(json: [UInt8](text.utf8)[...]) }
    #expect(try options(#"{"challenge":"AAAA","rpId":null,"hints":null,"timeout":null}"#).timeout == nil)
    for text in [
      #"{"challenge":null}"#, #"{"challenge":"AAAA","timeout":"1"}"#, #"{"challenge":"AAAA","rpId":["raxx.app"]}"#,
      #"{"challenge":"AAAA","allowCredentials":[{"type":"public-key","id":""}]}"#,
    ] {
      #expect(throws: FormatError.self) { try options(text) }
    }
  }
}
