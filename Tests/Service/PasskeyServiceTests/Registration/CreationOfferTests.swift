// SPDX-License-Identifier: Apache-2.0

import PasskeyServiceTestSupport
import Testing
import WebAuthnTypes

@testable import PasskeyService

/// Passkeys that a browser creates without a dialog, after a sign-in with a passkey of another device.
struct CreationOfferTests {
  private static func world() throws -> ServiceWorld { try ServiceWorld({ $0.creationOffer = .afterCrossDevice }) }

  /// Signs in as a browser reports it that used an authenticator with this attachment.
  private static func signIn(
    _ world: ServiceWorld, _ person: Person, by attachment: AuthenticatorAttachment?
  ) async throws -> OpenedSession {
    let options = try await world.service.beginSignIn(nil, in: world.at())
    var response = try await person.get(options)
    response.authenticatorAttachment = attachment
    return try await world.service.finishSignIn(response, in: world.at())
  }

  @Test func `a sign-in from another device brings an offer, others do not`() async throws {
    let world = try Self.world()
    let ada = try Person()
    #expect(try await world.signUp("ada@raxx.app", ada).opened?.creationOffer == nil)
    #expect(try await Self.signIn(world, ada, by: .crossPlatform).creationOffer != nil)
    for attachment in [AuthenticatorAttachment.platform, nil] {
      #expect(try await Self.signIn(world, ada, by: attachment).creationOffer == nil)
    }
    let silent = try ServiceWorld(on: world) { $0.creationOffer = .never }
    #expect(try await Self.signIn(silent, ada, by: .crossPlatform).creationOffer == nil)
  }

  @Test func `an offer adds a passkey without a confirmation, and the passkey signs in`() async throws {
    let world = try Self.world()
    let ada = try Person()
    _ = try await world.signUp("ada@raxx.app", ada)
    let opened = try await Self.signIn(world, ada, by: .crossPlatform)
    let session = try await world.session(opened)
    let offer = try #require(opened.creationOffer.flatMap { CreationOffer($0.exposedText) })
    let options = try await world.service.beginConditionalRegistration(for: session, offer: offer, in: world.at())
    #expect(options.authenticatorSelection.userVerification == .preferred)
    #expect(options.excludeCredentials.count == 1)
    // The browser creates the passkey without verifying the user.
    let unverified = try Person.withoutVerification()
    var silent = options
    silent.authenticatorSelection.userVerification = .discouraged
    let made = try await world.service.finishRegistration(
      unverified.create(silent), session: session, in: world.at(1))
    #expect(made.passkey.record.uvInitialized)
    #expect(made.opened == nil)
    #expect(try await world.signIn(nil, unverified.enrolled()).account.handle == opened.account.handle)
  }

  @Test func `an offer is worthless in another session, later, and when the policy has changed`() async throws {
    let world = try Self.world()
    let ada = try Person()
    _ = try await world.signUp("ada@raxx.app", ada)
    let opened = try await Self.signIn(world, ada, by: .crossPlatform)
    let offer = try #require(opened.creationOffer)
    let session = try await world.session(opened)
    let other = try await world.session(Self.signIn(world, ada, by: .crossPlatform))
    await expect(.creationOfferRefused) {
      _ = try await world.service.beginConditionalRegistration(for: other, offer: offer, in: world.at())
    }
    await expect(.creationOfferRefused) {
      _ = try await world.service.beginConditionalRegistration(for: session, offer: offer, in: world.at(301))
    }
    let silent = try ServiceWorld(on: world) { $0.creationOffer = .never }
    await expect(.creationOfferRefused) {
      _ = try await silent.service.beginConditionalRegistration(for: session, offer: offer, in: world.at())
    }
    _ = try await world.service.beginConditionalRegistration(for: session, offer: offer, in: world.at(300))
    for text in ["", "AAAA", "not base64url!"] { #expect(CreationOffer(text) == nil) }
  }

  @Test func `a refused offer to a full account changes nothing`() async throws {
    let world = try ServiceWorld({
      $0.creationOffer = .afterCrossDevice
      $0.maximumPasskeyCount = 1
    })
    let ada = try Person()
    _ = try await world.signUp("ada@raxx.app", ada)
    let opened = try await Self.signIn(world, ada, by: .crossPlatform)
    let (session, offer) = (try await world.session(opened), try #require(opened.creationOffer))
    await expect(.credentialTooMany) {
      _ = try await world.service.beginConditionalRegistration(for: session, offer: offer, in: world.at())
    }
  }
}
