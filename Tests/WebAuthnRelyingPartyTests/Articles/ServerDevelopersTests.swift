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

/// A table with one row.
private final class Table {
  private var ceremony: [UInt8]?

  func keep(_ ceremony: [UInt8]) {
    self.ceremony = ceremony
  }

  func take() throws -> Bytes {
    defer { ceremony = nil }
    return try #require(ceremony)[...]
  }

  func credential(_ id: CredentialID) -> StoredCredential? { nil }
}

@Suite struct ServerDevelopersTests {
  @Test func `the four verbs do as the page says`() throws {
    let page = try Page()
    let store = Table()
    let cookie = [UInt8]("a random value".utf8)
    let user = try UserEntity(id: UserHandle([UInt8]("user-1".utf8)), name: "ada@example.org", displayName: "Ada")

    // [shown]
    let relyingParty = try RelyingParty(
      id: RelyingPartyID("raxx.app"), name: "Raxx", origins: [Origin("https://raxx.app")])

    let now = Timestamp(secondsSince1970: Int64(Date().timeIntervalSince1970))  // Foundation's, or any other clock

    // Register. The options go to the page, the pending ceremony into a store; finishing consumes it.
    let browser = CeremonyBinding(cookie[...])  // what ties both halves to one browser
    let creation = try relyingParty.beginRegistration(of: user, binding: browser, at: now)
    store.keep(creation.pending.bytes)
    let created = try RegistrationResponse(json: page.create(creation.options.json)[...])
    let registration = try relyingParty.finishRegistration(
      created, pending: PendingRegistration(taken: store.take()), binding: browser,
      existing: CredentialLookup(store.credential(created.id)), at: now)
    var stored = registration.credential

    // Sign in.
    let request = try relyingParty.beginAuthentication(of: .fromResponse, binding: browser, at: now)
    let got = try AuthenticationResponse(json: page.get(request.options.json)[...])
    let signIn = try relyingParty.finishAuthentication(
      got, pending: request.pending, binding: browser, credential: stored, at: now)
    stored = signIn.credential
    // [until here]

    #expect(signIn.user == user.id)
    #expect(stored.record.id == registration.credential.record.id)
  }
}
