// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes
import WireFormats

/// A page whose user has a device.
private final class Page {
  private var device: TestDevice

  init() throws {
    device = try TestDevice(challenge: Challenge([UInt8](repeating: 0, count: 32)))
  }

  func create(_ json: [UInt8]) throws -> [UInt8] {
    device.type = .create
    device.challenge = try CreationOptions(json: json[...]).challenge
    return try device.registration().json
  }

  func get(_ json: [UInt8]) throws -> [UInt8] {
    device.type = .get
    device.challenge = try RequestOptions(json: json[...]).challenge
    return try device.authentication().json
  }
}

@Suite struct ServerDevelopersTests {
  @Test func `the four verbs do as the page says`() throws {
    let page = try Page()
    let user = try UserEntity(id: UserHandle([UInt8]("user-1".utf8)), name: "ada@example.org", displayName: "Ada")

    // [shown]
    let relyingParty = try RelyingParty(
      id: RelyingPartyID("raxx.app"), name: "Raxx", origins: [Origin("https://raxx.app")])

    let now = Timestamp(secondsSince1970: Int64(Date().timeIntervalSince1970))  // Foundation's, or any other clock

    // Register. The options go to the page; what is pending goes into a store and is taken out again, once.
    let creation = try relyingParty.beginRegistration(of: user, at: now)
    let created = try page.create(creation.options.json)  // what the page posts back
    let registration = try relyingParty.finishRegistration(
      RegistrationResponse(json: created[...]), pending: creation.pending, existing: nil, at: now)
    var stored = registration.credential

    // Sign in.
    let request = try relyingParty.beginAuthentication(of: .fromResponse, at: now)
    let got = try page.get(request.options.json)
    let signIn = try relyingParty.finishAuthentication(
      AuthenticationResponse(json: got[...]), pending: request.pending, credential: stored, at: now)
    stored = signIn.credential
    // [until here]

    #expect(signIn.user == user.id)
    #expect(stored.record.id == registration.credential.record.id)
  }
}
