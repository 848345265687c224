// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyProfiles
import PasskeyService
import PasskeyTestSupport
import Testing
import WebAuthnClient

/// The verification of addresses and recovery by mail, with the project's own server.
struct HandshakeEmailTests {
  private static let ada = "ada@example.org"

  private static func world(
    _ profile: ServiceProfile, _ verification: ServicePolicy.Contact.EmailVerification,
    recovery: ServicePolicy.Contact.EmailRecovery = .administrator
  ) throws -> ServerWorld {
    try ServerWorld(profile) { (policy) in
      policy.destinations = [NoticeDestination(ServerWorld.mail, events: ["*"])]
      policy.contact.verification = verification
      policy.contact.recovery = recovery
      policy.signUp = .open
    }
  }

  @Test(arguments: [(ServiceProfile.raxx, ada), (.aiday, "ada")])
  func `a registration is finished with the code of the mail, also later`(
    profile: ServiceProfile, name: String
  ) async throws {
    let world = try Self.world(profile, .required)
    let handshake = try PasskeyOwner().handshake(profile, at: world.address)
    let made = try await handshake.register(user: name, email: Self.ada)
    let begun = try #require(made.verification)
    #expect(made.session == nil && !made.isPending && begun.user == name && begun.address == Self.ada)
    // Stored, and read by another process.
    let stored = try AddressVerification(json: begun.json[...])
    let code = try await world.mailedCode(.emailVerificationRequested)
    let wrong = code == "0000-0000" ? "0000-0001" : "0000-0000"
    let refused = await #expect(throws: ClientError.self) { try await handshake.verifyEmail(stored, code: wrong) }
    #expect(refused?.problem?.code == "email.code-refused" && refused?.problem?.attemptsLeft == 4)
    let again = try await handshake.resend(stored)
    let latest = try await world.mailedCode(.emailVerificationRequested)
    let verified = try await handshake.verifyEmail(again, code: latest)
    var session = try #require(verified.session)
    #expect(try await handshake.whoAmI(in: &session).account.address == name)
    let spent = await #expect(throws: ClientError.self) { try await handshake.verifyEmail(again, code: latest) }
    #expect(spent?.problem?.code == "email.verification-unknown")
    let other = try PasskeyOwner().handshake(profile, at: "https://other.example")
    let foreign = await #expect(throws: ClientError.self) { try await other.verifyEmail(again, code: latest) }
    #expect(foreign?.code == .sessionInvalid)
  }

  @Test func `a sign-in before the verification begins another one`() async throws {
    let world = try Self.world(.raxx, .beforeFirstUse)
    let handshake = try PasskeyOwner().handshake(.raxx, at: world.address)
    _ = try await handshake.register(user: Self.ada)
    let refused = await #expect(throws: ClientError.self) { try await handshake.signIn(user: Self.ada) }
    let problem = try #require(refused?.problem)
    #expect(problem.code == "sign-in.email-unverified")
    let begun = try #require(handshake.verification(begunBy: problem, user: Self.ada))
    let code = try await world.mailedCode(.emailVerificationRequested)
    #expect(try await handshake.verifyEmail(begun, code: code).session == nil)
    var session = try await handshake.signIn(user: Self.ada)
    _ = try await handshake.whoAmI(in: &session)
  }

  @Test func `an address is changed, and a recovery is cancelled`() async throws {
    let world = try Self.world(.raxx, .off, recovery: .email(waiting: .seconds(60)))
    let handshake = try PasskeyOwner().handshake(.raxx, at: world.address)
    var session = try #require(try await handshake.register(user: Self.ada).session)
    let own = try await handshake.beginVerification(in: &session)
    _ = try await handshake.verifyEmail(own, code: world.mailedCode(.emailVerificationRequested))
    let change = try await handshake.changeEmail(to: "lovelace@example.org", in: &session)
    let changed = try await handshake.verifyEmail(change, code: world.mailedCode(.emailVerificationRequested))
    #expect(changed.account.address == "lovelace@example.org")
    try await handshake.requestRecovery(of: "lovelace@example.org")
    let code = try await world.mailedCode(.recoveryRequested)
    let early = await #expect(throws: ClientError.self) {
      try await handshake.register(user: "lovelace@example.org", code: code)
    }
    #expect(early?.problem?.code == "sign-up.code-too-early" && early?.problem?.notBefore == world.now + .seconds(60))
    try await handshake.cancelRecovery(in: &session)
    let gone = await #expect(throws: ClientError.self) { try await handshake.cancelRecovery(in: &session) }
    #expect(gone?.problem?.code == "account.recovery-unknown")
  }
}
