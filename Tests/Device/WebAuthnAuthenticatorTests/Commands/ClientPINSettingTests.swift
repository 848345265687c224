// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

struct ClientPINSettingTests {
  // MARK: setPIN

  @Test(arguments: TestPINProtocol.allCases)
  func `a PIN that was set is accepted`(version: TestPINProtocol) async throws {
    let device = try TestDevice()
    let platform = device.platform(version)
    #expect(try await platform.send(.clientPIN, platform.settingPIN("1234")) == [:])
    #expect(try device.state.pin?.codePointCount == 4)
    try await platform.token("1234")
    #expect(await platform.status { try await platform.token("1235") } == .pinInvalid)
  }

  @Test func `setting a PIN changes nothing else`() async throws {
    let device = try TestDevice { (state) in
      state = try .sample()
      state.pin = nil
    }
    let before = try device.state
    try await device.platform().setPIN("123456")
    var after = try device.state
    #expect(after.pin?.remainingAttempts == 8)
    after.pin = nil
    #expect(after.encoded == before.encoded)
  }

  @Test func `missing parameters and wrong types are refused first`() async throws {
    let platform = try TestDevice().platform()
    let good = try await platform.settingPIN("1234")
    for key: CBORKey in [1, 3, 4, 5] {
      var corrupted = good
      corrupted[key] = nil
      #expect(await platform.status(.clientPIN, corrupted) == .missingParameter, "\(key)")
      corrupted[key] = "text"
      #expect(await platform.status(.clientPIN, corrupted) == .cborUnexpectedType, "\(key)")
    }
    try await platform.send(.clientPIN, good)
  }

  @Test func `an unknown protocol is refused`() async throws {
    let platform = try TestDevice().platform()
    var corrupted = try await platform.settingPIN("1234")
    corrupted[1] = 3
    #expect(await platform.status(.clientPIN, corrupted) == .invalidParameter)
  }

  @Test func `a second PIN is refused`() async throws {
    let platform = try TestDevice().platform()
    try await platform.setPIN("1234")
    #expect(await platform.status { try await platform.setPIN("5678") } == .pinAuthInvalid)
    try await platform.token("1234")
  }

  @Test func `an unauthenticated PIN is refused`() async throws {
    let platform = try TestDevice().platform()
    var corrupted = try await platform.settingPIN("1234")
    corrupted[4] = .bytes([UInt8](repeating: 0, count: 32))
    #expect(await platform.status(.clientPIN, corrupted) == .pinAuthInvalid)
  }

  @Test func `a PIN that cannot be decrypted is refused`() async throws {
    let platform = try TestDevice().platform()
    let secret = try await platform.agree()
    let newPINEnc = [UInt8](repeating: 1, count: 65)
    let request: TestMap = [
      1: 2, 2: 3, 3: secret.platformKey, 4: .bytes(secret.authenticate(newPINEnc)), 5: .bytes(newPINEnc),
    ]
    #expect(await platform.status(.clientPIN, request) == .pinAuthInvalid)
  }

