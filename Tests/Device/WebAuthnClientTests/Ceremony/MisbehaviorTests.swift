// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeySystem
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import WebAuthnAuthenticator
@testable import WebAuthnBrowser
@testable import WebAuthnClient

/// Faulty devices, whose replies the client must reject.
struct MisbehaviorTests {
  private func client(
    _ world: World, _ rewrite: @escaping RewritingAuthenticator.Rewrite
  ) -> Client {
    Client(
      origin: world.client.origin, authenticator: RewritingAuthenticator(world.device, rewrite),
      interaction: TestInteraction(choice: 0))
  }

  @Test(
    arguments: [CTAPCommand.getInfo, .makeCredential], [[], [0xff], [0xa0], [0x80], [0xa1, 0x01], [0xf6]] as [[UInt8]])
  func `an invalid response creates no credential`(_ command: CTAPCommand, _ answer: [UInt8]) async throws {
    let world = try World()
    let client = client(world) { (asked, reply) in asked == command ? answer : reply }
    let error = try await failure { try await client.create(world.creationOptions()) }
    #expect(error?.code == .authenticatorAnswerInvalid)
    #expect(error?.domName == "NotAllowedError")
  }

  @Test(arguments: [[], [0xff], [0xa0], [0x80], [0xa1, 0x01]] as [[UInt8]])
  func `an invalid response does not sign in`(_ answer: [UInt8]) async throws {
    let world = try World()
    _ = try await world.register()
    let client = client(world) { (asked, reply) in asked == .getAssertion ? answer : reply }
    let error = try await failure { try await client.get(world.requestOptions()) }
    #expect(error?.code == .authenticatorAnswerInvalid)
  }

  /// Registrations that are modified in transit.
  @Test(arguments: [
    ("another RP ID", 0, 0x00 as UInt8), ("no user presence", 32, 0xfe), ("no credential", 32, 0xbf),
  ])
  func `a registration that does not match the request is refused`(
    _ name: String, _ offset: Int, _ mask: UInt8
  ) async throws {
    let world = try World()
    let client = client(world) { (command, reply) throws(CTAPError) in
      guard command == .makeCredential, let made = try? MakeCredentialReply(parsing: reply) else { return reply }
      var data = [UInt8](made.authenticatorData.encoded)
      data[offset] = mask == 0 ? data[offset] ^ 1 : data[offset] & mask
      return CBORWriter.bytes(of: [1: "none", 2: .bytes(mask == 0xbf ? Array(data.prefix(37)) : data), 3: [:]])
    }
    let error = try await failure { try await client.create(world.creationOptions()) }
    #expect(error?.code == .authenticatorAnswerInvalid)
  }

  @Test func `missing user verification is refused`() async throws {
    let world = try World(pin: "1234")
    let interaction = TestInteraction(pins: ["1234"])
    let device = RewritingAuthenticator(world.device) { (command, reply) throws(CTAPError) in
      switch command {
      case .makeCredential:
        guard let made = try? MakeCredentialReply(parsing: reply) else { return reply }
        var data = [UInt8](made.authenticatorData.encoded)
        data[32] &= 0xfb
        return CBORWriter.bytes(of: [1: "none", 2: .bytes(data), 3: [:]])
      case .getAssertion:
        guard let made = try? GetAssertionReply(parsing: reply) else { return reply }
        var data = [UInt8](made.authenticatorData.encoded)
        data[32] &= 0xfb
        guard let changed = try? AuthenticatorData(parsing: data[...]) else { return reply }
        return GetAssertionReply(
          credential: made.credential, authenticatorData: changed, signature: made.signature, user: made.user
        ).encoded
      default: return reply
      }
    }
    let client = Client(origin: world.client.origin, authenticator: device, interaction: interaction)
    let creation = world.creationOptions { (options) in
      options.authenticatorSelection.userVerification = .required
      options.authenticatorSelection.residentKey = .required
    }
    #expect(try await failure { try await client.create(creation) }?.detail?.contains("UV") == true)
    let request = world.requestOptions { (options) in options.userVerification = .required }
    #expect(try await failure { try await client.get(request) }?.detail?.contains("UV") == true)
  }

