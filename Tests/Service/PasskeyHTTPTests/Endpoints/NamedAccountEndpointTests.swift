// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyProfiles
import PasskeyService
import PasskeyServiceTestSupport
import Testing
import WebAuthnTypes

@testable import PasskeyHTTP

/// Accounts with user names and UUIDs, as Yapt and Aiday have them.
struct NamedAccountEndpointTests {
  private func status(_ world: EndpointWorld, _ email: String = "ada%40example.org") async throws -> String {
    try await world.send("GET", "/auth/status?username=ada&email=\(email)").expect(200)["status"]
  }

  @Test func `a pending account holds tokens and reads only its profile`() async throws {
    let world = try EndpointWorld(.aiday)
    var ada = try Visitor(world, "ada@example.org")
    ada.take(try await ada.signUp().expect(202))
    #expect(UserHandle(uuid: ada.id) != nil)
    let me = try await ada.ask(.me).expect(200)
    #expect(try me["username"] == "ada" && me["email"] == "ada@example.org" && me["approvalStatus"] == "pending")
    try await ada.ask(.preferences).expect(403, "session.account-pending")
    try await ada.ask(.users).expect(403, "session.account-pending")
    #expect(try await status(world) == "pending")
    try await ada.ask(.signOut).expect(204)

    let root = try await Visitor.administrator(world)
    try await root.ask(.updateUser, ada.id, #"{"status":"active"}"#).expect(200)
    #expect(try await status(world) == "approved")
    // A pair of names that belongs to no account counts as pending.
    #expect(try await status(world, "eve%40example.org") == "pending")
    try await world.send("GET", "/auth/status?username=ada").expect(400, "http.target-malformed")
    ada.take(try await ada.signIn().expect(200))
    try await ada.ask(.preferences).expect(200)
  }

  @Test func `an administrator changes the state and the role of an account in one request`() async throws {
    let world = try EndpointWorld(.aiday) { $0.signUp = .open }
    let root = try await Visitor.administrator(world)
    let ada = try await Visitor.signedIn(world, "ada@example.org")
    let made = try await root.ask(.updateUser, ada.id.uppercased(), #"{"role":"admin"}"#).expect(200)
    #expect(try made["role"] == "admin" && made["status"] == "active" && made["id"] == ada.id)
    let both = try await root.ask(.updateUser, ada.id, #"{"role":"viewer","status":"disabled"}"#).expect(200)
    #expect(try both["role"] == "viewer" && both["status"] == "disabled")
    #expect(try await status(world) == "rejected")
    try await ada.ask(.me).expect(401, "session.unknown")
    try await root.ask(.updateUser, ada.id, #"{"status":"pending"}"#).expect(409, "account.state-conflict")
    try await root.ask(.updateUser, ada.id, #"{"status":"asleep"}"#).expect(400, "http.body-invalid-member")
    let unknown = "0d9c3c1e-6b5e-4e0e-9a3f-3a6f1f6f2b11"
    try await root.ask(.updateUser, unknown, #"{"role":"viewer"}"#).expect(404, "account.unknown")
    let feed = try await root.ask("GET", "/admin/changes?limit=10").expect(200)
    let actors = try JSON.parse(feed.body).array.map { try $0.require("actor").string }
    #expect(actors.first == root.id)
  }

  @Test func `an administrator's client that does not page gets all accounts, of which some are pending`() async throws
  {
    let world = try EndpointWorld(.aiday)
    let root = try await Visitor.administrator(world)
    for number in 1...105 {
      let names = AccountNames(
        username: try Username("user\(number)"), email: try EmailAddress("user\(number)@example.org"))
      _ = try await world.service.createAccount(names, roles: [], by: .console, in: world.console)
    }
    let users = try await root.ask("GET", "/admin/users").expect(200)
    #expect(try JSON.parse(users.body).array.map { try $0.require("id").string }.count == 106)
  }

  @Test func `the feed of changes shows the embedding server's events in their category`() async throws {
    let world = try EndpointWorld(.aiday) { $0.signUp = .open }
    let root = try await Visitor.administrator(world)
    let session = try await world.service.authenticate(Token(#require(root.token)), in: world.console)
    for event in ["risk.limit-changed", "bot.stopped", "order.filled"] {
      try await world.service.record(AuditEvent(rawValue: event), by: session, subject: nil, in: world.console)
    }
    let feed = try await JSON.parse(root.ask("GET", "/admin/changes?limit=3").expect(200).body).array
    #expect(try feed.map { try $0.require("summary").string } == ["order.filled", "bot.stopped", "risk.limit-changed"])
    #expect(try feed.map { try $0.require("category").string } == ["user", "bot", "risk"])
    #expect(try feed.allSatisfy { try $0.require("actor").string == root.id })
  }

  @Test func `preferences without a choice are on, and a named one leaves the others as they are`() async throws {
    let world = try EndpointWorld(.aiday) { $0.signUp = .open }
    let ada = try await Visitor.signedIn(world, "ada@example.org")
    #expect(
      try await ada.ask(.preferences).expect(200).body == #"{"botEventsEnabled":true,"reportsEnabled":true}"#)
    let chosen = #"{"botEventsEnabled":false,"reportsEnabled":true}"#
    #expect(try await ada.ask(.setPreferences, "", chosen).expect(200).body == chosen)
    #expect(try await ada.ask(.preferences).expect(200).body == chosen)
  }

  @Test func `a device is revoked by its token alone`() async throws {
    let world = try EndpointWorld(.aiday) { $0.signUp = .open }
    let ada = try await Visitor.signedIn(world, "ada@example.org")
    try await ada.ask(.registerDevice, "", #"{"token":"0123abcd","platform":"android"}"#).expect(200)
    for _ in 1...2 { try await ada.ask(.eraseDevice, "", #"{"token":"0123abcd"}"#).expect(204) }
    #expect(try await world.storage.devices(of: UserHandle(base64URL: ada.id)).allSatisfy { $0.revoked != nil })
  }

  @Test func `a user name is any text, unique in any case, and refused at once if it is taken`() async throws {
    let world = try EndpointWorld(.yapt)
    let ada = try await Visitor.signedIn(world, "Ada of the Sea")
    #expect(try await ada.ask(.me).expect(200)["user", "username"] == "Ada of the Sea")
    try await Visitor(world, "ADA OF THE SEA").registerOptions().expect(409, "sign-up.username-taken")
    try await Visitor(world, "ab").registerOptions().expect(400, "account.username-invalid")
    try await Visitor(world, "").registerOptions().expect(400, "account.username-invalid")
  }
}
