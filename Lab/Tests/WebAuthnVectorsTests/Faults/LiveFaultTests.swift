// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnAuthenticator
import WebAuthnClient
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import WebAuthnVectors

struct LiveFaultTests {
  private static let now = UnixTime(secondsSince1970: 1_800_000_000)

  private let vault: MemoryVault
  private let client: Client
  private let relyingParty: RelyingParty

  init() throws {
    vault = MemoryVault(try DeviceState.factory(random: .system))
    try VaultOwner(of: vault).enrollOwner()
    let device = try SoftwareAuthenticator(
      vault: vault, profile: .passkeyProvider, interaction: AutomaticInteraction.always(), clock: StoppedClock())
    let origin = try WebOrigin("https://raxx.app")
    client = Client(origin: origin, authenticator: device, interaction: NoQuestions())
    var policy = CeremonyPolicy()
    policy.userVerification = .required
    policy.residentKey = .required
    policy.algorithms = [.es256]
    relyingParty = try RelyingParty(id: RelyingPartyID("raxx.app"), name: "Raxx", origins: [origin], policy: policy)
  }

  @Test func `names are unique, in kebab case`() {
    let names = LiveFault.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(
      names.allSatisfy { $0.utf8.allSatisfy { $0 == UInt8(ascii: "-") || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 } }
    )
    #expect(LiveFault.all.allSatisfy { $0.isInRegistrations || $0.isInSignIns })
  }

  @Test(arguments: LiveFault.all.map(\.name))
  func `a relying party refuses every response with a fault, and no other`(name: String) async throws {
    let fault = try #require(LiveFault.all.first { $0.name == name })
    if fault.isInRegistrations {
      await #expect(throws: (any Error).self) { try await register(with: fault) }
    } else {
      try await register(with: fault)
    }
    let credential = try await register(with: nil)
    if fault.isInSignIns {
      await #expect(throws: (any Error).self) { try await signIn(credential, with: fault) }
    } else {
      try await signIn(credential, with: fault)
    }
    try await signIn(credential, with: nil)
  }

  @Test func `the documentation shows how a relying party refuses each fault`() async throws {
    var rows: [String] = []
    for fault in LiveFault.all {
      let refusedRegistration = await code { _ = try await register(with: fault) }
      // It replaces the passkey.
      let credential = try await register(with: nil)
      let refusedSignIn = await code { try await signIn(credential, with: fault) }
      rows.append("| `\(fault.name)` | \(fault.summary) | \(refusedRegistration) | \(refusedSignIn) |")
    }
    let page = String(decoding: try File.bytes("\(projectFolder)/Lab/Documentation/Browser.md"), as: UTF8.self)
    #expect(page.contains(rows.joined(separator: "\n")), "\(rows.joined(separator: "\n"))")
  }

  /// Returns the error code of a ceremony, as a cell of a table.
  private func code(_ body: () async throws -> Void) async -> String {
    do {
      try await body()
      return "–"
    } catch let error as CeremonyError {
      return "`\(error.code.rawValue)`"
    } catch let error as FormatError {
      return "`\(error.code.rawValue)`"
    } catch {
      return "\(error)"
    }
  }

  @discardableResult
  private func register(with fault: LiveFault?) async throws -> StoredCredential {
    let begun = try relyingParty.beginRegistration(
      of: UserEntity(id: try UserHandle([1, 2, 3]), name: "ada@raxx.app", displayName: "Ada"), at: Self.now)
    let response = try await client.create(try CreationOptions(json: begun.options.json[...]))
    let json = try fault.map { try $0.json(of: response) } ?? response.json
    return try relyingParty.finishRegistration(
      RegistrationResponse(json: json[...]), pending: begun.pending, existing: .notFound, at: Self.now
    ).credential
  }

  private func signIn(_ credential: StoredCredential, with fault: LiveFault?) async throws {
    let begun = try relyingParty.beginAuthentication(of: .fromResponse, at: Self.now)
    let response = try await client.get(try RequestOptions(json: begun.options.json[...]))
    let passkey = try #require(try vault.read().passkeys.first { $0.id == response.id })
    let key = try SigningKey(passkey.algorithm, pkcs8: passkey.privateKey)
    let json = try fault.map { try $0.json(of: response, key: key) } ?? response.json
    _ = try relyingParty.finishAuthentication(
      AuthenticationResponse(json: json[...]), pending: begun.pending, credential: credential, at: Self.now)
  }
}

/// A client that asks nothing.
private struct NoQuestions: ClientInteraction {
  func choose(among users: [PasskeyUser], for relyingParty: RelyingPartyID) async -> Int? { nil }

  func pin(for relyingParty: RelyingPartyID, attemptsLeft: UInt64?) async -> SecretBytes? { nil }
}

/// A stopped clock.
private struct StoppedClock: AuthenticatorClock {
  var now: UnixTime { UnixTime(secondsSince1970: 1_800_000_000) }
  var uptime: Duration { .zero }
}
