// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCrypto
import PasskeyFormats
import PasskeySystem
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import WebAuthnAuthenticator
@testable import WebAuthnBrowser
@testable import WebAuthnClient

struct UserVerifierTests {
  private func world(
    _ interaction: TestInteraction, reach: Reach = .inProcess, prepare: (inout DeviceState) throws -> Void = { _ in }
  ) throws -> World {
    try World(
      reach, pin: "1234", interaction: interaction, prepare: prepare,
      policy: { (policy) in
        policy.userVerification = .required
      })
  }

  @Test(arguments: Reach.allCases)
  func `the right PIN verifies the user`(_ reach: Reach) async throws {
    let world = try world(TestInteraction(pins: ["1234"]), reach: reach)
    let (registered, _) = try await world.register()
    #expect(registered.flags.contains(.userVerified))
    let (signedIn, _) = try await world.signIn(registered.credential)
    #expect(signedIn.flags.contains(.userVerified))
    #expect(world.interaction.attemptsLeft == [8, 8])
  }

  @Test func `an enrolled fingerprint verifies without a PIN`() async throws {
    var profile = AuthenticatorProfile.securityKey
    profile.hasFingerprintSensor = true
    let interaction = TestInteraction()
    let world = try World(
      profile: profile, pin: "1234", finger: 0, interaction: interaction,
      policy: { (policy) in
        policy.userVerification = .required
      })
    let (registered, _) = try await world.register()
    #expect(registered.flags.contains(.userVerified))
    #expect(interaction.attemptsLeft.isEmpty)
  }

  @Test func `a wrong fingerprint leads to the PIN`() async throws {
    var profile = AuthenticatorProfile.securityKey
    profile.hasFingerprintSensor = true
    let interaction = TestInteraction(pins: ["1234"])
    let world = try World(
      profile: profile, pin: "1234", finger: 0, interaction: interaction,
      touch: AutomaticInteraction.always(finger: 7), policy: { (policy) in policy.userVerification = .required })
    let (registered, _) = try await world.register()
    #expect(registered.flags.contains(.userVerified))
    #expect(interaction.attemptsLeft == [8])
  }

  @Test(arguments: ["", "123", "äöü", String(repeating: "1", count: 64)])
  func `an impossible PIN costs no attempt`(_ pin: String) async throws {
    let world = try world(TestInteraction(pins: [pin]))
    let error = try await failure { try await world.register() }
    #expect(error?.code == .pinInvalid)
    #expect(try world.vault.read().pin?.remainingAttempts == 8)
  }

  @Test func `a wrong PIN is asked again, with the remaining attempts`() async throws {
    let world = try world(TestInteraction(pins: ["0000", "1111", "1234"]))
    _ = try await world.register()
    #expect(world.interaction.attemptsLeft == [8, 7, 6])
    #expect(try world.vault.read().pin?.remainingAttempts == 8)
  }

  @Test func `the same wrong PIN is not tried twice`() async throws {
    let world = try world(TestInteraction(pins: ["0000"]))
    let error = try await failure { try await world.register() }
    #expect(error?.code == .pinInvalid)
    #expect(error?.domName == "NotAllowedError")
    #expect(try world.vault.read().pin?.remainingAttempts == 7)
  }

  @Test func `three wrong PINs in a row require unplugging`() async throws {
    let world = try world(TestInteraction(pins: ["0000", "1111", "2222", "1234"]))
    let error = try await failure { try await world.register() }
    #expect(error?.code == .pinAttemptsExhausted)
    #expect(try world.vault.read().pin?.remainingAttempts == 5)
  }

  @Test func `a blocked PIN is not asked`() async throws {
    let interaction = TestInteraction(pins: ["1234"])
    let world = try world(interaction)
    try world.vault.update { (state) in state.pin?.remainingAttempts = 0 }
    let error = try await failure { try await world.register() }
    #expect(error?.code == .pinBlocked)
    #expect(interaction.attemptsLeft.isEmpty)
  }

  @Test func `a PIN that must be changed is reported`() async throws {
    let world = try world(TestInteraction(pins: ["1234"]))
    try world.vault.update { (state) in state.settings.forcesPINChange = true }
    let error = try await failure { try await world.register() }
    #expect(error?.code == .pinChangeNeeded)
  }

  @Test func `without a PIN prompt verification fails`() async throws {
    let world = try world(TestInteraction(pins: [nil]))
    let error = try await failure { try await world.register() }
    #expect(error?.code == .userVerificationUnavailable)
    #expect(error?.domName == "NotAllowedError")
  }

  @Test func `the PIN is asked only if the options or the device require it`() async throws {
    let interaction = TestInteraction(pins: ["1234"])
    let lax = try World(
      pin: "1234", interaction: interaction, policy: { (policy) in policy.residentKey = .discouraged })
    #expect(try await lax.register().result.flags.contains(.userVerified) == false)
    #expect(interaction.attemptsLeft.isEmpty)
    // A discoverable credential of a protected device requires verification in any case.
    let discoverable = try World(pin: "1234", interaction: interaction)
    #expect(try await discoverable.register().result.flags.contains(.userVerified))
    #expect(interaction.attemptsLeft.count == 1)
    let strict = try World(pin: "1234", interaction: interaction) { (state) in
      state.settings.alwaysRequiresUserVerification = true
    } policy: { (policy) in
      policy.residentKey = .discouraged
    }
    let (registered, _) = try await strict.register()
    #expect(registered.flags.contains(.userVerified))
    #expect(try await strict.signIn(registered.credential, isNamed: true).result.flags.contains(.userVerified))
  }

