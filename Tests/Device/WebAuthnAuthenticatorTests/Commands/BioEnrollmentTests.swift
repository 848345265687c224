// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCrypto
import PasskeyFormats
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

struct BioEnrollmentTests {
  // MARK: What needs no token

  @Test func `the kind of sensor is public`() async throws {
    let platform = try TestDevice().platform()
    #expect(try await platform.send(.bioEnrollment, [6: true]) == [1: 1])
    #expect(try await platform.send(.bioEnrollment, [1: 1, 2: 7]) == [2: 1, 3: 4, 8: 64])
  }

  @Test func `without a sensor the command does not exist`() async throws {
    let platform = try TestDevice(.withoutSensor).platform()
    #expect(await platform.status(.bioEnrollment, [6: true]) == .invalidCommand)
  }

  @Test func `a missing or unknown subcommand is refused`() async throws {
    let platform = try TestDevice().platform()
    #expect(await platform.status(.bioEnrollment) == .missingParameter)
    #expect(await platform.status(.bioEnrollment, [6: false]) == .missingParameter)
    for number: UInt64 in [0, 8, 258] {
      #expect(await platform.status(.bioEnrollment, [1: 1, 2: .unsigned(number)]) == .invalidSubcommand)
    }
  }

  // MARK: What does

  @Test(arguments: [1, 2, 4, 5, 6] as [UInt8])
  func `every other subcommand requires a token, the modality and a protocol`(subcommand: UInt8) async throws {
    let device = try await TestDevice.withPIN(fingers: [3])
    let platform = device.platform()
    let parameters: TestMap? =
      switch subcommand {
      case 2, 6: [1: .bytes([3])]
      case 5: [1: .bytes([3]), 2: "name"]
      default: nil
      }
    #expect(
      await platform.status(.bioEnrollment, platform.enrolling(subcommand, nil, parameters)) == .pinUVAuthTokenRequired)
    let wrong = try await platform.token("1234", .credentialManagement)
    #expect(
      await platform.status(.bioEnrollment, platform.enrolling(subcommand, wrong, parameters)) == .pinAuthInvalid)
    let request = platform.enrolling(subcommand, try await platform.enrollmentToken(), parameters)
    for (key, value, status): (CBORKey, CBORTree?, CTAPStatus) in [
      (1, nil, .missingParameter), (1, 2, .invalidParameter), (1, .unsigned(257), .invalidParameter),
      (4, nil, .missingParameter), (4, 3, .invalidParameter), (5, nil, .pinUVAuthTokenRequired),
      (5, .bytes([]), .pinAuthInvalid),
    ] {
      var corrupted = request
      corrupted[key] = value
      #expect(await platform.status(.bioEnrollment, corrupted) == status, "\(key)")
    }
    #expect(device.user.asked.isEmpty)
    #expect(try device.state.fingers.map(\.finger) == [3])
  }

  // MARK: Listing, naming, removing

  @Test func `fingerprints are listed with their names, which may be empty`() async throws {
    let device = try await TestDevice.withPIN(fingers: [3, 5])
    try device.vault.update { (state) in state.fingers[1].name = "thumb" }
    let platform = device.platform()
    #expect(
      try await platform.send(.bioEnrollment, platform.enrolling(4, platform.enrollmentToken()))
        == [7: [[1: .bytes([3]), 2: ""], [1: .bytes([5]), 2: "thumb"]]])
  }

  @Test func `a device without fingerprints reports it`() async throws {
    let device = try await TestDevice.withPIN()
    let platform = device.platform()
    let token = try await platform.enrollmentToken()
    #expect(await platform.status(.bioEnrollment, platform.enrolling(4, token)) == .invalidOption)
  }

  @Test(arguments: TestPINProtocol.allCases)
  func `a fingerprint is named and renamed`(version: TestPINProtocol) async throws {
    let device = try await TestDevice.withPIN(fingers: [3])
    let platform = device.platform(version)
    for name in ["left thumb", String(repeating: "ä", count: 32), ""] {
      let request = platform.enrolling(5, try await platform.enrollmentToken(), [1: .bytes([3]), 2: .text(name)])
      #expect(try await platform.send(.bioEnrollment, request) == [:])
      #expect(try device.state.fingers.first?.name == name)
    }
  }

  @Test func `a name that is too long and an unknown fingerprint are refused`() async throws {
    let device = try await TestDevice.withPIN(fingers: [3])
    let platform = device.platform()
    let token = try await platform.enrollmentToken()
    let long = CBORTree.text(String(repeating: "ä", count: 32) + "a")
    #expect(
      await platform.status(.bioEnrollment, platform.enrolling(5, token, [1: .bytes([3]), 2: long])) == .invalidLength)
    #expect(
      await platform.status(.bioEnrollment, platform.enrolling(5, token, [1: .bytes([4]), 2: "x"])) == .invalidOption)
    for parameters: TestMap? in [nil, [1: .bytes([3])], [2: "x"]] {
      #expect(
        await platform.status(.bioEnrollment, platform.enrolling(5, token, parameters)) == .missingParameter)
    }
  }

  @Test func `a removed fingerprint does not verify`() async throws {
    let device = try await TestDevice.withPIN(fingers: [0, 5])
    let platform = device.platform()
    let token = try await platform.enrollmentToken()
    #expect(try await platform.send(.bioEnrollment, platform.enrolling(6, token, [1: .bytes([0])])) == [:])
    #expect(try device.state.fingers.map(\.finger) == [5])
    #expect(await platform.status(.bioEnrollment, platform.enrolling(6, token, [1: .bytes([0])])) == .invalidOption)
    #expect(await platform.status(.bioEnrollment, platform.enrolling(6, token)) == .missingParameter)
    #expect(
      await platform.status { try await platform.token(nil, .credentialManagement) } == .userVerificationInvalid)
  }

  @Test func `any parameters get a status`() async throws {
    let device = try await TestDevice.withPIN(fingers: [3])
    let platform = device.platform()
    let token = try await platform.enrollmentToken()
    try await checkAnyParameters(
      device, .bioEnrollment,
      [
        [6: true], [1: 1, 2: 7], platform.enrolling(1, token, [3: 1000]),
        platform.enrolling(2, token, [1: .bytes([3])]),
        platform.enrolling(3), platform.enrolling(4, token), platform.enrolling(5, token, [1: .bytes([3]), 2: "x"]),
        platform.enrolling(6, token, [1: .bytes([3])]),
      ])
  }
}
