// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnAuthenticator
import WebAuthnTypes

struct SelfAttestationMakerTests {
  @Test func `the credential's key signs the authenticator data and the client data's hash`() throws {
    let key = try SigningKey.generate(.es256, random: .seeded(hex("01")[...]))
    let data = try AuthenticatorData(parsing: ([UInt8](repeating: 7, count: 32) + [1, 0, 0, 0, 0])[...])
    let subject = AttestationSubject(
      authenticatorData: data, clientDataHash: [UInt8](repeating: 9, count: 32)[...], credentialKey: key)

    guard case .map(let members) = try SelfAttestationMaker().statement(for: subject),
      case .bytes(let signature) = members["sig"]
    else {
      Issue.record("no signature")
      return
    }
    #expect(members["alg"] == -7)
    try key.publicKey.verify(signature[...], over: data.encoded + subject.clientDataHash)
  }
}
