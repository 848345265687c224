// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyProfiles
import PasskeyService
import PasskeyServiceTestSupport
import Testing
import WebAuthnTypes

@testable import PasskeyHTTP

struct AccountEndpointTests {
  @Test func `Sessions are listed and ended`() async throws {
    try await Scenarios.sessions(EndpointWorld())
  }

  @Test func `Passkeys are added, renamed and deleted`() async throws {
    try await Scenarios.credentials(EndpointWorld { $0.maximumPasskeyCount = 2 })
  }

  @Test func `suspicious signals of a passkey are shown to its owner`() async throws {
    try await Scenarios.suspicions(EndpointWorld())
  }

  @Test func `a passkey is added at endpoints of their own`() async throws {
    try await Scenarios.additions(EndpointWorld { $0.maximumPasskeyCount = 2 })
  }

  @Test func `notification preferences are set and shown`() async throws {
    try await Scenarios.preferences(EndpointWorld())
  }

  @Test func `Devices are registered and erased`() async throws {
    try await Scenarios.devices(EndpointWorld { $0.maximumDeviceCount = 1 })
  }

  @Test func `an account is exported and erased completely`() async throws {
    try await Scenarios.account(EndpointWorld())
  }
}

extension Scenarios {
  static func sessions(_ world: EndpointWorld) async throws {
    let ada = try await Visitor.signedIn(world, "ada@example.org")
    var second = ada
    second.token = nil
    second.take(try await second.signIn().expect(200))
    let me = try await second.ask(.me).expect(200)
    let id = try me["session", "id"]
    #expect(try me["session", "browser"] == "Firefox" && me["session", "system"] == "Linux")
    try await ada.ask(.revokeSession, id).expect(204)
    try await second.ask(.me).expect(401, "session.unknown")
    try await ada.ask(.revokeSession, id).expect(404, "http.not-found")
    try await ada.ask(.revokeSession, "none").expect(404, "http.not-found")
    second.token = nil
    second.take(try await second.signIn().expect(200))
    try await ada.ask("DELETE", "/api/auth/sessions?others=true").expect(200)
    try await second.ask(.me).expect(401, "session.unknown")
    try await ada.ask(.me).expect(200)
    try await ada.ask(.revokeSessions).expect(200)
    try await ada.ask(.me).expect(401, "session.unknown")
  }

