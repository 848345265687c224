// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCrypto
import PasskeyFormats
import Testing
import WebAuthnTypes

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

  @Test func `a missing or unknown subcommand is refused`() async throws {
    let platform = try TestDevice().platform()
    #expect(await platform.status(.authenticatorConfig) == .missingParameter)
    for number: UInt64 in [0, 5, 0xff, 258] {
      #expect(await platform.status(.authenticatorConfig, [1: .unsigned(number)]) == .invalidSubcommand)
    }
  }

  @Test func `an unprotected device can be configured without a token`() async throws {
    let device = try TestDevice()
    let platform = device.platform()
    try await platform.send(.authenticatorConfig, platform.configuring(4))
    try await platform.send(.authenticatorConfig, platform.configuring(3, nil, [1: 6]))
    #expect(try device.state.settings.needsLongTouchForReset)
    #expect(try device.state.settings.minimumPINLength == 6)
  }

  @Test(arguments: usualSubcommands)
  func `with a PIN or a fingerprint, a token is required`(subcommand: UInt8) async throws {
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
  func `a token without the permission and an unknown protocol are refused`(subcommand: UInt8) async throws {
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
  func `a token with the permission configures for any relying party`(version: TestPINProtocol) async throws {
    let device = try await Self.device()
    let platform = device.platform(version)
    let token = try await platform.token("123456", [.authenticatorConfiguration, .getAssertion], for: "raxx.app")
    try await platform.send(.authenticatorConfig, platform.configuring(4, token))
    #expect(try device.state.settings.needsLongTouchForReset)
  }

  @Test func `getInfo lists the existing subcommands`() async throws {
    #expect(try await TestDevice().platform().send(.getInfo)[0x1f] == [2, 3, 4])
    var profile = AuthenticatorProfile.forTests
    profile.attestation = .batch(SelfAttestationMaker(), enterprise: SelfAttestationMaker())
    #expect(try await TestDevice(profile).platform().send(.getInfo)[0x1f] == [1, 2, 3, 4])
  }

  // MARK: Single settings

  @Test func `enterprise attestation is available with a certificate, and stays enabled`() async throws {
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

  @Test func `alwaysUv can be turned on and off`() async throws {
    let device = try await Self.device()
    try await configure(device.platform(), 2)
    #expect(try device.state.settings.alwaysRequiresUserVerification)
    try await configure(device.platform(), 2)
    #expect(try !device.state.settings.alwaysRequiresUserVerification)
  }

  @Test func `without user verification, alwaysUv can only be turned off`() async throws {
    let device = try TestDevice { (state) in state.settings.alwaysRequiresUserVerification = true }
    let platform = device.platform()
    for subcommand: UInt8 in [3, 4] {
      #expect(
        await platform.status(.authenticatorConfig, platform.configuring(subcommand)) == .pinUVAuthTokenRequired)
    }
    try await platform.send(.authenticatorConfig, platform.configuring(2))
    #expect(try !device.state.settings.alwaysRequiresUserVerification)
  }

  @Test func `a long touch for reset can be turned on permanently`() async throws {
    let device = try await Self.device()
    for _ in 0..<2 {
      try await configure(device.platform(), 4)
      #expect(try device.state.settings.needsLongTouchForReset)
    }
  }

  // MARK: setMinPINLength

  @Test func `the minimum PIN length grows and never shrinks`() async throws {
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

  @Test func `a call without parameters changes nothing`() async throws {
    let device = try await Self.device()
    let before = try device.state.encoded
    try await configure(device.platform(), 3)
    try await configure(device.platform(), 3, [2: [], 3: false, 4: false])
    #expect(try device.state.encoded == before)
  }

  @Test func `a PIN that became too short must be changed, and every token ends`() async throws {
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

  @Test func `the minimum length is limited by the longest PIN`() async throws {
    let device = try await Self.device()
    try await configure(device.platform(), 3, [1: 63])
    #expect(try device.state.settings.minimumPINLength == 63)
    #expect(try device.state.settings.forcesPINChange)
  }

  @Test func `a PIN change can be forced if a PIN is set`() async throws {
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

  @Test func `new relying parties for the minimum length replace the old ones`() async throws {
    let device = try await Self.device()
    let platform = device.platform()
    try await configure(platform, 3, [2: ["raxx.app", "example.com"]])
    #expect(try device.state.settings.minimumPINLengthReaders == ["raxx.app", "example.com"])
    try await configure(platform, 3, [2: ["example.org"]])
    try await configure(platform, 3, [2: []])
    try await configure(platform, 3, [1: 6])
    #expect(try device.state.settings.minimumPINLengthReaders == ["example.org"])
  }

  @Test func `too many relying parties are refused, and nothing changes`() async throws {
    let device = try await Self.device()
    let many = CBORTree.array((0..<9).map { (number) in .text("\(number).example") })
    await expect(.keyStoreFull) { try await configure(device.platform(), 3, [1: 6, 2: many]) }
    #expect(try device.state.settings.minimumPINLength == 4)
    #expect(try device.state.settings.minimumPINLengthReaders.isEmpty)
  }

  @Test func `with the complexity policy, simple PINs are refused, and the current one must be changed`()
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

  @Test func `any parameters get a status`() async throws {
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