  @Test(arguments: TestPINProtocol.allCases)
  func `a PIN with another padded length is refused`(version: TestPINProtocol) async throws {
    let platform = try TestDevice().platform(version)
    for count in [16, 48, 80, 256] {
      let padded = [UInt8]("1234".utf8) + [UInt8](repeating: 0, count: count - 4)
      #expect(
        await platform.status { try await platform.send(.clientPIN, platform.settingPIN("", padded: padded)) }
          == .invalidParameter)
    }
  }

  @Test(arguments: ["", "123", "äöü", "🗝️1"])
  func `a PIN of fewer than four code points is refused`(pin: String) async throws {
    let platform = try TestDevice().platform()
    #expect(await platform.status { try await platform.setPIN(pin) } == .pinPolicyViolation)
  }

  @Test(arguments: ["äöüß", String(repeating: "1", count: 63), "a\u{0}b\u{0}c"])
  func `a PIN of four code points to 63 bytes is accepted`(pin: String) async throws {
    let platform = try TestDevice().platform()
    try await platform.setPIN(pin)
    try await platform.token(pin)
  }

  @Test func `a PIN of 64 bytes or invalid UTF-8 is refused`() async throws {
    let platform = try TestDevice().platform()
    for padded in [[UInt8](repeating: 0x31, count: 64), hex("c3 28 31 32 33") + [UInt8](repeating: 0, count: 59)] {
      #expect(
        await platform.status { try await platform.send(.clientPIN, platform.settingPIN("", padded: padded)) }
          == .pinPolicyViolation)
    }
  }

  @Test func `simple PINs are refused if the policy forbids them`() async throws {
    let platform = try TestDevice { (state) in state.settings.enforcesPINComplexity = true }.platform()
    for pin in ["1111", "12345678", "4321"] {
      #expect(await platform.status { try await platform.setPIN(pin) } == .pinPolicyViolation)
    }
    try await platform.setPIN("2580")
  }

  // MARK: changePIN

  @Test(arguments: TestPINProtocol.allCases)
  func `after a change only the new PIN is accepted`(version: TestPINProtocol) async throws {
    let platform = try TestDevice().platform(version)
    try await platform.setPIN("1234")
    #expect(try await platform.send(.clientPIN, platform.changingPIN("1234", to: "567890")) == [:])
    #expect(await platform.status { try await platform.token("1234") } == .pinInvalid)
    try await platform.token("567890")
  }

  @Test func `each parameter of a change is required`() async throws {
    let platform = try TestDevice().platform()
    try await platform.setPIN("1234")
    let good = try await platform.changingPIN("1234", to: "5678")
    for key: CBORKey in [1, 3, 4, 5, 6] {
      var corrupted = good
      corrupted[key] = nil
      #expect(await platform.status(.clientPIN, corrupted) == .missingParameter, "\(key)")
      corrupted[key] = false
      #expect(await platform.status(.clientPIN, corrupted) == .cborUnexpectedType, "\(key)")
    }
    var corrupted = good
    corrupted[1] = 0
    #expect(await platform.status(.clientPIN, corrupted) == .invalidParameter)
    #expect(try await platform.pinRetries() == 8)
    try await platform.send(.clientPIN, good)
  }

  @Test func `without a PIN a change is refused`() async throws {
    let platform = try TestDevice().platform()
    #expect(await platform.status { try await platform.changePIN("1234", to: "5678") } == .pinNotSet)
  }

  @Test func `an unauthenticated change costs no attempt`() async throws {
    let platform = try TestDevice().platform()
    try await platform.setPIN("1234")
    var corrupted = try await platform.changingPIN("1234", to: "5678")
    corrupted[4] = .bytes([UInt8](repeating: 0, count: 32))
    #expect(await platform.status(.clientPIN, corrupted) == .pinAuthInvalid)
    #expect(try await platform.pinRetries() == 8)
  }

  @Test func `a wrong old PIN costs an attempt and changes nothing`() async throws {
    let platform = try TestDevice().platform()
    try await platform.setPIN("1234")
    #expect(await platform.status { try await platform.changePIN("0000", to: "5678") } == .pinInvalid)
    #expect(await platform.status { try await platform.changePIN("0000", to: "5678") } == .pinInvalid)
    #expect(try await platform.pinRetries() == 6)
    #expect(await platform.status { try await platform.changePIN("0000", to: "5678") } == .pinAuthBlocked)
    #expect(try await platform.pinRetries() == 5)
  }

  @Test func `an invalid new PIN costs no attempt`() async throws {
    let platform = try TestDevice().platform()
    try await platform.setPIN("1234")
    #expect(await platform.status { try await platform.token("0000") } == .pinInvalid)
    #expect(await platform.status { try await platform.changePIN("1234", to: "56") } == .pinPolicyViolation)
    #expect(try await platform.pinRetries() == 8)
    let padded = [UInt8](repeating: 0x31, count: 32)
    #expect(
      await platform.status {
        try await platform.send(.clientPIN, platform.changingPIN("1234", to: "", padded: padded))
      } == .invalidParameter)
    try await platform.token("1234")
  }

  @Test func `the same PIN may be set again, except if a change is forced`() async throws {
    let device = try TestDevice()
    let platform = device.platform()
    try await platform.setPIN("1234")
    try await platform.changePIN("1234", to: "1234")
    try device.vault.update { (state) in state.settings.forcesPINChange = true }
    #expect(await platform.status { try await platform.changePIN("1234", to: "1234") } == .pinPolicyViolation)
    #expect(try device.state.settings.forcesPINChange)
    try await platform.changePIN("1234", to: "5678")
    #expect(try !device.state.settings.forcesPINChange)
  }

  @Test func `a change ends every token, including the persistent one`() async throws {
    let device = try TestDevice()
    let platform = device.platform()
    try await platform.setPIN("1234")
    let reading = try await platform.token("1234", .persistentReading)
    let token = try await platform.token("1234", .credentialManagement)
    #expect(await platform.status(.credentialManagement, platform.managing(1, token)) == .success)
    #expect(await platform.status(.credentialManagement, platform.managing(1, reading)) == .success)
    try await platform.changePIN("1234", to: "5678")
    #expect(await platform.status(.credentialManagement, platform.managing(1, token)) == .pinAuthInvalid)
    #expect(await platform.status(.credentialManagement, platform.managing(1, reading)) == .pinAuthInvalid)
    #expect(try device.state.persistentToken != reading)
    #expect(try await platform.token("5678", .persistentReading) != reading)
  }
}
