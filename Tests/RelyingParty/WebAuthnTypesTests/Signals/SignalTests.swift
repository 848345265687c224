// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import Testing
import WebAuthnTypes

@Suite struct SignalTests {
  private static func unknown() throws -> UnknownCredentialSignal {
    UnknownCredentialSignal(
      relyingPartyID: try RelyingPartyID("raxx.app"), credentialID: try CredentialID([0xfb, 0xff]))
  }

  private static func accepted() throws -> AcceptedCredentialsSignal {
    AcceptedCredentialsSignal(
      relyingPartyID: try RelyingPartyID("raxx.app"), user: try UserHandle([1]),
      credentialIDs: [try CredentialID([7]), try CredentialID([8, 9])])
  }

  private static func details() throws -> UserDetailsSignal {
    UserDetailsSignal(
      relyingPartyID: try RelyingPartyID("raxx.app"),
      user: UserEntity(id: try UserHandle([1]), name: "ada@example.com", displayName: "Ada \"λ\""))
  }

  @Test func `signals have the JSON form of their browser methods`() throws {
    #expect(
      String(decoding: try Self.unknown().json, as: UTF8.self) == #"{"rpId":"raxx.app","credentialId":"-_8"}"#)
    #expect(
      String(decoding: try Self.accepted().json, as: UTF8.self)
        == #"{"rpId":"raxx.app","userId":"AQ","allAcceptedCredentialIds":["Bw","CAk"]}"#)
    #expect(
      String(decoding: try Self.details().json, as: UTF8.self)
        == #"{"rpId":"raxx.app","userId":"AQ","name":"ada@example.com","displayName":"Ada \"λ\""}"#)
  }

  @Test func `signals survive a round trip through JSON text and a coder`() throws {
    let unknown = try Self.unknown()
    #expect(try UnknownCredentialSignal(json: unknown.json[...]) == unknown)
    #expect(try UnknownCredentialSignal(json: encode(unknown)) == unknown)
    #expect(try decode(UnknownCredentialSignal.self, from: String(decoding: unknown.json, as: UTF8.self)) == unknown)
    let accepted = try Self.accepted()
    #expect(try AcceptedCredentialsSignal(json: accepted.json[...]) == accepted)
    #expect(try AcceptedCredentialsSignal(json: encode(accepted)) == accepted)
    #expect(
      try decode(AcceptedCredentialsSignal.self, from: String(decoding: accepted.json, as: UTF8.self)) == accepted)
    let details = try Self.details()
    #expect(try UserDetailsSignal(json: details.json[...]) == details)
    #expect(try UserDetailsSignal(json: encode(details)) == details)
    #expect(try decode(UserDetailsSignal.self, from: String(decoding: details.json, as: UTF8.self)) == details)
  }

  @Test func `an empty list of accepted credentials is written`() throws {
    let none = AcceptedCredentialsSignal(
      relyingPartyID: try RelyingPartyID("raxx.app"), user: try UserHandle([1]), credentialIDs: [])
    #expect(
      String(decoding: none.json, as: UTF8.self)
        == #"{"rpId":"raxx.app","userId":"AQ","allAcceptedCredentialIds":[]}"#)
  }

  @Test(arguments: [
    ("1", FormatError.Code.signalMalformed, nil, 0),
    (#"{"rpId":"raxx.app","userId":"AQ"}"#, .signalMissingMember, "allAcceptedCredentialIds", 0),
    (#"{"userId":"AQ","allAcceptedCredentialIds":[]}"#, .signalMissingMember, "rpId", 0),
    (#"{"rpId":"Raxx.app","userId":"AQ","allAcceptedCredentialIds":[]}"#, .relyingPartyIDInvalid, "rpId", 8),
    (#"{"rpId":"raxx.app","userId":"","allAcceptedCredentialIds":[]}"#, .userHandleInvalidLength, "userId", 28),
    (
      #"{"rpId":"raxx.app","userId":"AQ","allAcceptedCredentialIds":["B"]}"#, .signalInvalidMember,
      "allAcceptedCredentialIds", 60
    ),
    (
      #"{"rpId":"raxx.app","userId":"AQ","allAcceptedCredentialIds":[""]}"#, .credentialIDInvalidLength,
      "allAcceptedCredentialIds", 60
    ),
    (
      #"{"rpId":"raxx.app","userId":"AQ","allAcceptedCredentialIds":[1]}"#, .signalInvalidMember,
      "allAcceptedCredentialIds", 61
    ),
  ])
  func `a malformed signal is rejected with its code, position and member`(
    text: String, code: FormatError.Code, member: String?, offset: Int
  ) {
    #expect {
      try AcceptedCredentialsSignal(json: text.bytes)
    } throws: { error in
      let error = error as? FormatError
      return error?.code == code && error?.member == member && error?.offset == offset
    }
  }
}
