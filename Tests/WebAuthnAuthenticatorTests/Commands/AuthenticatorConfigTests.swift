// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import SystemCrypto
import Testing
import WebAuthnTypes
import WireFormats

@testable import WebAuthnAuthenticator

struct AuthenticatorConfigTests {
  private static let usualSubcommands: [UInt8] = [2, 3, 4]

  /// Creates a device with a PIN of this length.
  private static func device(pin: String = "123456") async throws -> TestDevice {
    let device = try TestDevice()
    try await device.platform().setPIN(pin)
    return device
  }

  private func configure(
    _ platform: TestPlatform, _ subcommand: UInt8, _ parameters: TestMap? = nil, pin: String = "123456"
  ) async throws {
    let token = try await platform.token(pin, .authenticatorConfiguration)
    let answer = try await platform.send(
      .authenticatorConfig, platform.configuring(subcommand, token, parameters))
    #expect(answer == [:])
  }

  // MARK: What is asked first

  @Test func `a subcommand has to be named, and to be one that there is`() async throws {
    let platform = try TestDevice().platform()
    #expect(await platform.status(.authenticatorConfig) == .missingParameter)
    for number: UInt64 in [0, 5, 0xff, 258] {
      #expect(await platform.status(.authenticatorConfig, [1: .unsigned(number)]) == .invalidSubcommand)
    }
  }

  @Test func `a device that nothing protects is configured by anybody`() async throws {
    let device = try TestDevice()
    let platform = device.platform()
    try await platform.send(.authenticatorConfig, platform.configuring(4))
    try await platform.send(.authenticatorConfig, platform.configuring(3, nil, [1: 6]))
    #expect(try device.state.settings.needsLongTouchForReset)
    #expect(try device.state.settings.minimumPINLength == 6)
  }

