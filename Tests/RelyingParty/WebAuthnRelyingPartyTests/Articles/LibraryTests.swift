// SPDX-License-Identifier: Apache-2.0

import Testing

// [shown]
import WebAuthnFoundation
import WebAuthnRelyingParty
// [until here]

/// A page in a browser with a test device.
private final class Page {
  private var device: TestDevice

  init() throws {
    device = try TestDevice(challenge: Challenge([UInt8](repeating: 0, count: 32)))
  }

  func create(_ json: [UInt8]) throws -> [UInt8] {
    device.type = .create
    let options = try CreationOptions(json: json)
    device.challenge = options.challenge
    device.userHandle = Array(options.user.id.bytes)
    return try device.registration().json
  }

  func get(_ json: [UInt8]) throws -> [UInt8] {
    device.type = .get
    device.challenge = try RequestOptions(json: json).challenge
    return try device.authentication().json
  }
}

/// A table with one row.
private final class Table {
  private var ceremony: [UInt8]?

  func keep(_ ceremony: [UInt8]) {
    self.ceremony = ceremony
  }

  func take() throws -> [UInt8] {
    defer { ceremony = nil }
    return try #require(ceremony)
  }

  func credential(_ id: CredentialID) -> StoredCredential? { nil }
}

@Suite struct LibraryTests {
  @Test func `the four calls of the page register and sign in`() throws {
    let page = try Page()
    let store = Table()
    let cookie = "a random value"
    // [shown]
    let relyingParty = try RelyingParty(
      id: RelyingPartyID("raxx.app"), name: "Raxx", origins: [WebOrigin("https://raxx.app")])

    // A new user: a random handle that you store with the account, and the name that people see.
    let user = UserEntity(id: try .random(), name: "ada@example.org", displayName: "Ada")

    let browser = CeremonyBinding(cookie)  // the value of the session cookie
    let now = UnixTime.now
    // [until here]

    // [shown]
    // POST /register/options: respond with creation.options.json.
    let creation = try relyingParty.beginRegistration(of: user, binding: browser, at: now)
    store.keep(creation.pending.bytes)
    // [until here]
    let registrationBody = try page.create(creation.options.json)

    // [shown]
    // POST /register/verify: registrationBody is what the page posts. Store registration.credential.
    let created = try RegistrationResponse(json: registrationBody)
    let registration = try relyingParty.finishRegistration(
      created, pending: PendingRegistration(taken: store.take()), binding: browser,
      existing: CredentialLookup(store.credential(created.id)), at: now)
    // [until here]
    let stored = registration.credential

    // [shown]
    // POST /login/options: respond with request.options.json.
    let request = try relyingParty.beginAuthentication(of: .fromResponse, binding: browser, at: now)
    store.keep(request.pending.bytes)
    // [until here]
    let signInBody = try page.get(request.options.json)

    // [shown]
    // POST /login/verify: signInBody is what the page posts. Look up `stored` by response.id, and store signIn.credential.
    let response = try AuthenticationResponse(json: signInBody)
    let signIn = try relyingParty.finishAuthentication(
      response, pending: PendingAuthentication(taken: store.take()), binding: browser, credential: stored, at: now)
    // [until here]

    #expect(signIn.user == user.id)
    #expect(signIn.credential.record.id == registration.credential.record.id)
  }
}