  @Test func `a key that was not requested is refused`() async throws {
    let world = try World()
    let other = world.creationOptions { (options) in options.credentialParameters = [.init(algorithm: .eddsa)] }
    let made = try await world.device.perform(
      .makeCredential,
      MakeCredentialRequest(
        clientDataHash: [UInt8](repeating: 0, count: 32)[...], relyingPartyID: "raxx.app",
        user: PasskeyUser(id: world.user.id), parameters: [.init(algorithm: .es256)]
      ).encoded)
    let client = client(world) { (command, reply) in command == .makeCredential ? made : reply }
    let error = try await failure { try await client.create(other) }
    #expect(error?.code == .authenticatorAnswerInvalid)
    #expect(error?.detail?.contains("ES256") == true)
  }

  @Test func `a credential that is not in the list is refused`() async throws {
    let world = try World()
    let first = try await world.register().result.credential
    let stranger = try await world.register(
      UserEntity(id: UserHandle([7]), name: "bo", displayName: "")
    ).result.credential
    let answer = try await world.device.perform(
      .getAssertion,
      GetAssertionRequest(
        relyingPartyID: "raxx.app", clientDataHash: [UInt8](repeating: 0, count: 32)[...],
        allowList: [stranger.record.descriptor]
      ).encoded)
    let client = client(world) { (command, reply) in command == .getAssertion ? answer : reply }
    let named = world.requestOptions { (options) in options.allowCredentials = [first.record.descriptor] }
    let error = try await failure { try await client.get(named) }
    #expect(error?.code == .authenticatorAnswerInvalid)
    #expect(error?.detail == "a credential that is not in the list")
    // The same applies if the client first searches the list.
    let long = world.requestOptions { (options) in
      options.allowCredentials = [CredentialDescriptor](repeating: first.record.descriptor, count: 40)
    }
    #expect(try await failure { try await client.get(long) }?.code == .authenticatorAnswerInvalid)
  }

  @Test func `an id may be omitted only for a single credential`() async throws {
    let world = try World()
    let first = try await world.register().result.credential
    let client = client(world) { (command, reply) in
      guard command == .getAssertion, let made = try? GetAssertionReply(parsing: reply) else { return reply }
      return GetAssertionReply(
        credential: nil, authenticatorData: made.authenticatorData, signature: made.signature, user: made.user
      ).encoded
    }
    let one = world.requestOptions { (options) in options.allowCredentials = [first.record.descriptor] }
    #expect(try await client.get(one).id == first.record.id)
    let two = try world.requestOptions { (options) in
      options.allowCredentials = [first.record.descriptor, CredentialDescriptor(id: try CredentialID([1]))]
    }
    #expect(try await failure { try await client.get(two) }?.code == .authenticatorAnswerInvalid)
    #expect(try await failure { try await client.get(world.requestOptions()) }?.code == .authenticatorAnswerInvalid)
  }

  @Test func `a discoverable credential without its user is refused`() async throws {
    let world = try World()
    _ = try await world.register()
    let client = client(world) { (command, reply) in
      guard command == .getAssertion, let made = try? GetAssertionReply(parsing: reply) else { return reply }
      return GetAssertionReply(
        credential: made.credential, authenticatorData: made.authenticatorData, signature: made.signature
      ).encoded
    }
    #expect(try await failure { try await client.get(world.requestOptions()) }?.code == .authenticatorAnswerInvalid)
  }

  @Test(
    arguments: [
      (2, ClientError.Code.authenticatorFailed), (1000, .authenticatorFailed), (1001, .authenticatorAnswerInvalid),
      (UInt64.max, .authenticatorAnswerInvalid),
    ] as [(UInt64, ClientError.Code)])
  func `a wrong count ends the ceremony`(_ count: UInt64, _ code: ClientError.Code) async throws {
    let world = try World()
    _ = try await world.register()
    let client = client(world) { (command, reply) in
      guard command == .getAssertion, let made = try? GetAssertionReply(parsing: reply) else { return reply }
      return GetAssertionReply(
        credential: made.credential, authenticatorData: made.authenticatorData, signature: made.signature,
        user: made.user, credentialCount: count
      ).encoded
    }
    // The device has one credential and fails when asked for the next.
    let error = try await failure { try await client.get(world.requestOptions()) }
    #expect([code, .noCredentials, .notAllowed].contains(error?.code))
    #expect((error?.code == .authenticatorAnswerInvalid) == (count > 1000))
  }