  @Test(arguments: usualSubcommands)
  func `where there is a PIN or a finger, a token is asked for`(subcommand: UInt8) async throws {
    let device = try await Self.device()
    #expect(
      await device.platform().status(.authenticatorConfig, device.platform().configuring(subcommand))
        == .pinUVAuthTokenRequired)
    let enrolled = try TestDevice { (state) in
      state.fingers = [EnrolledFinger(templateID: [1], finger: 0, name: nil)]
    }
    #expect(
      await enrolled.platform().status(.authenticatorConfig, enrolled.platform().configuring(subcommand))
        == .pinUVAuthTokenRequired)
  }

  @Test(arguments: usualSubcommands)
  func `a token for something else is refused, and a protocol that is not known`(subcommand: UInt8) async throws {
    let device = try await Self.device()
    let platform = device.platform()
    let wrong = try await platform.token("123456", .credentialManagement)
    #expect(
      await platform.status(.authenticatorConfig, platform.configuring(subcommand, wrong)) == .pinAuthInvalid)
    let token = try await platform.token("123456", .authenticatorConfiguration)
    var request = platform.configuring(subcommand, token)
    request[3] = 3
    #expect(await platform.status(.authenticatorConfig, request) == .invalidParameter)
    request[3] = nil
    #expect(await platform.status(.authenticatorConfig, request) == .missingParameter)
    request[3] = 2
    request[1] = .unsigned(UInt64(subcommand == 4 ? 2 : 4))
    #expect(await platform.status(.authenticatorConfig, request) == .pinAuthInvalid)
  }

  @Test(arguments: TestPINProtocol.allCases)
  func `a token for it configures, whatever relying party it is for`(version: TestPINProtocol) async throws {
    let device = try await Self.device()
    let platform = device.platform(version)
    let token = try await platform.token("123456", [.authenticatorConfiguration, .getAssertion], for: "raxx.app")
    try await platform.send(.authenticatorConfig, platform.configuring(4, token))
    #expect(try device.state.settings.needsLongTouchForReset)
  }

  @Test func `getInfo lists the subcommands that there are`() async throws {
    #expect(try await TestDevice().platform().send(.getInfo)[0x1f] == [2, 3, 4])
    var profile = AuthenticatorProfile.forTests
    profile.attestation = .batch(SelfAttestationMaker(), enterprise: SelfAttestationMaker())
    #expect(try await TestDevice(profile).platform().send(.getInfo)[0x1f] == [1, 2, 3, 4])
  }

  // MARK: Single settings

  @Test func `enterprise attestation is there where the device has a certificate for it, and stays on`() async throws {
    let device = try await Self.device()
    let platform = device.platform()
    #expect(await platform.status(.authenticatorConfig, platform.configuring(1)) == .invalidSubcommand)

    var profile = AuthenticatorProfile.forTests
    profile.attestation = .batch(SelfAttestationMaker(), enterprise: SelfAttestationMaker())
    let other = try TestDevice(profile)
    for _ in 0..<2 {
      try await other.platform().send(.authenticatorConfig, other.platform().configuring(1))
      #expect(try other.state.settings.allowsEnterpriseAttestation)
    }
  }

  @Test func `always to verify users is turned on and off`() async throws {
    let device = try await Self.device()
    try await configure(device.platform(), 2)
    #expect(try device.state.settings.alwaysRequiresUserVerification)
    try await configure(device.platform(), 2)
    #expect(try !device.state.settings.alwaysRequiresUserVerification)
  }

  @Test func `where nobody can be verified, to turn it off is all that is left`() async throws {
    let device = try TestDevice { (state) in state.settings.alwaysRequiresUserVerification = true }
    let platform = device.platform()
    for subcommand: UInt8 in [3, 4] {
      #expect(
        await platform.status(.authenticatorConfig, platform.configuring(subcommand)) == .pinUVAuthTokenRequired)
    }
    try await platform.send(.authenticatorConfig, platform.configuring(2))
    #expect(try !device.state.settings.alwaysRequiresUserVerification)
  }

  @Test func `a long touch for a reset is turned on, once and for all`() async throws {
    let device = try await Self.device()
    for _ in 0..<2 {
      try await configure(device.platform(), 4)
      #expect(try device.state.settings.needsLongTouchForReset)
    }
  }

  // MARK: setMinPINLength

  @Test func `the minimum grows, and never shrinks`() async throws {
    let device = try await Self.device()
    let platform = device.platform()
    try await configure(platform, 3, [1: 5])
    #expect(try device.state.settings.minimumPINLength == 5)
    try await configure(platform, 3, [1: 5])
    await expect(.pinPolicyViolation) { try await configure(platform, 3, [1: 4]) }
    await expect(.pinPolicyViolation) { try await configure(platform, 3, [1: 64]) }
    await expect(.pinPolicyViolation) { try await configure(platform, 3, [1: .unsigned(.max)]) }
    #expect(try device.state.settings.minimumPINLength == 5)
    #expect(try !device.state.settings.forcesPINChange)
    #expect(await platform.status { try await platform.changePIN("123456", to: "9876") } == .pinPolicyViolation)
    try await platform.changePIN("123456", to: "98765")
  }

  @Test func `without any parameter nothing changes`() async throws {
    let device = try await Self.device()
    let before = try device.state.encoded
    try await configure(device.platform(), 3)
    try await configure(device.platform(), 3, [2: [], 3: false, 4: false])
    #expect(try device.state.encoded == before)
  }

  @Test func `a PIN that has become too short has to be changed, and every token ends`() async throws {
    let device = try await Self.device()
    let platform = device.platform()
    try await configure(platform, 3, [1: 6])
    #expect(try !device.state.settings.forcesPINChange)
    #expect(await device.authenticator.currentToken != nil)
    try await configure(platform, 3, [1: 7])
    #expect(try device.state.settings.forcesPINChange)
    #expect(await device.authenticator.currentToken == nil)
    #expect(await platform.status { try await platform.token("123456") } == .pinInvalid)
    try await platform.changePIN("123456", to: "7654321x")
    #expect(try !device.state.settings.forcesPINChange)
  }

  @Test func `the minimum goes up to what a PIN can have`() async throws {
    let device = try await Self.device()
    try await configure(device.platform(), 3, [1: 63])
    #expect(try device.state.settings.minimumPINLength == 63)
    #expect(try device.state.settings.forcesPINChange)
  }

  @Test func `a change of the PIN can be demanded, where there is one`() async throws {
    let device = try await Self.device()
    try await configure(device.platform(), 3, [3: true])
    #expect(try device.state.settings.forcesPINChange)
    #expect(await device.authenticator.currentToken == nil)

    let other = try TestDevice()
    #expect(
      await other.platform().status(.authenticatorConfig, other.platform().configuring(3, nil, [1: 8, 3: true]))
        == .pinNotSet)
    #expect(try other.state.settings.minimumPINLength == 4)
  }

  @Test func `relying parties that may learn the minimum take the place of others`() async throws {
    let device = try await Self.device()
    let platform = device.platform()
    try await configure(platform, 3, [2: ["raxx.app", "example.com"]])
    #expect(try device.state.settings.minimumPINLengthReaders == ["raxx.app", "example.com"])
    try await configure(platform, 3, [2: ["example.org"]])
    try await configure(platform, 3, [2: []])
    try await configure(platform, 3, [1: 6])
    #expect(try device.state.settings.minimumPINLengthReaders == ["example.org"])
  }

  @Test func `more of them than there is room for are refused, and nothing changes`() async throws {
    let device = try await Self.device()
    let many = CBORTree.array((0..<9).map { (number) in .text("\(number).example") })
    await expect(.keyStoreFull) { try await configure(device.platform(), 3, [1: 6, 2: many]) }
    #expect(try device.state.settings.minimumPINLength == 4)
    #expect(try device.state.settings.minimumPINLengthReaders.isEmpty)
  }

  @Test func `simple PINs are no longer taken where that is set, and the one that there is has to be changed`()
    async throws
  {
    let device = try await Self.device()
    let platform = device.platform()
    try await configure(platform, 3, [4: true])
    #expect(try device.state.settings.enforcesPINComplexity)
    #expect(try device.state.settings.forcesPINChange)
    #expect(await platform.status { try await platform.changePIN("123456", to: "777777") } == .pinPolicyViolation)
    try await platform.changePIN("123456", to: "271828")
    try await configure(platform, 3, [4: true], pin: "271828")
    #expect(try !device.state.settings.forcesPINChange)
    try await configure(platform, 3, [4: false], pin: "271828")
    #expect(try device.state.settings.enforcesPINComplexity)
  }

  @Test func `a parameter of another type is refused`() async throws {
    let device = try await Self.device()
    for parameters: TestMap in [[1: "6"], [2: "raxx.app"], [2: [1]], [3: 1], [4: "yes"]] {
      await expect(.cborUnexpectedType, "\(parameters)") { try await configure(device.platform(), 3, parameters) }
    }
    await expect(.invalidParameter) { try await configure(device.platform(), 3, [1: -1]) }
    #expect(
      await device.platform().status(.authenticatorConfig, [1: 3, 2: .bytes([1])]) == .cborUnexpectedType)
  }

  @Test func `any parameters are answered with a status`() async throws {
    let device = try TestDevice()
    let platform = device.platform()
    try await checkAnyParameters(
      device, .authenticatorConfig,
      [
        platform.configuring(1), platform.configuring(2), platform.configuring(4),
        platform.configuring(3, nil, [1: 5, 2: ["raxx.app"], 3: false, 4: true]),
      ])
  }
}
