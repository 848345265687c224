// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyProfiles
import PasskeyService
import PasskeyServiceTestSupport
import Testing

@testable import PasskeyHTTP

struct ReverificationEndpointTests {
  @Test func `the user of a session is verified again without another session`() async throws {
    try await Scenarios.reverification(EndpointWorld())
  }

  @Test func `a session that was unused for long is refused until its user is verified`() async throws {
    try await Scenarios.unverified(EndpointWorld { $0.sessions.verificationLimit = .seconds(120) })
  }

  @Test func `options say when they expire and how a page asks`() async throws {
    try await Scenarios.pages(EndpointWorld { $0.uiMode = .immediate })
  }
}

extension Scenarios {
  static func reverification(_ world: EndpointWorld) async throws {
    let ada = try await Visitor.signedIn(world, "ada@example.org")
    let bob = try await Visitor.signedIn(world, "bob@example.org")
    let session = try await ada.ask(.me).expect(200)["session", "id"]
    try await Visitor(world, "eve@example.org").ask(.reverifyOptions).expect(401, "session.unknown")
    let response = try await ada.person.get(ada.ask(.reverifyOptions).expect(200).body)
    let verified = try await ada.ask(.reverifyVerify, "", response).expect(200)
    #expect(try verified["session", "id"] == session && verified["account", "id"] == ada.id)
    #expect(try await ada.ask(.sessions).expect(200).count("sessions") == 1)
    try await ada.ask(.reverifyVerify, "", response).expect(410, "session.verification-unknown")
    // Another user's passkey.
    let options = try await ada.ask(.reverifyOptions).expect(200).body.replacingAllowed()
    try await ada.ask(.reverifyVerify, "", bob.person.get(options)).expect(403, "session.verification-refused")
    try await ada.askConfirmed("DELETE", "/api/auth/credentials/\(ada.credential)?allowLast=true").expect(204)
    try await ada.ask(.reverifyOptions).expect(403, "session.verification-impossible")
  }

  static func unverified(_ world: EndpointWorld) async throws {
    let ada = try await Visitor.signedIn(world, "ada@example.org")
    try await ada.ask(.me).expect(200)
    world.pass(150)
    try await ada.ask(.me).expect(401, "session.verification-required")
    let options = try await ada.ask(.reverifyOptions).expect(200)
    try await ada.ask(.reverifyVerify, "", ada.person.get(options.body)).expect(200)
    try await ada.ask(.me).expect(200)
    world.pass(150)
    try await ada.ask(.signOut).expect(204)
  }

  static func pages(_ world: EndpointWorld) async throws {
    let now = EndpointWorld.start
    let modal = try await world.send("POST", "/api/auth/login/options", "{}").expect(200)
    #expect(try modal["expiresAt"] == (now + .seconds(300)).description)
    #expect(try modal["uiMode"] == "immediate")
    let body = #"{"mediation":"conditional"}"#
    let conditional = try await world.send("POST", "/api/auth/login/options", body).expect(200)
    #expect(try conditional["expiresAt"] == (now + .seconds(1_800)).description)
    // Immediate mediation and autofill exclude each other.
    #expect(!conditional.body.contains("uiMode"))
    // The browser shows a page's own list for a named account.
    let named = try await world.send("POST", "/api/auth/login/options", #"{"email":"ada@example.org"}"#).expect(200)
    #expect(!named.body.contains("uiMode"))
    try await world.send("POST", "/api/auth/login/options", #"{"mediation":"loud"}"#)
      .expect(400, "http.body-invalid-member")
  }
}