  /// The authenticator's capabilities, and the expected subcommand for the token.
  @Test(arguments: [
    ([2, 1] as [UInt64], true, 2 as UInt64, 0x09 as UInt64), ([1], true, 1, 0x09), ([1, 2], true, 1, 0x09),
    ([7, 2], true, 2, 0x09), ([2], false, 2, 0x05), ([], false, 1, 0x05),
  ])
  func `the device's protocol and subcommand are used`(
    _ offered: [UInt64], _ hasPermissions: Bool, _ version: UInt64, _ subcommand: UInt64
  ) async throws {
    let world = try world(TestInteraction(pins: ["1234"]))
    let device = RewritingAuthenticator(world.device) { (command, reply) in
      guard command == .getInfo, var info = try? AuthenticatorInfo(parsing: reply) else { return reply }
      info.pinUVAuthProtocols = offered
      info.options["pinUvAuthToken"] = hasPermissions
      return info.encoded
    }
    let client = Client(origin: world.client.origin, authenticator: device, interaction: world.interaction)
    let options = world.creationOptions { (options) in options.authenticatorSelection.userVerification = .required }
    #expect(try await client.create(options).flags.contains(.userVerified))
    let last = try #require(
      device.asked.withLock { (asked) in asked.last { (asked) in asked.command == .clientPIN }?.parameters })
    let parameters = try CBORValue(parsing: last, rules: .canonical).map
    #expect(try parameters.require(0x01).unsigned == version)
    #expect(try parameters.require(0x02).unsigned == subcommand)
  }

  @Test func `a device with built-in verification only is asked within the command`() async throws {
    let info = try infoWithOptions(["uv": true, "rk": true])
    let device = FakeAuthenticator { (command, parameters) throws(CTAPError) in
      guard command == .makeCredential else { return info.encoded }
      let request = try MakeCredentialRequest(parsing: parameters)
      throw CTAPError(request.options.userVerification == true ? .operationDenied : .missingParameter)
    }
    let world = try World()
    let client = Client(origin: world.client.origin, authenticator: device, interaction: world.interaction)
    let options = world.creationOptions { (options) in options.authenticatorSelection.userVerification = .required }
    #expect(try await failure { try await client.create(options) }?.code == .notAllowed)
  }

  /// A device that issues no tokens by built-in verification and blocks it within commands.
  private func blocked(_ device: SoftwareAuthenticator, _ status: CTAPStatus, hasPIN: Bool = true) -> FakeAuthenticator
  {
    FakeAuthenticator { (command, parameters) throws(CTAPError) in
      let isByCommand =
        switch command {
        case .makeCredential: try MakeCredentialRequest(parsing: parameters).options.userVerification == true
        case .getAssertion: try GetAssertionRequest(parsing: parameters).options.userVerification == true
        default: false
        }
      if isByCommand { throw CTAPError(status) }
      let reply = try await device.perform(command, [UInt8](parameters))
      guard command == .getInfo, var info = try? AuthenticatorInfo(parsing: reply) else { return reply }
      info.options["uv"] = true
      info.options["pinUvAuthToken"] = nil
      if !hasPIN { info.options["clientPin"] = false }
      return info.encoded
    }
  }

  @Test(arguments: [CTAPStatus.userVerificationBlocked, .pinUVAuthTokenRequired])
  func `a device whose fingerprints are blocked is asked by PIN`(_ status: CTAPStatus) async throws {
    let world = try world(TestInteraction(pins: ["1234"]))
    let client = Client(
      origin: world.client.origin, authenticator: blocked(world.device, status), interaction: world.interaction)
    let creation = world.creationOptions { (options) in
      options.authenticatorSelection.userVerification = .required
      options.authenticatorSelection.residentKey = .required
    }
    #expect(try await client.create(creation).flags.contains(.userVerified))
    let request = world.requestOptions { (options) in options.userVerification = .required }
    let data = try AuthenticatorData(parsing: try await client.get(request).authenticatorData)
    #expect(data.flags.contains(.userVerified))
    #expect(world.interaction.attemptsLeft == [8, 8])
  }

  @Test func `a block without a PIN is reported`() async throws {
    let world = try world(TestInteraction(pins: ["1234"]))
    let device = blocked(world.device, .userVerificationBlocked, hasPIN: false)
    let client = Client(origin: world.client.origin, authenticator: device, interaction: world.interaction)
    let request = world.requestOptions { (options) in options.userVerification = .required }
    #expect(try await failure { try await client.get(request) }?.code == .userVerificationBlocked)
    #expect(world.interaction.attemptsLeft.isEmpty)
  }

  @Test func `a device with unknown protocols gives no token`() async throws {
    var info = try infoWithOptions(["clientPin": true, "pinUvAuthToken": true])
    info.pinUVAuthProtocols = [77]
    let told = info.encoded[...]
    let device = FakeAuthenticator { (_, _) throws(CTAPError) in [UInt8](told) }
    let world = try World()
    let client = Client(origin: world.client.origin, authenticator: device, interaction: world.interaction)
    let options = world.requestOptions { (options) in options.userVerification = .required }
    #expect(try await failure { try await client.get(options) }?.code == .userVerificationUnavailable)
  }

  private func infoWithOptions(_ options: [String: Bool]) throws -> AuthenticatorInfo {
    var info = AuthenticatorInfo(versions: ["FIDO_2_0"], aaguid: .zero)
    info.options = options
    return info
  }
}
