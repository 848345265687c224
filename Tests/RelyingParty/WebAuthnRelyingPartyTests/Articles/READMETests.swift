// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

/// Runs the library example of the README.
@Suite struct READMETests {
  /// Signs in with a credential; `browser` creates the response to the options.
  private static func signIn(
    with stored: StoredCredential, cookie: String, at now: UnixTime, browser: ([UInt8]) throws -> [UInt8]
  ) throws -> StoredCredential {
    // [shown]
    let relyingParty = try RelyingParty(
      id: RelyingPartyID("raxx.app"), name: "Raxx", origins: [WebOrigin("https://raxx.app")])

    // Begin: send the options to the page, and keep the pending ceremony.
    let session = CeremonyBinding(cookie)  // no other browser can finish the ceremony
    let begun = try relyingParty.beginAuthentication(of: .fromResponse, binding: session, at: now)
    let body = try browser(begun.options.json)

    // Finish: throws a code and a step of the standard unless the response passes every step.
    let response = try AuthenticationResponse(json: body)
    let result = try relyingParty.finishAuthentication(
      response, pending: begun.pending, binding: session, credential: stored, at: now)
    // [until here]
    return result.credential
  }

  @Test func `the example signs in`() throws {
    var device = try TestDevice(challenge: Challenge([UInt8](repeating: 0, count: 32)))
    let now = CeremonyWorld.now
    let relyingParty = try RelyingParty(
      id: RelyingPartyID("raxx.app"), name: "Raxx", origins: [WebOrigin("https://raxx.app")])
    let user = try UserEntity(id: UserHandle([UInt8]("user-1".utf8)), name: "ada@example.org", displayName: "Ada")
    let begun = try relyingParty.beginRegistration(of: user, at: now)
    device.challenge = begun.options.challenge
    let registered = try relyingParty.finishRegistration(
      RegistrationResponse(json: device.registration().json[...]), pending: begun.pending,
      existing: CredentialLookup(nil), at: now)
    device.type = .get
    let credential = try Self.signIn(with: registered.credential, cookie: "a random value", at: now) { (options) in
      device.challenge = try RequestOptions(json: options[...]).challenge
      return try device.authentication().json
    }
    #expect(credential.record.id == registered.credential.record.id)
  }
}
