// SPDX-License-Identifier: Apache-2.0

import PasskeyProfiles
import PasskeyService
import PasskeyServiceTestSupport
import Testing
import WebAuthnAuthenticator
import WebAuthnTypes

@testable import PasskeyHTTP

struct CreationOfferEndpointTests {
  @Test func `after a sign-in from another device, a page adds a passkey of its provider without a dialog`()
    async throws
  {
    try await Scenarios.creationOffer(EndpointWorld { $0.creationOffer = .afterCrossDevice })
  }

  @Test func `me describes the account as authenticators should show it`() async throws {
    let ada = try await Visitor.signedIn(EndpointWorld(), "ada@example.org")
    let me = try await ada.ask(.me).expect(200)
    #expect(try me["signal", "rpId"] == "raxx.app" && me["signal", "userId"] == ada.id)
    #expect(try me["signal", "name"] == "ada@example.org" && me["signal", "displayName"] == "ada@example.org")
  }
}

extension Scenarios {
  static func creationOffer(_ world: EndpointWorld) async throws {
    var ada = try await Visitor.signedIn(world, "ada@example.org")
    ada.token = nil
    // The browser says that the passkey was on a phone or a security key.
    let begun = try await ada.ask(.signInOptions, "", "{}").expect(200)
    var response = try await ada.person.get(RequestOptions(json: begun.body))
    response.authenticatorAttachment = .crossPlatform
    let opened = try await ada.ask(.signInVerify, "", String(decoding: response.json, as: UTF8.self)).expect(200)
    ada.take(opened)
    let offer = try opened["conditionalCreate"]
    let options = try await ada.ask(.registerOptions, "", #"{"conditionalCreate":"\#(offer)"}"#).expect(200)
    #expect(options.header("passkey-step-up") == nil)

    // The password manager of the browser, whose model the server knows.
    var provider = AuthenticatorProfile.passkeyProvider
    provider.aaguid = try #require(AAGUID(uuid: "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4"))
    let made = try await ada.ask(.registerVerify, "", Person(provider).create(options.body)).expect(200)
    #expect(try made["credential", "provider"] == "Google Password Manager")
    #expect((try? made["token"]) == nil)
    let list = try await ada.ask(.credentials).expect(200)
    #expect(try list.count("credentials") == 2)
    #expect(list.body.contains(#""provider":"Google Password Manager""#))
    #expect(try await ada.askConfirmed(.exportAccount).expect(200).body.contains("Google Password Manager"))
    // Without an offer, adding a passkey requires a confirmation.
    try await ada.ask(.registerOptions, "", "{}").expect(401, "step-up.required")
  }
}
