// SPDX-License-Identifier: Apache-2.0

import PasskeyServiceTestSupport
import PasskeyStorage
import Testing
import WebAuthnAttestation
import WebAuthnAuthenticator
import WebAuthnTypes

@testable import PasskeyService

/// Passkeys whose stored attestation a newer policy refuses.
struct AttestationReviewTests {
  private static let denied = AAGUID([UInt8](repeating: 7, count: 16))

  /// A world with a passkey of a model that is denied later, and `count` passkeys of another model.
  private static func world(
    others count: Int, _ policy: (inout ServicePolicy) -> Void = { _ in }
  ) async throws -> (ServiceWorld, ada: Person, RegisteredPasskey) {
    let world = try ServiceWorld(policy)
    var profile = AuthenticatorProfile.passkeyProvider
    profile.aaguid = try #require(denied)
    let ada = try Person(profile)
    let registered = try await world.signUp("ada@raxx.app", ada)
    for number in 0..<count { _ = try await world.signUp("user\(number)@raxx.app", Person()) }
    return (world, ada, registered)
  }

  private static func policy() throws -> AttestationPolicy {
    var policy = AttestationPolicy()
    policy.models.denied = [try #require(denied)]
    return policy
  }

  /// All refused passkeys, in pages of this size.
  private static func review(_ world: ServiceWorld, limit: Int) async throws -> (refused: [RefusedPasskey], count: Int)
  {
    var (refused, count, last): ([RefusedPasskey], Int, CredentialID?) = ([], 0, nil)
    repeat {
      let page = try await world.service.reviewAttestation(
        after: last, limit: limit, by: .console, in: world.at(9))
      refused += page.refused
      count += page.count
      last = page.last
    } while last != nil
    return (refused, count)
  }

  @Test(arguments: [1, 2, 4, 100])
  func `a review finds each passkey that a newer policy refuses, on any page`(_ limit: Int) async throws {
    let (world, _, registered) = try await Self.world(others: 3)
    let before = try await Self.review(world, limit: limit)
    #expect(before.refused.isEmpty)
    #expect(before.count == 4)
    world.service.replaceAttestationPolicy(try Self.policy())
    let after = try await Self.review(world, limit: limit)
    #expect(after.refused.map(\.passkey) == [registered.passkey])
    #expect(after.refused.map(\.account) == [registered.account])
    #expect(after.refused.map(\.code) == ["attestation.model-denied"])
    #expect(after.count == 4)
  }

  @Test func `a newer policy also judges registrations that have begun`() async throws {
    let world = try ServiceWorld()
    var profile = AuthenticatorProfile.passkeyProvider
    profile.aaguid = try #require(Self.denied)
    let ada = try Person(profile)
    let options = try await world.service.beginRegistration(EmailAddress("ada@raxx.app"), in: world.at())
    world.service.replaceAttestationPolicy(try Self.policy())
    await expect(.signUpCeremonyFailed, toOutsiders: .signUpRefused) {
      _ = try await world.service.finishRegistration(ada.create(options), in: world.at())
    }
    _ = try await world.signUp("bob@raxx.app", Person())
  }

  @Test func `a refused passkey still signs in, unless the policy refuses it`() async throws {
    for stored in ServicePolicy.StoredAttestation.allCases {
      let (world, ada, registered) = try await Self.world(others: 0) { $0.storedAttestation = stored }
      let session = try await world.session(registered.opened)
      world.service.replaceAttestationPolicy(try Self.policy())
      switch stored {
      case .ignore:
        _ = try await world.signIn("ada@raxx.app", ada)
        _ = try await world.confirm(session, ada)
      case .refuse:
        await expect(.signInAttestationRefused, toOutsiders: .signInRefused) {
          _ = try await world.signIn("ada@raxx.app", ada)
        }
        await expect(.stepUpCredentialRefused, toOutsiders: .stepUpRefused) {
          _ = try await world.confirm(session, ada)
        }
        #expect(try await world.trail.suffix(2).first == "session.opened!reassessment.attestation-not-acceptable")
      }
    }
  }

  @Test func `notifying records the reason, disabling ends the sessions too`() async throws {
    let (world, ada, registered) = try await Self.world(others: 1)
    world.service.replaceAttestationPolicy(try Self.policy())
    let refused = try #require(try await Self.review(world, limit: 9).refused.first)
    #expect(try await world.service.act(on: refused, .notify, by: .console, in: world.at(1)))
    #expect(try await world.trail.last == "credential.distrusted")
    _ = try await world.signIn("ada@raxx.app", ada)
    #expect(try await world.service.act(on: refused, .disable, by: .console, in: world.at(2)))
    #expect(try await !world.service.act(on: refused, .disable, by: .console, in: world.at(3)))
    let entry = try #require(try await world.memory.auditEntries(after: 0, of: nil, limit: 99).last)
    #expect(entry.record.event == .credentialDisabled)
    #expect(entry.record.details["reason"] == "attestation.model-denied")
    #expect(entry.record.details["aaguid"] == "07070707-0707-0707-0707-070707070707")
    await expect(.sessionUnknown) { _ = try await world.session(registered.opened) }
    await expect(.signInCredentialDisabled, toOutsiders: .signInRefused) {
      _ = try await world.signIn(nil, ada)
    }
  }

  @Test func `a passkey without stored attestation is refused only where attestation is required`() async throws {
    let (world, _, _) = try await Self.world(others: 0)
    let handle = try #require(try await world.memory.account(email: EmailAddress("ada@raxx.app"))?.handle)
    var passkey = try #require(try await world.memory.passkeys(of: handle).first)
    passkey.record.attestationObject = nil
    passkey.record.id = try CredentialID([1, 2, 3])
    let imported = RegistrationCommit(
      owner: .account(passkey.user, session: nil), passkey: passkey, code: nil, opening: nil, maximumPasskeyCount: 9,
      time: ServiceWorld.start, audit: [])
    _ = try await world.memory.register(imported)
    #expect(try await Self.review(world, limit: 9).refused.isEmpty)
    var policy = AttestationPolicy()
    policy.acceptableTrust = .anchored
    world.service.replaceAttestationPolicy(policy)
    #expect(
      try await Set(Self.review(world, limit: 9).refused.map(\.code)) == [
        "attestation.none-not-acceptable", "reassessment.attestation-missing",
      ])
  }

  @Test func `names of models come from the table of providers`() throws {
    let world = try ServiceWorld()
    let bitwarden = try #require(AAGUID(uuid: "d548826e-79b4-db40-a3d8-11116f7e8349"))
    #expect(world.service.providerName(of: bitwarden) == "Bitwarden")
    #expect(world.service.providerName(of: .zero) == nil)
  }
}
