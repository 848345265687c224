// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyProfiles
import PasskeyService
import PasskeyServiceTestSupport
import PasskeyStorage
import Testing

@testable import PasskeyHTTP

/// Sign-ups that begin with the verification of the address.
struct NewAddressEndpointTests {
  @Test func `an address is verified before there is a passkey`() async throws {
    try await Scenarios.verifiedFirst(EndpointWorld { Scenarios.mailing(&$0, .required) })
  }

  @Test func `a profile whose verification gives no code does not offer to begin with it`() async throws {
    let profile = try ServiceProfile(
      json: Array(
        #"""
        {"name": "shop", "extends": "raxx", "endpoints":
          {"verify-email": {"response": {"account?": {"$shape": "account"}, "token?": "$session.token"}}}}
        """#.utf8))
    let world = try EndpointWorld(profile) { Scenarios.mailing(&$0, .required) }
    let described = try await world.send("GET", "/.well-known/passkey-endpoints").expect(200).body
    #expect(described.contains("verify-email") && !described.contains("begin-sign-up"))
    try await Visitor(world, "ada@example.org").ask(.beginSignUp, "", #"{"email":"ada@example.org"}"#)
      .expect(404, "http.not-found")
  }
}

extension Scenarios {
  static func verifiedFirst(_ world: EndpointWorld) async throws {
    var ada = try Visitor(world, "ada@example.org")
    try await ada.ask(.beginSignUp, "", #"{"email":"x"}"#).expect(422, "account.email-invalid")
    let begun = try await ada.ask(.beginSignUp, "", #"{"email":"ada@example.org"}"#).expect(200)
    let verified = try await world.verify(begun, at: ada).expect(200)
    #expect((try? verified["account", "id"]) == nil && (try? verified["token"]) == nil)
    #expect(try verified["signUp", "expiresAt"] == (world.now + .seconds(900)).description)
    let code = try verified["signUp", "code"]
    try await Visitor(world, "bob@example.org").registerOptions(code: code).expect(403, "sign-up.code-refused")
    ada.take(try await ada.signUp(code: code).expect(200))
    #expect(try await ada.ask(.me).expect(200)["account", "emailVerifiedAt"] == world.now.description)

    // A taken address gets the same answer.
    let taken = try await Visitor(world, "eve@example.org").ask(.beginSignUp, "", #"{"email":"ada@example.org"}"#)
    #expect(try taken.expect(200)["verification", "expiresAt"] == begun["verification", "expiresAt"])
    #expect(try await world.takeMails().last { $0.code != nil || $0.event == .signUpAttempted }?.code == nil)
    world.faults.fail(with: StorageError(.unavailable))
    try await ada.ask(.beginSignUp, "", #"{"email":"ada@example.org"}"#).expect(503, "service.storage-unavailable")
    world.faults.fail(with: nil)
  }
}