  static func credentials(_ world: EndpointWorld) async throws {
    let ada = try await Visitor.signedIn(world, "ada@example.org")
    // Adding a passkey requires a confirmation. With two additions pending, the second exceeds the limit.
    try await ada.ask(.registerOptions, "", "{}").expect(401, "step-up.required")
    let offer = String(repeating: "A", count: 43)
    try await ada.ask(.registerOptions, "", #"{"conditionalCreate":"\#(offer)"}"#).expect(403, "passkey.offer-refused")
    try await ada.ask(.registerOptions, "", #"{"conditionalCreate":"x"}"#).expect(400, "http.body-invalid-member")
    let (one, other) = (try await ada.additionOptions(), try await ada.additionOptions())
    let second = try Person()
    let named = #"{"credential":\#(try await second.create(one.body)),"name":"My key"}"#
    let added = try await ada.ask(.registerVerify, "", named).expect(200)
    #expect(try added["credential", "name"] == "My key")
    #expect((try? added["token"]) == nil)
    try await ada.ask(.registerVerify, "", Person().create(other.body)).expect(409, "passkey.too-many")
    try await ada.askConfirmed(.registerOptions, "", "{}").expect(409, "passkey.too-many")

    let list = try await ada.ask(.credentials).expect(200)
    #expect(try list.count("credentials") == 2)
    #expect(list.body.contains(#""allAcceptedCredentialIds":["#))
    let id = try added["credential", "id"]
    #expect(try await ada.ask(.credential, id).expect(200)["name"] == "My key")
    let renamed = try await ada.ask(.renameCredential, id, #"{"name":"Desk"}"#).expect(200)
    #expect(try renamed["name"] == "Desk")
    try await ada.ask(.renameCredential, id, #"{"name":"\u0007"}"#).expect(422, "passkey.name-invalid")

    // Another account's credentials look nonexistent.
    let bob = try await Visitor.signedIn(world, "bob@example.org")
    for unknown in [bob.credential, "AAAA"] {
      try await ada.ask(.credential, unknown).expect(404, "http.not-found")
      try await ada.ask(.renameCredential, unknown, #"{"name":"Desk"}"#).expect(404, "passkey.unknown")
      try await ada.askConfirmed(.deleteCredential, unknown).expect(404, "passkey.unknown")
    }
    try await ada.askConfirmed(.deleteCredential, id).expect(204)
    try await ada.askConfirmed(.deleteCredential, ada.credential).expect(409, "passkey.last")
    try await ada.askConfirmed("DELETE", "/api/auth/credentials/\(ada.credential)?allowLast=true").expect(204)
  }

  static func additions(_ world: EndpointWorld) async throws {
    let ada = try await Visitor.signedIn(world, "ada@example.org")
    try await ada.ask(.addCredentialOptions).expect(401, "step-up.required")
    var begun: [String] = []
    for _ in 0..<3 { begun.append(try await ada.askConfirmed(.addCredentialOptions).expect(200).body) }
    let foreign = try await Person(at: "https://evil.example").create(begun[2])
    try await ada.ask(.addCredentialVerify, "", foreign).expect(403, "service.origin-mismatch")
    let response = try await Person().create(begun[0])
    let unnamed = #"{"credential":\#(response),"name":"\u0007"}"#
    try await ada.ask(.addCredentialVerify, "", unnamed).expect(422, "passkey.name-invalid")
    let named = #"{"credential":\#(response),"name":"Phone"}"#
    let added = try await ada.ask(.addCredentialVerify, "", named).expect(200)
    #expect(try added["credential", "name"] == "Phone")
    #expect(try added["account", "id"] == ada.id)
    try await ada.ask(.addCredentialVerify, "", named).expect(410, "sign-up.ceremony-unknown")
    try await ada.ask(.addCredentialVerify, "", Person().create(begun[1])).expect(409, "passkey.too-many")
    try await ada.askConfirmed(.addCredentialOptions).expect(409, "passkey.too-many")
  }

  static func preferences(_ world: EndpointWorld) async throws {
    let ada = try await Visitor.signedIn(world, "ada@example.org")
    #expect(try await ada.ask(.preferences).expect(200).body == "{}")
    let chosen = #"{"orders":true,"reports":false}"#
    #expect(try await ada.ask(.setPreferences, "", chosen).expect(200).body == chosen)
    #expect(try await ada.ask(.preferences).expect(200).body == chosen)
    // The new preferences replace the old ones.
    let replaced = #"{"reports":true}"#
    try await ada.ask(.setPreferences, "", replaced).expect(200)
    #expect(try await ada.ask(.preferences).expect(200).body == replaced)
    try await ada.ask(.setPreferences, "", #"{"a b":true}"#).expect(422, "account.preferences-invalid")
    let bob = try await Visitor.signedIn(world, "bob@example.org")
    #expect(try await bob.ask(.preferences).expect(200).body == "{}")

    // A new account has the language and the time zone of its browser.
    var eva = try Visitor(world, "eva@example.org")
    eva.fields = [("Accept-Language", "de-AT, en;q=0.5"), ("Time-Zone", "Europe/Vienna")]
    eva.take(try await eva.signUp().expect(200))
    let known = #"{"language":"de","timeZone":"Europe/Vienna"}"#
    #expect(try await eva.ask(.preferences).expect(200).body == known)
    for refused in [#"{"timeZone":"Europe/Atlantis"}"#, #"{"language":"Deutsch"}"#, #"{"language":""}"#] {
      try await eva.ask(.setPreferences, "", refused).expect(422, "account.preferences-invalid")
    }
    try await eva.ask(.setPreferences, "", #"{"language":true}"#).expect(400)
    #expect(try await eva.ask(.preferences).expect(200).body == known)
    let changed = #"{"reports":false,"language":"fr","timeZone":"Europe/Vienna"}"#
    #expect(
      try await eva.ask(.setPreferences, "", #"{"language":"fr-CH","reports":false}"#).expect(200).body == changed)
    #expect(try await eva.ask(.preferences).expect(200).body == changed)
    let export = try await eva.askConfirmed(.exportAccount).expect(200)
    #expect(try export["account", "language"] == "fr" && export["account", "timeZone"] == "Europe/Vienna")
  }

  static func suspicions(_ world: EndpointWorld) async throws {
    var ada = try await Visitor.signedIn(world, "ada@example.org")
    let handle = try UserHandle(base64URL: ada.id)
    let account = try #require(try await world.storage.account(handle))
    var passkey = try #require(try await world.storage.passkeys(of: handle).first)
    passkey.cloneSignal = EndpointWorld.start
    passkey.backupSignal = EndpointWorld.start
    // Store the account as if it had always been in this state.
    _ = try await world.storage.erase(handle, spending: nil, audit: [])
    _ = try await world.storage.register(
      RegistrationCommit(
        owner: .newAccount(account), passkey: passkey, code: nil, opening: nil, maximumPasskeyCount: 9,
        time: EndpointWorld.start, audit: []))
    ada.token = nil
    ada.take(try await ada.signIn().expect(200))
    let shown = try await ada.ask(.credential, ada.credential).expect(200)
    #expect(try shown["cloneSuspectedAt"] == EndpointWorld.start.description)
    #expect(try shown["backupEligibilityChangedAt"] == EndpointWorld.start.description)
    let export = try await ada.askConfirmed(.exportAccount).expect(200)
    #expect(export.body.contains(#""cloneSignal""#) && export.body.contains(#""backupSignal""#))
  }

  static func devices(_ world: EndpointWorld) async throws {
    let ada = try await Visitor.signedIn(world, "ada@example.org")
    let details = #"{"token":"0123abcd","platform":"ios","timeZone":"Europe/Vienna"}"#
    let device = try await ada.ask(.registerDevice, "", details).expect(200)
    let stored = try await world.storage.devices(of: UserHandle(base64URL: ada.id))
    #expect(stored.map(\.platform) == ["ios"] && stored.map(\.timeZone) == ["Europe/Vienna"])
    #expect(try device["service"] == "apns")
    let again = try await ada.ask(.registerDevice, "", #"{"token":"0123abcd"}"#).expect(200)
    #expect(try again["id"] == device["id"])
    try await ada.ask(.registerDevice, "", #"{"token":"4567"}"#).expect(409, "device.too-many")
    try await ada.ask(.registerDevice, "", #"{"token":"a b"}"#).expect(422, "device.invalid")
    let bob = try await Visitor.signedIn(world, "bob@example.org")
    // The list has no token, and is the account's own.
    let listed = try await ada.ask(.devices).expect(200)
    #expect(try listed.count("devices") == 1 && !listed.body.contains("0123abcd"))
    #expect(listed.body.contains(#""platform":"ios","timeZone":"Europe/Vienna""#))
    #expect(try await bob.ask(.devices).expect(200).count("devices") == 0)
    let id = try device["id"]
    for unknown in [id, "AAAA"] { try await bob.ask(.revokeDevice, unknown).expect(404) }
    // A device of another account stays. A repeated request has succeeded.
    try await bob.ask(.eraseDevice, "", #"{"token":"0123abcd"}"#).expect(204)
    let handle = try UserHandle(base64URL: ada.id)
    #expect(try await world.storage.devices(of: handle).map { $0.revoked == nil } == [true])
    for _ in 1...2 { try await ada.ask(.eraseDevice, "", #"{"token":"0123abcd"}"#).expect(204) }
    #expect(try await world.storage.devices(of: handle).map { $0.revoked == nil } == [false])
    let second = try await ada.ask(.registerDevice, "", details).expect(200)
    let identifier = try second["id"]
    try await ada.ask(.revokeDevice, identifier).expect(204)
    try await ada.ask(.revokeDevice, identifier).expect(404)
    #expect(try await ada.ask(.devices).expect(200).count("devices") == 0)
  }

  static func account(_ world: EndpointWorld) async throws {
    let ada = try await Visitor.signedIn(world, "ada@example.org")
    try await ada.ask(.registerDevice, "", #"{"token":"0123abcd"}"#).expect(200)
    // The records of the export have proofs.
    try await world.service.beginAuditLog(in: world.console)
    try await world.service.sweep(at: world.now)
    let export = try await ada.askConfirmed(.exportAccount).expect(200)
    #expect(try export["account", "email"] == "ada@example.org")
    #expect(export.header("content-disposition")?.contains("attachment") == true)
    try await ada.ask(.exportAccount).expect(401, "step-up.required")
    try await ada.ask(.eraseAccount).expect(401, "step-up.required")
    try await ada.askConfirmed(.eraseAccount).expect(204)
    try await ada.ask(.me).expect(401, "session.unknown")
    // The address is available again.
    try await Visitor(world, "ada@example.org").signUp().expect(200)
    let root = try await Visitor.administrator(world)
    try await root.askConfirmed(.eraseAccount).expect(409, "account.last-administrator")
  }
}
