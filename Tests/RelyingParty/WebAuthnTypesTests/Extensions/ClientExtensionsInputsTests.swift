// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyFormats
import Testing
import WebAuthnTypes

@Suite struct ClientExtensionsInputsTests {
  @Test func `inputs survive a round trip`() throws {
    let id = try CredentialID([1, 2, 3])
    let salts = try HMACSecretSalts(
      salt1: [UInt8](repeating: 1, count: 32), salt2: [UInt8](repeating: 2, count: 32))
    let registration = ClientExtensions([
      .prf(evaluating: PRFValues(first: [1], second: [2])), .largeBlob(support: .required), .credBlob([7]),
      .minPinLength,
      .credentialProtection(.userVerificationOptionalWithCredentialIDList, enforce: true), .appIDExclude("a"),
      .payment(browserBoundKeys: [.es256]), .hmacCreateSecret(evaluating: salts),
    ])
    #expect(try registration.prfInputs == PRFInputs(evaluating: PRFValues(first: [1], second: [2])))
    #expect(try registration.largeBlobInputs == LargeBlobInputs(support: .required))
    #expect(try registration.credBlobInput == [7])
    #expect(try registration.appIDExcludeInput == "a")
    #expect(try registration.hmacSecretSalts == salts)
    #expect(try registration.paymentInputs?.browserBoundKeys == [CredentialParameters(algorithm: .es256)])
    #expect(
      try registration.credentialProtectionInputs
        == CredentialProtectionInputs(policy: .userVerificationOptionalWithCredentialIDList, isEnforced: true))
    #expect(try registration.asks(for: "minPinLength") && registration.asks(for: "hmacCreateSecret"))
    #expect(try !registration.asks(for: "credProps"))

    let authentication = ClientExtensions([
      .prf(byCredential: [id: PRFValues(first: [3])]), .largeBlob(.write([9])), .appID("b"), .getCredBlob,
    ])
    #expect(try authentication.prfInputs == PRFInputs(byCredential: [id: PRFValues(first: [3])]))
    #expect(try authentication.largeBlobInputs?.access == .write([9]))
    #expect(try authentication.appIDInput == "b")
    #expect(try authentication.asks(for: "getCredBlob"))
    #expect(try ClientExtensions([AuthenticationExtension.largeBlob(.read)]).largeBlobInputs?.access == .read)
  }

  @Test func `absent inputs are nil`() throws {
    let none: ClientExtensions = ["prf": .null, "example": 1]
    #expect(try none.prfInputs == nil && none.largeBlobInputs == nil && none.credentialProtectionInputs == nil)
    #expect(try none.credBlobInput == nil && none.hmacSecretSalts == nil && none.paymentInputs == nil)
    #expect(try none.appIDInput == nil && none.appIDExcludeInput == nil)
    let unread: ClientExtensions = ["largeBlob": ["read": false]]
    #expect(try unread.largeBlobInputs == LargeBlobInputs())
  }

  @Test(
    arguments: [
      (["prf": true], "prf"), (["prf": ["eval": [:]]], "prf.eval.first"),
      (["prf": ["eval": ["first": 1]]], "prf.eval.first"), (["prf": ["eval": ["first": "?"]]], "prf.eval.first"),
      (["prf": ["evalByCredential": ["": ["first": "AA"]]]], "prf.evalByCredential."),
      (["prf": ["evalByCredential": ["?": ["first": "AA"]]]], "prf.evalByCredential.?"),
      (["prf": ["evalByCredential": ["AQID": 1]]], "prf.evalByCredential.AQID"),
      (["largeBlob": ["read": true, "write": "AA"]], "largeBlob.write"),
      (["largeBlob": ["support": 1]], "largeBlob.support"),
      (["largeBlob": ["read": false, "write": "AA"]], "largeBlob.write"),
      (["credentialProtectionPolicy": "userverificationrequired"], "credentialProtectionPolicy"),
      (
        ["credentialProtectionPolicy": "userVerificationRequired", "enforceCredentialProtectionPolicy": "yes"],
        "enforceCredentialProtectionPolicy"
      ),
      (["credBlob": true], "credBlob"), (["hmacGetSecret": ["salt1": "AA"]], "hmacGetSecret.salt1"),
      (["hmacGetSecret": [:]], "hmacGetSecret.salt1"), (["payment": [:]], "payment.isPayment"),
      (["payment": ["isPayment": false]], "payment.isPayment"),
      (
        ["payment": ["isPayment": true, "browserBoundPubKeyCredParams": [["alg": -7]]]],
        "payment.browserBoundPubKeyCredParams"
      ),
      (["appid": 1], "appid"), (["appidExclude": [:]], "appidExclude"),
    ] as [(ClientExtensions, String)])
  func `a malformed input is rejected with its name`(extensions: ClientExtensions, member: String) {
    #expect {
      _ = try (extensions.prfInputs, extensions.largeBlobInputs, extensions.credentialProtectionInputs)
      _ = try (extensions.credBlobInput, extensions.hmacSecretSalts, extensions.paymentInputs)
      _ = try (extensions.appIDInput, extensions.appIDExcludeInput)
    } throws: { error in
      guard let error = error as? FormatError else { return false }
      return error.member == member
        && [.clientExtensionsInvalidMember, .clientExtensionsMissingMember].contains(error.code)
    }
  }

  @Test func `two names for one credential are rejected`() {
    let extensions: ClientExtensions = [
      "prf": ["evalByCredential": ["AQID": ["first": "AA"], "AQID=": ["first": "AQ"]]]
    ]
    #expect(throws: FormatError.self) { try extensions.prfInputs }
  }

  @Test func `a salt of another length than 32 bytes is rejected`() {
    for count in [0, 31, 33, 64] {
      let salt = [UInt8](repeating: 0, count: count)
      #expect(throws: FormatError.self) { try HMACSecretSalts(salt1: salt) }
      #expect(throws: FormatError.self) { try HMACSecretSalts(salt1: [UInt8](repeating: 0, count: 32), salt2: salt) }
      #expect(throws: FormatError.self) { try HMACSecretOutputs(output1: salt) }
    }
  }

  @Test func `protection policies are ordered by strictness and have names`() {
    #expect(
      RegistrationExtension.CredentialProtection.allCases.sorted()
        == RegistrationExtension.CredentialProtection.allCases)
    #expect(RegistrationExtension.CredentialProtection.allCases.map(\.rawValue) == [1, 2, 3])
    #expect(RegistrationExtension.CredentialProtection.userVerificationOptional < .userVerificationRequired)
    for policy in RegistrationExtension.CredentialProtection.allCases {
      #expect(RegistrationExtension.CredentialProtection(name: policy.name) == policy)
    }
    #expect(RegistrationExtension.CredentialProtection(name: "") == nil)
  }
}
