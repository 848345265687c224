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

struct CredentialSearchTests {
  private func search(_ change: (inout AuthenticatorInfo) -> Void) async throws -> CredentialSearch {
    var info = AuthenticatorInfo(versions: ["FIDO_2_1"], aaguid: .zero)
    change(&info)
    let encoded = info.encoded[...]
    let device = FakeAuthenticator { (_, _) throws(CTAPError) in [UInt8](encoded) }
    return CredentialSearch(
      authenticator: try await ConnectedAuthenticator(
        of: Client(origin: WebOrigin("https://raxx.app"), authenticator: device, interaction: TestInteraction())),
      authorization: .none, scope: "raxx.app")
  }

  private func list(_ counts: [Int]) throws -> [CredentialDescriptor] {
    try counts.map { (count) in CredentialDescriptor(id: try CredentialID([UInt8](repeating: 1, count: count))) }
  }

  @Test func `a list that fits stays whole`() async throws {
    let search = try await search { (info) in info.maximumCredentialCountInList = 8 }
    #expect(search.batches(of: try list([16, 16, 16]), besides: 100).map(\.count) == [3])
    #expect(search.fits(try list([16, 16, 16]), besides: 100))
    #expect(search.fits([], besides: 100) && search.batches(of: [], besides: 100).isEmpty)
  }

  @Test func `a device without a list limit gets one credential at a time`() async throws {
    let search = try await search { (_) in }
    #expect(search.batches(of: try list([16, 16]), besides: 100).map(\.count) == [1, 1])
    #expect(!search.fits(try list([16, 16]), besides: 100))
    #expect(search.fits(try list([16]), besides: 100))
  }

  @Test func `a list is split by count, by length and by message size`() async throws {
    let counted = try await search { (info) in info.maximumCredentialCountInList = 2 }
    #expect(counted.batches(of: try list([16, 16, 16, 16, 16]), besides: 100).map(\.count) == [2, 2, 1])
    let short = try await search { (info) in info.maximumCredentialIDByteCount = 32 }
    #expect(short.candidates(of: try list([33, 32, 1023])).map(\.id.bytes.count) == [32])
    let small = try await search { (info) in info.maximumCredentialCountInList = 100 }
    // 1024 bytes, of which 719 are reserved; each descriptor takes 128 bytes plus 23 or 24 of overhead.
    #expect(small.batches(of: try list([128, 128, 128, 128, 128]), besides: 714).map(\.count) == [2, 2, 1])
    #expect(small.batches(of: try list([128, 128, 128, 128, 128]), besides: 100).map(\.count) == [5])
    // A descriptor that exceeds every message is sent alone, and the device reports its own error.
    #expect(small.batches(of: try list([1000, 16]), besides: 714).map(\.count) == [1, 1])
    #expect(small.fits(try list([1000]), besides: 2000))
  }

  @Test func `absurd limits do no harm`() async throws {
    for number in [0, UInt64.max] {
      let search = try await search { (info) in
        info.maximumCredentialCountInList = number
        info.maximumMessageByteCount = number
        info.maximumCredentialIDByteCount = .max
      }
      #expect(search.batches(of: try list([16, 16]), besides: 100).flatMap { (batch) in batch }.count == 2)
      #expect(search.candidates(of: try list([16, 16])).count == 2)
    }
  }

  // MARK: With a device

  /// Wraps a device to report other limits and to reject larger messages.
  private func narrow(
    _ device: SoftwareAuthenticator, sizes: Locked<[Int]>, mostInList: Int = .max,
    _ change: @escaping @Sendable (inout AuthenticatorInfo) -> Void
  ) -> FakeAuthenticator {
    FakeAuthenticator { (command, parameters) throws(CTAPError) in
      sizes.withLock { (sizes) in sizes.append(parameters.count + 1) }
      let count =
        switch command {
        case .makeCredential: try MakeCredentialRequest(parsing: parameters).excludeList.count
        case .getAssertion: try GetAssertionRequest(parsing: parameters).allowList?.count ?? 0
        default: 0
        }
      if count > mostInList { throw CTAPError(.requestTooLarge) }
      let reply = try await device.perform(command, parameters)
      guard command == .getInfo, var info = try? AuthenticatorInfo(parsing: reply) else { return reply }
      change(&info)
      return info.encoded
    }
  }

  private func strangers(_ count: Int) throws -> [CredentialDescriptor] {
    try (0..<count).map { (number) in
      CredentialDescriptor(id: try CredentialID([UInt8](repeating: UInt8(number), count: 60)[...]))
    }
  }

  @Test func `no message exceeds the device's limit`() async throws {
    let world = try World(pin: "1234", interaction: TestInteraction(pins: ["1234"]))
    let sizes = Locked<[Int]>([])
    let device = narrow(world.device, sizes: sizes) { (info) in
      info.maximumMessageByteCount = 1024
      info.maximumCredentialCountInList = 100
    }
    let client = Client(origin: world.client.origin, authenticator: device, interaction: world.interaction)
    let long = String(repeating: "a", count: 64)
    let creation = try world.creationOptions { (options) in
      options.relyingParty.name = long
      options.user = UserEntity(id: world.user.id, name: long, displayName: long)
      options.credentialParameters += [-8, -257, -35, -36, -37, -38, -39, -258, -259, -47].map { (number) in
        CredentialParameters(algorithm: COSEAlgorithm(rawValue: number))
      }
      options.authenticatorSelection.residentKey = .required
      options.excludeCredentials = try strangers(10)
      options.extensions = ["prf": ["eval": ["first": "AA", "second": "AQ"]]]
    }
    let made = try await client.create(creation)
    let request = try world.requestOptions { (options) in
      options.allowCredentials = try strangers(9) + [CredentialDescriptor(id: made.id)]
      options.extensions = ["prf": ["eval": ["first": "AA", "second": "AQ"]]]
    }
    #expect(try await client.get(request).id == made.id)
    #expect(sizes.withLock { (sizes) in sizes.max() } ?? 0 <= 1024)
    let excluded = try world.creationOptions { (options) in
      options.relyingParty.name = long
      options.credentialParameters = creation.credentialParameters
      options.excludeCredentials = try strangers(9) + [CredentialDescriptor(id: made.id)]
    }
    #expect(try await failure { try await client.create(excluded) }?.code == .credentialExcluded)
    #expect(sizes.withLock { (sizes) in sizes.max() } ?? 0 <= 1024)
  }

