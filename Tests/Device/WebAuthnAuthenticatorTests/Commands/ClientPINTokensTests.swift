// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCrypto
import PasskeyFormats
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

struct ClientPINTokensTests {
  /// Creates a device with the PIN 1234 and the enrolled finger 0.
  private static func device(_ profile: AuthenticatorProfile = .forTests) async throws -> TestDevice {
    let device = try TestDevice(profile) { (state) in
      state.fingers = [EnrolledFinger(templateID: [1], finger: 0, name: nil)]
    }
    try await device.platform().setPIN("1234")
    return device
  }

  // MARK: getPinToken

  @Test(arguments: TestPINProtocol.allCases)
  func `getPinToken gives a token for mc and ga, not bound to a relying party`(
    version: TestPINProtocol
  ) async throws {
    let device = try await Self.device()
    let bytes = try await device.platform(version).token("1234")
    let token = await device.authenticator.currentToken
    #expect(bytes.count == 32)
    #expect(token?.bytes == bytes)
    #expect(token?.permissions == .defaults)
    #expect(token?.relyingPartyID == nil)
    #expect(await !device.authenticator.tokenShowsUserPresence)
  }

  @Test func `getPinToken takes neither permissions nor a relying party`() async throws {
    let platform = try await Self.device().platform()
    for (key, value): (CBORKey, CBORTree) in [(9, 1), (0x0a, "raxx.app")] {
      var (parameters, _) = try await platform.askingForToken("1234")
      parameters[key] = value
      #expect(await platform.status(.clientPIN, parameters) == .invalidParameter)
    }
    #expect(try await platform.pinRetries() == 8)
  }

  @Test func `the other parameters of getPinToken are required`() async throws {
    let platform = try await Self.device().platform()
    let (good, _) = try await platform.askingForToken("1234")
    for key: CBORKey in [1, 3, 6] {
      var corrupted = good
      corrupted[key] = nil
      #expect(await platform.status(.clientPIN, corrupted) == .missingParameter, "\(key)")
    }
    var corrupted = good
    corrupted[1] = 7
    #expect(await platform.status(.clientPIN, corrupted) == .invalidParameter)
  }

  @Test func `without a PIN getPinToken gives no token`() async throws {
    let platform = try TestDevice().platform()
    #expect(await platform.status { try await platform.token("1234") } == .pinNotSet)
    #expect(await platform.status { try await platform.token("1234", .getAssertion, for: "a.b") } == .pinNotSet)
  }

