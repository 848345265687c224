// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCOSE
import PasskeyCommandLine
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnAuthenticator
import WebAuthnClient
import WebAuthnTypes

@testable import PasskeyCommands

/// Undoing a passkey whose registration failed.
@Suite struct LazyAuthenticatorTests {
  private let place: TemporaryFolder
  private let vault: FileVault
  private let device: LazyAuthenticator
  private let owner: VaultOwner

  init() throws {
    place = try TemporaryFolder()
    vault = try FileVault.create(
      at: place.path + "/vault", passphrase: SecretBytes(utf8: ""), cost: .test, state: try .factory(random: .system))
    let authenticator = try SoftwareAuthenticator(
      vault: vault, profile: .securityKey, interaction: AutomaticInteraction.always(), clock: SystemClock())
    let choice = try DeviceChoice(ParsedArguments([], for: RegisterCommand.specification, of: "passkey"))
    let page = try WebOrigin("https://raxx.app")
    device = LazyAuthenticator(
      DeviceOpener(
        choice, for: .init(origin: page, userName: nil),
        device: .init(asking: authenticator, consenting: authenticator, vault: vault)))
    owner = VaultOwner(of: vault)
  }

  private func make(user: UInt8, isDiscoverable: Bool = true) async throws -> CredentialID {
    var request = MakeCredentialRequest(
      clientDataHash: Bytes(repeating: 1, count: 32), relyingPartyID: "raxx.app",
      user: PasskeyUser(id: try UserHandle([user]), name: "ada@raxx.app"),
      parameters: [CredentialParameters(algorithm: .es256)])
    request.options.residentKey = isDiscoverable
    _ = try await device.perform(.makeCredential, request.encoded)
    return try #require(device.made?.id)
  }

  private static let refusals: [ClientError] = [
    ClientError(.refusedByServer, problem: problem(400)), ClientError(.refusedByServer, problem: problem(422)),
    ClientError(.unreachable, outcome: .notSent), ClientError(.endpointMissing),
  ]

  private static let riddles: [ClientError] = [
    ClientError(.refusedByServer, outcome: .unknown, problem: problem(500)),
    ClientError(.refusedByServer, problem: problem(408)), ClientError(.replyTimedOut, outcome: .unknown),
    ClientError(.connectionReset), ClientError(.replyMalformed, outcome: .unknown),
  ]

  private static func problem(_ status: Int) -> Problem? { ServerReply(status: status).problem }

  @Test(arguments: refusals)
  func `only a passkey that the server surely lacks is deleted`(error: ClientError) async throws {
    let first = try await make(user: 1)
    let second = try await make(user: 2)
    #expect(device.made?.replaced.isEmpty == true)
    let note = try #require(device.undoRegistration(after: error))
    #expect(note == "the server does not have the new passkey: deleted it from the vault again")
    #expect(try owner.passkeys().map(\.id) == [first])
    #expect(first != second)
  }

  @Test(arguments: refusals)
  func `the replaced passkey is restored`(error: ClientError) async throws {
    let first = try await make(user: 1)
    let other = try await make(user: 2)
    let second = try await make(user: 1)
    #expect(try owner.passkeys().map(\.id) == [other, second])
    let note = try #require(device.undoRegistration(after: error))
    #expect(note.hasSuffix(", and \(first) was restored"))
    #expect(try owner.passkeys().map(\.id) == [first, other])
  }

  @Test(arguments: riddles)
  func `a passkey that the server may have stays and is named`(error: ClientError) async throws {
    let first = try await make(user: 1)
    let second = try await make(user: 1)
    let note = try #require(device.undoRegistration(after: error))
    #expect(
      note
        == "the server may have the new passkey \(second), which stays in the vault, in the place of \(first): sign in to check"
    )
    #expect(try owner.passkeys().map(\.id) == [second])
  }

  @Test func `a credential sealed in its id is never reported as stored`() async throws {
    let id = try await make(user: 1, isDiscoverable: false)
    #expect(try owner.passkeys().isEmpty)
    #expect(
      Self.refusals.compactMap { (error) in device.undoRegistration(after: error) }
        == Self.refusals.map { (_) in
          "the server does not have the new passkey, whose key is sealed in its id: the vault stores nothing to delete"
        })
    #expect(
      Self.riddles.compactMap { (error) in device.undoRegistration(after: error) }
        == Self.riddles.map { (_) in
          "the server may have the new passkey \(id), whose key is sealed in its id: sign in to check"
        })
  }

  @Test func `without a new passkey nothing is reported`() {
    #expect(device.undoRegistration(after: ClientError(.refusedByServer, problem: Self.problem(400))) == nil)
  }

  @Test func `passkeys to choose from are identified by id and creation time`() async throws {
    let first = try await make(user: 1)
    let second = try await make(user: 2)
    let request = GetAssertionRequest(
      relyingPartyID: "raxx.app", clientDataHash: Bytes(repeating: 1, count: 32), allowList: nil)
    _ = try await device.perform(.getAssertion, request.encoded)
    _ = try await device.perform(.getNextAssertion, [])
    #expect(device.found.map(\.id) == [second, first])
    #expect(device.found.map(\.created) == [second, first].map { (id) in created(id) })
    _ = try await device.perform(.getAssertion, request.encoded)
    #expect(device.found.map(\.id) == [second])
  }

  @Test func `a device that cannot be opened reports its own failure`() async throws {
    let path = place.path + "/missing"
    let choice = try DeviceChoice(
      ParsedArguments(["--vault", path, "--yes"], for: RegisterCommand.specification, of: "passkey"))
    let page = try WebOrigin("https://raxx.app")
    let device = LazyAuthenticator(DeviceOpener(choice, for: .init(origin: page, userName: nil)))
    let client = Client(origin: page, authenticator: device, interaction: Nobody())
    let options = try RequestOptions(
      json: Array(#"{"challenge":"AAAAAAAAAAAAAAAAAAAAAA","rpId":"raxx.app"}"#.utf8)[...])
    let error = try #require(await #expect(throws: ClientError.self) { try await client.get(options) })
    #expect(error.code == .notAllowed)
    #expect(error.cause as? CommandFailure == CommandFailure(VaultError.missing(path)))
    #expect(device.failure(error) == CommandFailure(VaultError.missing(path)))
  }

  private func created(_ id: CredentialID) -> UnixTime? {
    try? owner.passkeys().first { (passkey) in passkey.id == id }?.created
  }
}

private struct Nobody: ClientInteraction {
  func choose(among users: [PasskeyUser], for relyingParty: RelyingPartyID) async -> Int? { nil }
  func pin(for relyingParty: RelyingPartyID, attemptsLeft: UInt64?) async -> SecretBytes? { nil }
}