  @Test(arguments: [1, 3]) func `a device that rejects a list as too long gets halves of it`(_ most: Int) async throws {
    let world = try World()
    let device = narrow(world.device, sizes: Locked([]), mostInList: most) { (info) in
      info.maximumMessageByteCount = 7609
      info.maximumCredentialCountInList = 100
    }
    let client = Client(origin: world.client.origin, authenticator: device, interaction: world.interaction)
    let own = try await world.register().result.credential.record.descriptor
    let named = try world.requestOptions { (options) in options.allowCredentials = try strangers(17) + [own] }
    #expect(try await client.get(named).id == own.id)
    let excluding = try world.creationOptions { (options) in options.excludeCredentials = try strangers(17) + [own] }
    #expect(try await failure { try await client.create(excluding) }?.code == .credentialExcluded)
    let others = try world.creationOptions { (options) in options.excludeCredentials = try strangers(17) }
    _ = try await client.create(others)
    let none = try world.requestOptions { (options) in options.allowCredentials = try strangers(17) }
    #expect(try await failure { try await client.get(none) }?.code == .noCredentials)
  }

  @Test func `a device that rejects foreign credentials as invalid is searched too`() async throws {
    let world = try World()
    let own = try await world.register().result.credential.record.descriptor
    let inner = world.device
    let device = FakeAuthenticator { (command, parameters) throws(CTAPError) in
      do throws(CTAPError) {
        return try await inner.perform(command, parameters)
      } catch {
        throw error.status == .noCredentials ? CTAPError(.invalidCredential) : error
      }
    }
    let client = Client(origin: world.client.origin, authenticator: device, interaction: world.interaction)
    let named = try world.requestOptions { (options) in options.allowCredentials = try strangers(100) + [own] }
    #expect(try await client.get(named).id == own.id)
    let others = try world.creationOptions { (options) in options.excludeCredentials = try strangers(100) }
    _ = try await client.create(others)
    let none = try world.requestOptions { (options) in options.allowCredentials = try strangers(100) }
    #expect(try await failure { try await client.get(none) }?.code == .noCredentials)
  }

  @Test func `a credential with credProtect 3 is found after verification in the same command`() async throws {
    var profile = AuthenticatorProfile.securityKey
    profile.hasFingerprintSensor = true
    let world = try World(profile: profile, finger: 0, policy: { (policy) in policy.userVerification = .required })
    let device = narrow(world.device, sizes: Locked([])) { (info) in
      info.options["pinUvAuthToken"] = nil
      info.maximumCredentialCountInList = 4
    }
    let client = Client(origin: world.client.origin, authenticator: device, interaction: world.interaction)
    let protection = RegistrationExtension.credentialProtection(.userVerificationRequired, enforce: true)
    let credential = try await world.register(extensions: [protection]).result.credential
    let request = try world.requestOptions { (options) in
      options.userVerification = .required
      options.allowCredentials = try strangers(9) + [credential.record.descriptor]
    }
    #expect(try await client.get(request).id == credential.record.id)
  }

  // MARK: A gesture before a missing credential is reported (WebAuthn §14.5.2)

  @Test func `a missing credential is reported after a gesture for every list of credentials`() async throws {
    for touch in [AutomaticInteraction.always(), .never] {
      let world = try World(touch: touch)
      let lists = [[], try strangers(1), try strangers(100)] + [try list([1023])]
      for list in lists {
        let device = RewritingAuthenticator(world.device)
        let client = Client(origin: world.client.origin, authenticator: device, interaction: world.interaction)
        let error = try await failure {
          try await client.get(world.requestOptions { (options) in options.allowCredentials = list })
        }
        #expect(error?.code == .noCredentials)
        #expect(device.count(of: .selection) == 1)
        #expect(device.asked.withLock { (asked) in asked.last?.command } == .selection)
      }
    }
  }

  @Test func `an old device without such a gesture gets a dummy request`() async throws {
    let world = try World()
    let device = RewritingAuthenticator(world.device) { (command, reply) in
      guard command == .getInfo, var info = try? AuthenticatorInfo(parsing: reply) else { return reply }
      info.versions = ["FIDO_2_0"]
      return info.encoded
    }
    let client = Client(origin: world.client.origin, authenticator: device, interaction: world.interaction)
    let many = try world.requestOptions { (options) in options.allowCredentials = try strangers(100) }
    #expect(try await failure { try await client.get(many) }?.code == .noCredentials)
    #expect(device.count(of: .selection) == 0)
    let last = try #require(device.asked.withLock { (asked) in asked.last })
    let request = try GetAssertionRequest(parsing: last.parameters)
    #expect(request.options.userPresence == nil && request.allowList?.map(\.id.bytes) == [[0]])
    // A direct request for an assertion already waits for a touch.
    let count = device.count(of: .getAssertion)
    #expect(try await failure { try await client.get(world.requestOptions()) }?.code == .noCredentials)
    #expect(device.count(of: .getAssertion) == count + 1)
  }
}
