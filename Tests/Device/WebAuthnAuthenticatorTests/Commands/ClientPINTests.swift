// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCOSE
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

struct ClientPINTests {
  @Test func `a missing or unknown subcommand is refused`() async throws {
    let platform = try TestDevice().platform()
    #expect(await platform.status(.clientPIN, [1: 2]) == .missingParameter)
    #expect(await platform.status(.clientPIN) == .missingParameter)
    for number: UInt64 in [0, 8, 10, .max] {
      #expect(await platform.status(.clientPIN, [1: 2, 2: .unsigned(number)]) == .invalidSubcommand)
    }
    #expect(await platform.status(.clientPIN, [1: 2, 2: "setPIN"]) == .cborUnexpectedType)
  }

  @Test func `without a PIN there are no retries`() async throws {
    #expect(try await TestDevice().platform().status(.clientPIN, [2: 1]) == .pinNotSet)
  }

  @Test func `a new PIN has eight retries and needs no power cycle`() async throws {
    let platform = try TestDevice().platform()
    try await platform.setPIN("1234")
    #expect(try await platform.send(.clientPIN, [2: 1]) == [3: 8, 4: false])
  }

  @Test func `fingerprints have their own retries`() async throws {
    #expect(try await TestDevice().platform().fingerRetries() == 5)
    #expect(try await TestDevice(.withoutSensor).platform().status(.clientPIN, [2: 7]) == .invalidSubcommand)
  }

  @Test func `each protocol has its own key agreement key`() async throws {
    let platform = try TestDevice().platform()
    var keys: Set<CBORTree> = []
    for number: CBORTree in [1, 2] {
      let answer = try await platform.send(.clientPIN, [1: number, 2: 2])
      guard case .map(let key) = answer[1] else {
        Issue.record("no key")
        return
      }
      #expect(key[1] == 2)
      #expect(key[3] == -25)
      #expect(key[-1] == 1)
      keys.insert(.map(key))
    }
    #expect(keys.count == 2)
    #expect(await platform.status(.clientPIN, [2: 2]) == .missingParameter)
    #expect(await platform.status(.clientPIN, [1: 3, 2: 2]) == .invalidParameter)
  }

  @Test func `the key agreement key stays until it is renewed or power is cycled`() async throws {
    var device = try TestDevice()
    let first = try await device.platform().send(.clientPIN, [1: 2, 2: 2])
    #expect(try await device.platform().send(.clientPIN, [1: 2, 2: 2]) == first)
    try device.cyclePower()
    #expect(try await device.platform().send(.clientPIN, [1: 2, 2: 2]) != first)
  }

  // MARK: Wrong PINs

  @Test(arguments: TestPINProtocol.allCases)
  func `each wrong PIN costs one attempt, and the right one restores them`(version: TestPINProtocol) async throws {
    let platform = try TestDevice().platform(version)
    try await platform.setPIN("1234")
    #expect(await platform.status { try await platform.token("4321") } == .pinInvalid)
    #expect(await platform.status { try await platform.token("4322") } == .pinInvalid)
    #expect(try await platform.pinRetries() == 6)
    try await platform.token("1234")
    #expect(try await platform.pinRetries() == 8)
  }

  @Test func `three wrong PINs in a row lock the device until a power cycle`() async throws {
    var device = try TestDevice()
    var platform = device.platform()
    try await platform.setPIN("1234")
    #expect(await platform.status { try await platform.token("0000") } == .pinInvalid)
    #expect(await platform.status { try await platform.token("0000") } == .pinInvalid)
    #expect(await platform.status { try await platform.token("0000") } == .pinAuthBlocked)
    for pin in ["1234", "0000"] {
      #expect(await platform.status { try await platform.token(pin) } == .pinAuthBlocked)
      #expect(
        await platform.status { try await platform.token(pin, .makeCredential, for: "raxx.app") } == .pinAuthBlocked)
      #expect(await platform.status { try await platform.changePIN(pin, to: "5678") } == .pinAuthBlocked)
      #expect(try await platform.send(.clientPIN, [2: 1]) == [3: 5, 4: true])
    }
    device.clock.advance(by: .seconds(86_400))
    #expect(await platform.status { try await platform.token("1234") } == .pinAuthBlocked)

