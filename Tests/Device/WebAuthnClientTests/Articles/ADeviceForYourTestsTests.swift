// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyTestSupport
import Testing
import WebAuthnRelyingParty

// [shown]
import WebAuthnAuthenticator
import WebAuthnClient
// [until here]

// [shown]
/// A stopped clock.
struct StoppedClock: AuthenticatorClock {
  let now: UnixTime
  var uptime: Duration { .zero }
}

/// A user who chooses the first passkey and has no PIN.
struct FirstPasskey: ClientInteraction {
  func choose(among users: [PasskeyUser], for relyingParty: RelyingPartyID) async -> Int? { 0 }
  func pin(for relyingParty: RelyingPartyID, attemptsLeft: UInt64?) async -> SecretBytes? { nil }
}
// [until here]

// [shown]
/// Returns a browser on a page of this origin, with a phone whose user has enrolled a finger.
func makeBrowser(
  at origin: String, at now: UnixTime, interaction: any UserInteraction = AutomaticInteraction.always(),
  random: RandomSource = .system
) throws -> Client {
  let vault = MemoryVault(try .factory(random: random))
  try VaultOwner(of: vault, random: random).enroll(finger: 0)
  let device = try SoftwareAuthenticator(
    vault: vault, profile: .passkeyProvider, interaction: interaction, random: random, clock: StoppedClock(now: now))
  return Client(
    origin: try WebOrigin(origin), authenticator: device, interaction: FirstPasskey(), random: random)
}
// [until here]

/// Runs the code of the article about devices for tests and compares it with the article.
struct ADeviceForYourTestsTests {
  private let now = Moment.y2030

  @Test func `the article's browser registers at another server and signs in`() async throws {
    var server = try SomebodysServer(at: now)
    // [shown]
    let browser = try makeBrowser(at: "https://raxx.app", at: now)
    let made = try await browser.create(CreationOptions(json: server.registrationOptions(for: "ada@example.org")))
    try await server.register(made.json)
    let signedIn = try await browser.get(RequestOptions(json: server.signInOptions()))
    try await server.signIn(signedIn.json)
    // [until here]
    #expect(server.signedIn == ["ada@example.org"])
  }

  @Test func `the article's invalid ceremonies fail`() async throws {
    var server = try SomebodysServer(at: now)
    let creation = try await server.registrationOptions(for: "ada@example.org")[...]
    let options = try await server.signInOptions()[...]
    // [shown]
    let elsewhere = try makeBrowser(at: "https://raxx.example", at: now)
    let stranger = await #expect(throws: ClientError.self) { try await elsewhere.get(RequestOptions(json: options)) }
    #expect(stranger?.code == .originNotAllowed)

    let unwilling = try makeBrowser(at: "https://raxx.app", at: now, interaction: AutomaticInteraction.never)
    let refusal = await #expect(throws: ClientError.self) {
      try await unwilling.create(CreationOptions(json: creation))
    }
    #expect(refusal?.code == .notAllowed)
    // [until here]
    #expect(server.signedIn == [])
  }

  @Test func `a seed reproduces the passkey`() async throws {
    var server = try SomebodysServer(at: now)
    let options = try CreationOptions(json: await server.registrationOptions(for: "ada@example.org")[...])
    let first = try await makeBrowser(at: "https://raxx.app", at: now, random: .seeded([7])).create(options)
    let second = try await makeBrowser(at: "https://raxx.app", at: now, random: .seeded([7])).create(options)
    let other = try await makeBrowser(at: "https://raxx.app", at: now, random: .seeded([8])).create(options)
    #expect(first.id == second.id && first.copies.publicKey == second.copies.publicKey)
    #expect(first.id != other.id && first.copies.publicKey != nil)
  }

  @Test func `the article shows the tested code`() throws {
    let shown = try ShownCode.blocks(
      inDocument:
        "\(projectFolder)/Sources/Device/WebAuthnAuthenticator/WebAuthnAuthenticator.docc/ADeviceForYourTests.md")
    let run = try ShownCode.regions(
      inSource: "\(projectFolder)/Tests/Device/WebAuthnClientTests/Articles/ADeviceForYourTestsTests.swift")
    #expect(shown == run && shown.count > 4)
  }
}

/// The reader's server, with two ceremonies.
private struct SomebodysServer {
  private let relyingParty: RelyingParty
  private let now: UnixTime
  private var pending: [UInt8]?
  private var name = ""
  private var stored: StoredCredential?
  private(set) var signedIn: [String] = []

  init(at now: UnixTime) throws {
    relyingParty = try RelyingParty(
      id: RelyingPartyID("raxx.app"), name: "Raxx", origins: [WebOrigin("https://raxx.app")])
    self.now = now
  }

  mutating func registrationOptions(for name: String) async throws -> [UInt8] {
    let user = UserEntity(id: try UserHandle([1, 2, 3]), name: name, displayName: name)
    let begun = try relyingParty.beginRegistration(of: user, at: now)
    (pending, self.name) = (begun.pending.bytes, name)
    return begun.options.json
  }

  mutating func register(_ body: [UInt8]) async throws {
    stored = try relyingParty.finishRegistration(
      RegistrationResponse(json: body[...]), pending: PendingRegistration(taken: [UInt8](take())), existing: .notFound,
      at: now
    ).credential
  }

  mutating func signInOptions() async throws -> [UInt8] {
    let begun = try relyingParty.beginAuthentication(of: .fromResponse, at: now)
    pending = begun.pending.bytes
    return begun.options.json
  }

  mutating func signIn(_ body: [UInt8]) async throws {
    let result = try relyingParty.finishAuthentication(
      AuthenticationResponse(json: body[...]), pending: PendingAuthentication(taken: [UInt8](take())),
      credential: #require(stored), at: now)
    stored = result.credential
    signedIn.append(name)
  }

  private mutating func take() throws -> Bytes {
    defer { pending = nil }
    return try #require(pending)[...]
  }
}
