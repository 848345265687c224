// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@Suite struct ClientOutputsTests {
  private static let secret = String(repeating: "A", count: 42) + "E"  // 31 zero bytes and a one
  private static let secretBytes = [UInt8](repeating: 0, count: 31) + [1]

  private static let registration = """
    {"credProps":{"rk":true},"prf":{"enabled":true,"results":{"first":"\(secret)","second":"\(secret)"}},\
    "largeBlob":{"supported":false},"credBlob":true,"hmacCreateSecret":false,\
    "hmacGetSecret":{"output1":"\(secret)"},"uvm":[[2,4,2],[4,1,1]],"appidExclude":true,\
    "payment":{"browserBoundSignature":{"signature":"AQID"}},"example":{"kept":[1,null]}}
    """
  private static let authentication = """
    {"appid":false,"prf":{"results":{"first":"\(secret)"}},"largeBlob":{"blob":"AQID","written":true},\
    "getCredBlob":"","hmacGetSecret":{"output1":"\(secret)","output2":"\(secret)"},"uvm":[[2,4,2]],\
    "payment":{},"example":1}
    """

  @Test func `registration outputs are read from JSON text and from a coder`() throws {
    let extensions = try ClientExtensions(json: Self.registration.bytes)
    #expect(try decode(ClientExtensions.self, from: Self.registration) == extensions)
    let outputs = try RegistrationClientOutputs(extensions)
    #expect(outputs.credProps == CredentialProperties(isDiscoverable: true))
    #expect(
      outputs.prf
        == PRFOutputs(isEnabled: true, results: PRFValues(first: Self.secretBytes, second: Self.secretBytes)))
    #expect(outputs.largeBlob == LargeBlobOutputs(isSupported: false))
    #expect(outputs.credBlob == true)
    #expect(outputs.hmacCreateSecret == false)
    #expect(outputs.hmacGetSecret?.output1 == Self.secretBytes && outputs.hmacGetSecret?.output2 == nil)
    #expect(
      outputs.uvm == [
        UserVerificationMethod(method: 2, keyProtection: 4, matcherProtection: 2),
        UserVerificationMethod(method: 4, keyProtection: 1, matcherProtection: 1),
      ])
    #expect(outputs.appIDExclude == true)
    #expect(outputs.payment == PaymentOutputs(browserBoundSignature: [1, 2, 3]))
    #expect(extensions["example"]?["kept"] == [1, .null])
    var known = extensions
    known["example"] = nil
    #expect(outputs.extensions == known)
  }

  @Test func `sign-in outputs are read from JSON text and from a coder`() throws {
    let extensions = try ClientExtensions(json: Self.authentication.bytes)
    #expect(try decode(ClientExtensions.self, from: Self.authentication) == extensions)
    let outputs = try AuthenticationClientOutputs(extensions)
    #expect(outputs.appID == false)
    #expect(outputs.prf?.results == PRFValues(first: Self.secretBytes))
    #expect(outputs.prf?.isEnabled == nil)
    #expect(outputs.largeBlob == LargeBlobOutputs(blob: [1, 2, 3], isWritten: true))
    #expect(outputs.getCredBlob == [])
    #expect(outputs.hmacGetSecret?.output2 == Self.secretBytes)
    #expect(outputs.uvm?.count == 1)
    #expect(outputs.payment == PaymentOutputs())
    var known = extensions
    known["example"] = nil
    #expect(outputs.extensions == known)
  }

  @Test func `outputs are read from complete responses`() throws {
    let response = try RegistrationResponse(
      json: """
        {"id":"AQID","rawId":"AQID","type":"public-key","response":{"clientDataJSON":"e30","attestationObject":"oA"},\
        "clientExtensionResults":\(Self.registration)}
        """.bytes)
    #expect(
      try RegistrationClientOutputs(response.clientExtensionResults)
        == RegistrationClientOutputs(ClientExtensions(json: Self.registration.bytes)))
  }

  @Test func `absent outputs are nil`() throws {
    #expect(try RegistrationClientOutputs([:]) == RegistrationClientOutputs())
    #expect(try RegistrationClientOutputs(["prf": .null]) == RegistrationClientOutputs())
    #expect(try AuthenticationClientOutputs(["example": 1]) == AuthenticationClientOutputs())
    #expect(RegistrationClientOutputs().extensions.isEmpty)
    #expect(try RegistrationClientOutputs(["credProps": [:]]).credProps == CredentialProperties())
    #expect(try AuthenticationClientOutputs(["prf": [:]]).prf == PRFOutputs())
  }

  @Test(
    arguments: [
      (["credProps": true], "credProps"), (["credProps": ["rk": 1]], "credProps.rk"),
      (["prf": ["enabled": "yes"]], "prf.enabled"), (["prf": ["results": [:]]], "prf.results.first"),
      (["prf": ["results": ["first": "AQID"]]], "prf.results.first"),
      (["prf": ["results": ["first": .string(secret), "second": "AQID"]]], "prf.results.second"),
      (["prf": ["results": ["first": .string(secret + "AAAA")]]], "prf.results.first"),
      (["largeBlob": ["supported": "x"]], "largeBlob.supported"), (["largeBlob": ["blob": [1, 2]]], "largeBlob.blob"),
      (["credBlob": "AQ"], "credBlob"), (["hmacCreateSecret": 1], "hmacCreateSecret"),
      (["hmacGetSecret": ["output2": .string(secret)]], "hmacGetSecret.output1"),
      (["hmacGetSecret": ["output1": "AQID"]], "hmacGetSecret.output1"),
      (["uvm": []], "uvm"), (["uvm": [[1, 2]]], "uvm"),
      (["uvm": [[1, 2, 3], [1, 2, 3], [1, 2, 3], [1, 2, 3]]], "uvm"),
      (["uvm": [[1, 2, -1]]], "uvm"), (["uvm": [[1, 2, 0.5]]], "uvm"), (["uvm": [[1, 2, 4_294_967_296]]], "uvm"),
      (["appidExclude": "true"], "appidExclude"), (["payment": 1], "payment"),
      (["payment": ["browserBoundSignature": [:]]], "payment.browserBoundSignature.signature"),
    ] as [(ClientExtensions, String)])
  func `a malformed registration output is rejected with its name`(extensions: ClientExtensions, member: String) {
    #expect {
      try RegistrationClientOutputs(extensions)
    } throws: { error in
      (error as? FormatError)?.member == member
    }
  }

  @Test(
    arguments: [
      (["appid": 1], "appid"), (["prf": ["results": ["first": "AQID"]]], "prf.results.first"),
      (["largeBlob": ["written": 1]], "largeBlob.written"), (["largeBlob": ["blob": "!"]], "largeBlob.blob"),
      (["getCredBlob": true], "getCredBlob"), (["hmacGetSecret": []], "hmacGetSecret"), (["uvm": 1], "uvm"),
      (["payment": ["browserBoundSignature": 1]], "payment.browserBoundSignature"),
    ] as [(ClientExtensions, String)])
  func `a malformed sign-in output is rejected with its name`(extensions: ClientExtensions, member: String) {
    #expect {
      try AuthenticationClientOutputs(extensions)
    } throws: { error in
      (error as? FormatError)?.member == member
    }
  }

  @Test func `missing and invalid members have different codes`() {
    #expect {
      try RegistrationClientOutputs(["prf": ["results": [:]]])
    } throws: { error in
      (error as? FormatError)?.code == .clientExtensionsMissingMember
    }
    #expect {
      try RegistrationClientOutputs(["prf": ["results": ["first": "A"]]])
    } throws: { error in
      let error = error as? FormatError
      return error?.code == .clientExtensionsInvalidMember && error?.wireError != nil
    }
  }

  @Test func `descriptions and dumps show no secret`() throws {
    let registration = try RegistrationClientOutputs(ClientExtensions(json: Self.registration.bytes))
    let authentication = try AuthenticationClientOutputs(ClientExtensions(json: Self.authentication.bytes))
    #expect(
      "\(registration)"
        == """
        credProps (discoverable), prf (enabled, two values), largeBlob (not supported), credBlob (true), \
        hmacCreateSecret (false), hmacGetSecret (one value), \
        uvm ([method 2, key 4, matcher 2, method 4, key 1, matcher 1]), appidExclude (true), \
        payment (signed by the browser's own key)
        """)
    #expect("\(AuthenticationClientOutputs())" == "nothing")
    var dumps = ""
    dump(registration.prf, to: &dumps)
    dump(authentication.hmacGetSecret, to: &dumps)
    dump(PRFInputs(evaluating: PRFValues(first: Self.secretBytes)), to: &dumps)
    #expect(!dumps.contains("- 1\n"), "\(dumps)")
    #expect(!"\(authentication)".contains("0, 0"))
  }

  @Test func `outputs read from mutated text survive a round trip`() throws {
    var accepted = 0
    for text in [Self.registration, Self.authentication] {
      let bytes = [UInt8](text.utf8)
      try PropertyRuns.check(default: 6_000) { generator in
        let mutated = Mutation.mutated(bytes, using: &generator)
        guard let extensions = try? ClientExtensions(json: mutated[...]) else { return }
        if let outputs = try? RegistrationClientOutputs(extensions) {
          accepted += 1
          guard try RegistrationClientOutputs(outputs.extensions) == outputs else { throw Difference() }
        }
        if let outputs = try? AuthenticationClientOutputs(extensions) {
          guard try AuthenticationClientOutputs(outputs.extensions) == outputs else { throw Difference() }
        }
        _ = try? (extensions.prfInputs, extensions.largeBlobInputs, extensions.credentialProtectionInputs)
        _ = try? (extensions.hmacSecretSalts, extensions.paymentInputs, extensions.credBlobInput)
      }
    }
    #expect(accepted > 100, "too few inputs were accepted")
  }

  private struct Difference: Error {}
}