  @Test func `endless responses end the ceremony before they fill the memory`() async throws {
    let world = try World()
    _ = try await world.register()
    // The same reply each time, enlarged by its signature.
    let blownUp: @Sendable (Bytes, UInt64?) -> Bytes = { (reply, count) in
      guard let made = try? GetAssertionReply(parsing: reply) else { return reply }
      return GetAssertionReply(
        credential: made.credential, authenticatorData: made.authenticatorData,
        signature: [UInt8](repeating: 1, count: 300_000)[...], user: made.user, credentialCount: count
      ).encoded[...]
    }
    let last = Locked<Bytes>([])
    let inner = world.device
    let asked = Locked(0)
    let device = FakeAuthenticator { (command, parameters) throws(CTAPError) in
      if command == .getNextAssertion {
        asked.withLock { (asked) in asked += 1 }
        return [UInt8](blownUp(last.withLock { (last) in last }, nil))
      }
      let reply = try await inner.perform(command, [UInt8](parameters))
      guard command == .getAssertion else { return reply }
      last.withLock { (last) in last = reply[...] }
      return [UInt8](blownUp(reply[...], 1000))
    }
    let client = Client(origin: world.client.origin, authenticator: device, interaction: world.interaction)
    let error = try await failure { try await client.get(world.requestOptions()) }
    #expect(error?.code == .authenticatorAnswerInvalid)
    #expect(error?.detail == "more than 1048576 bytes of assertions")
    #expect(asked.withLock { (asked) in asked } == 3)
  }

  @Test func `a choice made on the device is not asked again`() async throws {
    let world = try World()
    _ = try await world.register()
    let interaction = TestInteraction()
    let device = RewritingAuthenticator(world.device) { (command, reply) in
      guard command == .getAssertion, let made = try? GetAssertionReply(parsing: reply) else { return reply }
      return GetAssertionReply(
        credential: made.credential, authenticatorData: made.authenticatorData, signature: made.signature,
        user: made.user, credentialCount: 5, isSelectedByUser: true
      ).encoded
    }
    let client = Client(origin: world.client.origin, authenticator: device, interaction: interaction)
    _ = try await client.get(world.requestOptions())
    #expect(interaction.offered.isEmpty)
    #expect(device.count(of: .getNextAssertion) == 0)
  }

  @Test func `an invalid authenticator key prevents the PIN exchange`() async throws {
    let world = try World(pin: "1234")
    let interaction = TestInteraction(pins: ["1234"])
    for answer in [[0xa0], [0xa1, 0x01, 0xa0], [0xa1, 0x01, 0x00]] as [[UInt8]] {
      let device = RewritingAuthenticator(world.device) { (command, reply) in
        command == .clientPIN ? answer : reply
      }
      let client = Client(origin: world.client.origin, authenticator: device, interaction: interaction)
      let options = world.creationOptions { (options) in options.authenticatorSelection.userVerification = .required }
      #expect(try await failure { try await client.create(options) }?.code == .authenticatorAnswerInvalid)
    }
  }

  @Test func `every status ends both ceremonies with its code`() async throws {
    let world = try World()
    let info = AuthenticatorInfo(versions: ["FIDO_2_0"], aaguid: .zero).encoded[...]
    for byte in UInt8(1)...UInt8.max {
      let status = CTAPStatus(rawValue: byte)
      let device = FakeAuthenticator { (command, _) throws(CTAPError) in
        guard command == .getInfo else { throw CTAPError(status) }
        return [UInt8](info)
      }
      let client = Client(origin: world.client.origin, authenticator: device, interaction: world.interaction)
      let expected = ClientError(CTAPError(status))
      #expect(try await failure { try await client.create(world.creationOptions()) } == expected)
      #expect(try await failure { try await client.get(world.requestOptions()) } == expected)
    }
  }
}