  @Test func `a PIN that must be changed gives no token, and each subcommand has its own status`() async throws {
    let device = try await Self.device()
    let platform = device.platform()
    try device.vault.update { (state) in state.settings.forcesPINChange = true }
    #expect(await platform.status { try await platform.token("1234") } == .pinInvalid)
    #expect(
      await platform.status { try await platform.token("1234", .getAssertion, for: "a.b") } == .pinPolicyViolation)
    #expect(await platform.status { try await platform.token("1234", .persistentReading) } == .pinPolicyViolation)
    #expect(try await platform.pinRetries() == 8)
    #expect(await device.authenticator.currentToken == nil)
    try await platform.changePIN("1234", to: "5678")
    try await platform.token("5678")
  }

  // MARK: getPinUvAuthTokenUsingPinWithPermissions

  @Test(arguments: TestPINProtocol.allCases)
  func `getPinUvAuthToken gives the requested permissions`(version: TestPINProtocol) async throws {
    let device = try await Self.device()
    let bytes = try await device.platform(version).token("1234", [.credentialManagement, .largeBlobWrite])
    let token = await device.authenticator.currentToken
    #expect(token?.bytes == bytes)
    #expect(token?.permissions == [.credentialManagement, .largeBlobWrite])
    #expect(token?.relyingPartyID == nil)
    try await device.platform(version).token("1234", .defaults, for: "raxx.app")
    #expect(await device.authenticator.currentToken?.relyingPartyID == "raxx.app")
  }

  @Test func `its parameters are required, and for mc and ga the relying party`() async throws {
    let platform = try await Self.device().platform()
    let (good, _) = try await platform.askingForToken("1234", 4)
    for key: CBORKey in [1, 3, 6, 9] {
      var corrupted = good
      corrupted[key] = nil
      #expect(await platform.status(.clientPIN, corrupted) == .missingParameter, "\(key)")
    }
    for permissions: UInt64 in [1, 2, 3, 7] {
      let (parameters, _) = try await platform.askingForToken("1234", permissions)
      #expect(await platform.status(.clientPIN, parameters) == .missingParameter)
    }
    var corrupted = good
    corrupted[1] = 3
    #expect(await platform.status(.clientPIN, corrupted) == .invalidParameter)
  }

  @Test func `empty permissions are refused, and unknown ones ignored`() async throws {
    let device = try await Self.device()
    let platform = device.platform()
    let (none, _) = try await platform.askingForToken("1234", 0)
    #expect(await platform.status(.clientPIN, none) == .invalidParameter)
    let (unknown, _) = try await platform.askingForToken("1234", 0xff80 | 0x04)
    #expect(await platform.status(.clientPIN, unknown) == .success)
    #expect(await device.authenticator.currentToken?.permissions == .credentialManagement)
  }

  @Test func `a device without a sensor grants no enrollment permission`() async throws {
    let platform = try await Self.device(.withoutSensor).platform()
    #expect(await platform.status { try await platform.token("1234", .bioEnrollment) } == .unauthorizedPermission)
    #expect(
      await platform.status { try await platform.token("1234", [.bioEnrollment, .largeBlobWrite]) }
        == .unauthorizedPermission)
    #expect(try await platform.pinRetries() == 8)
  }

  @Test func `pcmr cannot be combined with other permissions`() async throws {
    let device = try await Self.device()
    let platform = device.platform()
    #expect(
      await platform.status { try await platform.token("1234", [.persistentReading, .credentialManagement]) }
        == .unauthorizedPermission)
    let token = try await platform.token("1234", .credentialManagement)
    let reading = try await platform.token("1234", .persistentReading)
    #expect(await device.authenticator.currentToken?.bytes == token)
    #expect(try await platform.token("1234", .persistentReading) == reading)
    #expect(try await device.platform(.one).token("1234", .persistentReading) == reading)
  }

  @Test func `every token differs, and power loss ends it`() async throws {
    var device = try await Self.device()
    let first = try await device.platform().token("1234", .credentialManagement)
    let second = try await device.platform().token("1234", .credentialManagement)
    #expect(first != second)
    #expect(
      await device.platform().status(.credentialManagement, device.platform().managing(1, first)) == .pinAuthInvalid)
    #expect(await device.platform().status(.credentialManagement, device.platform().managing(1, second)) == .success)
    try device.cyclePower()
    #expect(
      await device.platform().status(.credentialManagement, device.platform().managing(1, second)) == .pinAuthInvalid)
  }

  // MARK: getPinUvAuthTokenUsingUvWithPermissions

  @Test(arguments: TestPINProtocol.allCases)
  func `a fingerprint gives a token and shows user presence`(version: TestPINProtocol) async throws {
    let device = try await Self.device()
    let bytes = try await device.platform(version).token(nil, .makeCredential, for: "raxx.app")
    #expect(await device.authenticator.currentToken?.bytes == bytes)
    #expect(await device.authenticator.currentToken?.relyingPartyID == "raxx.app")
    #expect(await device.authenticator.tokenShowsUserPresence)
    #expect(device.user.asked == [InteractionPurpose(.register, relyingPartyID: "raxx.app")])
  }

  @Test func `the user is shown the purpose of a token`() async throws {
    let device = try await Self.device()
    try await device.platform().token(nil, .getAssertion, for: "raxx.app")
    try await device.platform().token(nil, .authenticatorConfiguration)
    #expect(device.user.asked.map(\.act) == [.signIn, .configure])
  }

  @Test func `a wrong fingerprint costs one attempt, and the platform may retry`() async throws {
    let device = try await Self.device()
    let platform = device.platform()
    device.user.usuallyGives(finger: .finger(7))
    for remaining: CBORTree in [4, 3, 2, 1] {
      #expect(
        await platform.status { try await platform.token(nil, .credentialManagement) } == .userVerificationInvalid)
      #expect(try await platform.fingerRetries() == remaining)
    }
    #expect(await platform.status { try await platform.token(nil, .credentialManagement) } == .userVerificationBlocked)
    #expect(await platform.status { try await platform.token(nil, .credentialManagement) } == .userVerificationBlocked)
    #expect(device.user.asked.count == 5)
    #expect(try await platform.pinRetries() == 8)
  }

  @Test(
    arguments: [
      (FingerAnswer.timedOut, CTAPStatus.userActionTimeout), (.refused, .operationDenied),
      (.cancelled, .keepaliveCancel),
    ])
  func `without a fingerprint in time there is no token, and the old one stays`(
    answer: FingerAnswer, status: CTAPStatus
  ) async throws {
    let device = try await Self.device()
    let platform = device.platform()
    let token = try await platform.token("1234", .credentialManagement)
    device.user.willGive(fingers: answer)
    #expect(await platform.status { try await platform.token(nil, .credentialManagement) } == status)
    #expect(await device.authenticator.currentToken?.bytes == token)
    #expect(try await platform.fingerRetries() == 5)
  }

  @Test func `without an enrolled fingerprint the subcommand is not allowed, and without a sensor unknown`()
    async throws
  {
    var platform = try TestDevice().platform()
    #expect(await platform.status { try await platform.token(nil, .credentialManagement) } == .notAllowed)
    platform = try TestDevice(.withoutSensor).platform()
    #expect(await platform.status { try await platform.token(nil, .credentialManagement) } == .invalidSubcommand)
  }

  @Test func `its parameters are required and checked`() async throws {
    let device = try await Self.device()
    let platform = device.platform()
    let (good, _) = try await platform.askingForToken(nil, 4)
    for key: CBORKey in [1, 3, 9] {
      var corrupted = good
      corrupted[key] = nil
      #expect(await platform.status(.clientPIN, corrupted) == .missingParameter, "\(key)")
    }
    for (key, value, status): (CBORKey, CBORTree, CTAPStatus) in [
      (1, 3, .invalidParameter), (9, 0, .invalidParameter), (9, 1, .missingParameter),
      (9, 0x44, .unauthorizedPermission),
      (3, [:], .invalidParameter),
    ] {
      var corrupted = good
      corrupted[key] = value
      #expect(await platform.status(.clientPIN, corrupted) == status, "\(key) \(value)")
    }
    #expect(device.user.asked.isEmpty)
  }

  @Test func `a fingerprint gives the persistent token too`() async throws {
    let device = try await Self.device()
    let reading = try await device.platform().token(nil, .persistentReading)
    #expect(try device.state.persistentToken == reading)
    #expect(await device.authenticator.currentToken == nil)
  }

  @Test func `a blocked PIN blocks fingerprints`() async throws {
    let device = try await Self.device()
    try device.vault.update { (state) in state.pin?.remainingAttempts = 0 }
    let platform = device.platform()
    #expect(await platform.status { try await platform.token(nil, .credentialManagement) } == .userVerificationBlocked)
  }
}
