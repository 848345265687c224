// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyFormats
import Testing
import WebAuthnTypes

/// The exact JSON of extension inputs, as the browser's `parse…OptionsFromJSON` reads it.
@Suite struct RequestedExtensionsTests {
  @Test(
    arguments: [
      (.credProps, #"{"credProps":true}"#),
      (.prf(), #"{"prf":{}}"#),
      (
        .prf(evaluating: PRFValues(first: [1, 2, 3, 4], second: [5])),
        #"{"prf":{"eval":{"first":"AQIDBA","second":"BQ"}}}"#
      ),
      (.largeBlob(support: .required), #"{"largeBlob":{"support":"required"}}"#),
      (
        .credentialProtection(.userVerificationRequired, enforce: true),
        #"{"credentialProtectionPolicy":"userVerificationRequired","enforceCredentialProtectionPolicy":true}"#
      ),
      (.credBlob([0xff, 0xfe]), #"{"credBlob":"__4"}"#),
      (.minPinLength, #"{"minPinLength":true}"#),
      (.pinComplexityPolicy, #"{"pinComplexityPolicy":true}"#),
      (.hmacCreateSecret, #"{"hmacCreateSecret":true}"#),
      (.uvm, #"{"uvm":true}"#),
      (.appIDExclude("https://raxx.app/id"), #"{"appidExclude":"https:\/\/raxx.app\/id"}"#),
      (.payment(), #"{"payment":{"isPayment":true}}"#),
      (
        .payment(browserBoundKeys: [.es256]),
        #"{"payment":{"browserBoundPubKeyCredParams":[{"alg":-7,"type":"public-key"}],"isPayment":true}}"#
      ),
      (.other("example", ["a": 1]), #"{"example":{"a":1}}"#),
    ] as [(RegistrationExtension, String)])
  func `registration extensions have the browser's JSON form`(asked: RegistrationExtension, text: String) throws {
    let extensions = ClientExtensions([asked])
    #expect(try ClientExtensions(json: text.bytes) == extensions)
    #expect(try decode(ClientExtensions.self, from: text) == extensions)
    #expect(try ClientExtensions(json: extensions.json[...]) == extensions)
  }

  @Test(
    arguments: [
      (.appID("https://raxx.app/id"), #"{"appid":"https://raxx.app/id"}"#),
      (.prf(evaluating: PRFValues(first: [])), #"{"prf":{"eval":{"first":""}}}"#),
      (.largeBlob(.read), #"{"largeBlob":{"read":true}}"#),
      (.largeBlob(.write([1])), #"{"largeBlob":{"write":"AQ"}}"#),
      (.getCredBlob, #"{"getCredBlob":true}"#),
      (.uvm, #"{"uvm":true}"#),
      (.other("example", "x"), #"{"example":"x"}"#),
    ] as [(AuthenticationExtension, String)])
  func `sign-in extensions have the browser's JSON form`(asked: AuthenticationExtension, text: String) throws {
    let extensions = ClientExtensions([asked])
    #expect(try ClientExtensions(json: text.bytes) == extensions)
    #expect(try decode(ClientExtensions.self, from: text) == extensions)
  }

  @Test func `inputs by credential have base64url names, and salts their own names`() throws {
    let id = try CredentialID([1, 2, 3])
    let byCredential = ClientExtensions([
      AuthenticationExtension.prf(byCredential: [id: PRFValues(first: [9])], otherwise: PRFValues(first: [8]))
    ])
    #expect(
      String(decoding: byCredential.json, as: UTF8.self)
        == #"{"prf":{"eval":{"first":"CA"},"evalByCredential":{"AQID":{"first":"CQ"}}}}"#)
    let salts = try HMACSecretSalts(salt1: [UInt8](repeating: 0, count: 32))
    let zeros = String(repeating: "A", count: 43)
    #expect(
      String(decoding: ClientExtensions([AuthenticationExtension.hmacGetSecret(salts)]).json, as: UTF8.self)
        == #"{"hmacGetSecret":{"salt1":"\#(zeros)"}}"#)
    #expect(
      String(decoding: ClientExtensions([.hmacCreateSecret(evaluating: salts)]).json, as: UTF8.self)
        == #"{"hmacCreateSecret":true,"hmacGetSecret":{"salt1":"\#(zeros)"}}"#)
  }

  @Test func `a later extension replaces an earlier one of the same name`() {
    let extensions = ClientExtensions([.credProps, .largeBlob(support: .required), .largeBlob(support: .preferred)])
    #expect(extensions == ["credProps": true, "largeBlob": ["support": "preferred"]])
  }

  @Test func `extensions that are not a JSON object are rejected`() {
    #expect(throws: FormatError.self) { try ClientExtensions(json: "[]".bytes) }
    #expect {
      try ClientExtensions(json: "{".bytes)
    } throws: { error in
      (error as? FormatError)?.code == .optionsMalformed && (error as? FormatError)?.wireError != nil
    }
  }
}
