// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyHTTP
import PasskeyProfiles
import PasskeyService
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing
import WebAuthnRelyingParty

/// The description of the service in `/.well-known/passkey-endpoints`.
struct ServiceDescriptionTests {
  private func document(
    _ profile: ServiceProfile, _ documents: WellKnownDocuments = WellKnownDocuments()
  ) async throws -> JSONValue {
    let world = try EndpointWorld(profile, documents: documents)
    return try JSON.parse(try await world.send("GET", "/.well-known/passkey-endpoints").expect(200).body)
  }

  @Test(arguments: ServiceProfile.builtIn)
  func `the endpoints of users have their routes and messages, and those of administrators are missing`(
    _ profile: ServiceProfile
  ) async throws {
    let service = try await document(profile).require("service")
    #expect(try service.require("name").string == profile.name)
    let endpoints = try service.require("endpoints")
    for name: EndpointName in [.registerOptions, .registerVerify, .signInOptions, .signInVerify, .me, .signOut] {
      let endpoint = try endpoints.require(name.rawValue)
      let contract = try #require(profile[name])
      #expect(try endpoint.require("route").string == "\(contract.method) \(contract.path)")
      #expect(try (endpoint["request"] == nil) == (contract.request == nil))
      #expect(try (endpoint["response"] == nil) == (contract.response == nil))
    }
    for name: EndpointName in [.users, .inviteUser, .changes, .approveUser, .metrics, .openAPI] {
      #expect(try endpoints[name.rawValue] == nil)
    }
    #expect(
      try service.require("tokens").elements { (value) throws(WireError) in try value.string }
        == profile.sessions.deliveries.map(\.rawValue))
    #expect(try service.require("renewsSessions").bool == (profile.sessions.refresh != nil))
  }

  @Test func `the pages and the script stand beside the service`() async throws {
    var documents = WellKnownDocuments()
    documents.passkeyEndpoints = try PasskeyEndpoints(manage: "https://raxx.app/passkeys")
    documents.script = WellKnownDocuments.ScriptReference(path: "/passkey-1.js", integrity: "sha384-x")
    let document = try await document(.raxx, documents)
    #expect(try document.require("manage").string == "https://raxx.app/passkeys")
    #expect(try document["enroll"] == nil)
    let script = try document.require("service").require("script")
    #expect(try script.require("path").string == "/passkey-1.js")
    #expect(try script.require("integrity").string == "sha384-x")
  }

  @Test func `a profile that names no description has one`() async throws {
    let bare = try ServiceProfile(json: File.bytes("\(projectFolder)/Examples/Profiles/bookshop.json"))
    #expect(bare[.passkeyEndpoints] == nil)
    #expect(try await document(bare).require("service").require("name").string == bare.name)
  }

  @Test func `endpoints that the policy never allows are missing`() async throws {
    let mailed = ["begin-sign-up", "verify-email", "resend-verification", "begin-verification", "change-email"]
    let recovering = ["request-recovery", "cancel-recovery"]
    func listed(_ policy: (inout ServicePolicy) -> Void) async throws -> (signUp: String, names: [String]) {
      let world = try EndpointWorld { policy(&$0) }
      let document = try JSON.parse(try await world.send("GET", "/.well-known/passkey-endpoints").expect(200).body)
      let service = try document.require("service")
      let endpoints = try service.require("endpoints").members.map(\.name)
      return (try service.require("signUp").string, endpoints.filter { (mailed + recovering).contains($0) })
    }
    let (open, none) = try await listed { _ in }
    #expect(open == "open" && none == [])
    let (_, verified) = try await listed { Scenarios.mailing(&$0, .required) }
    #expect(Set(verified) == Set(mailed))
    let (invited, all) = try await listed {
      Scenarios.mailing(&$0, .required, recovery: .email(waiting: .seconds(60)))
      $0.signUp = .invitation
    }
    #expect(invited == "invitation" && Set(all) == Set(mailed + recovering).subtracting(["begin-sign-up"]))
    let (_, unverified) = try await listed { Scenarios.mailing(&$0, .beforeFirstUse) }
    #expect(Set(unverified) == Set(mailed).subtracting(["begin-sign-up"]))
  }
}
