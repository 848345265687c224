// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyProfiles
import PasskeyServiceTestSupport
import Testing

@testable import PasskeyHTTP

struct ReplacementEndpointTests {
  @Test func `the session that removed the last passkey adds another one, exports and erases for ten minutes`()
    async throws
  {
    try await Scenarios.replacements(EndpointWorld())
  }

  @Test func `after ten minutes nothing is left without a confirmation`() async throws {
    let world = try EndpointWorld()
    let ada = try await Visitor.signedIn(world, "ada@example.org")
    try await ada.removeLastPasskey()
    world.pass(599)
    try await ada.ask(.exportAccount).expect(200)
    world.pass(1)
    #expect(try await !ada.ask(.me).expect(200).body.contains("replacementEnd"))
    try await ada.ask(.registerOptions, "", "{}").expect(401, "step-up.required")
    try await ada.ask(.addCredentialOptions).expect(401, "step-up.required")
    try await ada.ask(.exportAccount).expect(401, "step-up.required")
    try await ada.ask(.eraseAccount).expect(401, "step-up.required")
  }
}

extension Visitor {
  fileprivate func removeLastPasskey() async throws {
    try await askConfirmed("DELETE", "/api/auth/credentials/\(credential)?allowLast=true").expect(204)
  }
}

extension Scenarios {
  static func replacements(_ world: EndpointWorld) async throws {
    let ada = try await Visitor.signedIn(world, "ada@example.org")
    #expect(try await !ada.ask(.me).expect(200).body.contains("replacementEnd"))
    try await ada.ask(.exportAccount).expect(401, "step-up.required")
    try await ada.removeLastPasskey()
    #expect(try await ada.ask(.me).expect(200)["replacementEnd"] == "\(world.now + .seconds(600))")
    #expect(try await ada.ask(.exportAccount).expect(200).body.contains("lastPasskeyRemoved"))
    // Nothing else.
    try await ada.ask("POST", "/api/orders", "{}").expect(401, "step-up.required")
    try await ada.ask("DELETE", "/api/auth/credentials/AAAA").expect(401, "step-up.required")
    try await ada.stepUpOptions("POST", "/api/orders", "{}").expect(403, "step-up.impossible")
    // A new passkey, and with it confirmations as before.
    var next = ada
    next.person = try Person()
    let options = try await ada.ask(.addCredentialOptions).expect(200)
    let made = try await ada.ask(.addCredentialVerify, "", next.person.create(options.body)).expect(200)
    next.credential = try made["credential", "id"]
    #expect(try await !ada.ask(.me).expect(200).body.contains("replacementEnd"))
    try await ada.ask(.exportAccount).expect(401, "step-up.required")
    try await next.askConfirmed(.exportAccount).expect(200)
    // Without a passkey again, the account is erased.
    try await next.removeLastPasskey()
    try await next.ask(.eraseAccount).expect(204)
    try await next.ask(.me).expect(401, "session.unknown")
  }
}