    try device.cyclePower()
    platform = device.platform()
    #expect(try await platform.send(.clientPIN, [2: 1]) == [3: 5, 4: false])
    #expect(await platform.status { try await platform.token("0000") } == .pinInvalid)
    #expect(try await platform.pinRetries() == 4)
    try await platform.token("1234")
    #expect(try await platform.pinRetries() == 8)
  }

  @Test func `a right PIN resets the count of wrong PINs in a row`() async throws {
    let platform = try TestDevice().platform()
    try await platform.setPIN("1234")
    for _ in 0..<4 {
      #expect(await platform.status { try await platform.token("0000") } == .pinInvalid)
      #expect(await platform.status { try await platform.token("0000") } == .pinInvalid)
      try await platform.token("1234")
    }
  }

  @Test func `eight wrong PINs block the device permanently`() async throws {
    var device = try TestDevice()
    try await device.platform().setPIN("1234")
    var statuses: [CTAPStatus] = []
    for _ in 0..<8 {
      let platform = device.platform()
      statuses.append(await platform.status { try await platform.token("0000") })
      if statuses.count.isMultiple(of: 3) { try device.cyclePower() }
    }
    #expect(
      statuses == [
        .pinInvalid, .pinInvalid, .pinAuthBlocked, .pinInvalid, .pinInvalid, .pinAuthBlocked, .pinInvalid,
        .pinBlocked,
      ])
    try device.cyclePower()
    let platform = device.platform()
    #expect(try await platform.pinRetries() == 0)
    #expect(await platform.status { try await platform.token("1234") } == .pinBlocked)
    #expect(await platform.status { try await platform.changePIN("1234", to: "5678") } == .pinBlocked)
    #expect(await platform.status { try await platform.token("1234", .getAssertion, for: "a.b") } == .pinBlocked)
    #expect(try device.state.pin != nil)
  }

  @Test(arguments: TestPINProtocol.allCases)
  func `a wrong PIN renews its protocol's key, and a right one does not`(version: TestPINProtocol) async throws {
    let platform = try TestDevice().platform(version)
    try await platform.setPIN("1234")
    let own = try await platform.send(.clientPIN, [1: .unsigned(version.rawValue), 2: 2])
    let other = try await platform.send(.clientPIN, [1: .unsigned(3 - version.rawValue), 2: 2])
    try await platform.token("1234")
    #expect(try await platform.send(.clientPIN, [1: .unsigned(version.rawValue), 2: 2]) == own)
    #expect(await platform.status { try await platform.token("0000") } == .pinInvalid)
    #expect(try await platform.send(.clientPIN, [1: .unsigned(version.rawValue), 2: 2]) != own)
    #expect(try await platform.send(.clientPIN, [1: .unsigned(3 - version.rawValue), 2: 2]) == other)
  }

  @Test func `a hash that cannot be decrypted counts as a wrong PIN`() async throws {
    let platform = try TestDevice().platform()
    try await platform.setPIN("1234")
    var (parameters, _) = try await platform.askingForToken("1234")
    parameters[6] = .bytes([1, 2, 3])
    #expect(await platform.status(.clientPIN, parameters) == .pinInvalid)
    #expect(try await platform.pinRetries() == 7)
  }

  @Test func `the right PIN unblocks fingerprints`() async throws {
    let device = try TestDevice { (state) in state.remainingFingerAttempts = 0 }
    let platform = device.platform()
    try await platform.setPIN("1234")
    #expect(try await platform.fingerRetries() == 0)
    try await platform.token("1234")
    #expect(try await platform.fingerRetries() == 5)
  }

  @Test func `a PIN is not checked if the attempt cannot be stored`() async throws {
    let device = try TestDevice()
    try await device.platform().setPIN("1234")
    let unwritable = try SoftwareAuthenticator(
      vault: UnwritableVault(state: device.state), profile: .forTests, interaction: device.user, clock: device.clock)
    let platform = TestPlatform(authenticator: unwritable, version: .two)
    for pin in ["1234", "0000"] {
      #expect(await platform.status { try await platform.token(pin) } == .other)
    }
    #expect(await unwritable.currentToken == nil)
    #expect(await unwritable.session.consecutiveWrongPINs == 0)
    #expect(try await platform.pinRetries() == 8)
  }

  // MARK: The platform's key

  @Test func `an invalid key is refused`() async throws {
    let platform = try TestDevice().platform()
    try await platform.setPIN("1234")
    let (parameters, _) = try await platform.askingForToken("1234")
    let offCurve: CBORTree = .bytes([UInt8](repeating: 1, count: 32))
    let keys: [(CBORTree, CTAPStatus)] = [
      (.bytes([1]), .cborUnexpectedType), ([:], .invalidParameter),
      ([1: 2, 3: -25, -1: 1, -2: offCurve, -3: offCurve], .invalidParameter),
      ([1: 2, 3: -25, -1: 1, -2: .bytes([1]), -3: .bytes([2])], .invalidParameter),
      ([1: 2, 3: -7, -1: 1, -2: offCurve, -3: offCurve], .invalidParameter),
    ]
    for (key, status) in keys {
      var corrupted = parameters
      corrupted[3] = key
      #expect(await platform.status(.clientPIN, corrupted) == status)
    }
    #expect(try await platform.pinRetries() == 8)
  }

  @Test func `any parameters get a status`() async throws {
    let device = try TestDevice()
    let platform = device.platform()
    try await platform.setPIN("1234")
    try await checkAnyParameters(
      device, .clientPIN,
      [
        [2: 1], [1: 2, 2: 2], platform.settingPIN("5678"), platform.changingPIN("1234", to: "5678"),
        platform.askingForToken("1234").parameters, platform.askingForToken("1234", 3, for: "raxx.app").parameters,
        platform.askingForToken(nil, 3, for: "raxx.app").parameters, [2: 7],
      ])
  }
}

/// A vault on a full disk.
private struct UnwritableVault: Vault {
  let state: DeviceState

  func read() throws(CTAPError) -> DeviceState { state }

  func update<Answer>(
    _ change: (inout DeviceState) throws(CTAPError) -> Answer
  ) throws(CTAPError) -> Answer {
    var state = state
    _ = try change(&state)
    throw CTAPError(.other, "no space")
  }
}
