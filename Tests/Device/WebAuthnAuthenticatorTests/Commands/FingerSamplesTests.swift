// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCrypto
import PasskeyFormats
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

struct FingerSamplesTests {
  private func begin(_ platform: TestPlatform, _ token: SecretBytes) async throws -> TestMap {
    try await platform.send(.bioEnrollment, platform.enrolling(1, token))
  }

  private func next(_ platform: TestPlatform, _ token: SecretBytes, _ templateID: [UInt8]) async throws -> TestMap {
    try await platform.send(.bioEnrollment, platform.enrolling(2, token, [1: .bytes(templateID)]))
  }

  @Test(arguments: TestPINProtocol.allCases)
  func `after four samples a fingerprint is enrolled and verifies its user`(version: TestPINProtocol) async throws {
    let device = try await TestDevice.withPIN()
    device.user.usuallyGives(finger: .finger(6))
    let platform = device.platform(version)
    let token = try await platform.enrollmentToken()
    let first = try await begin(platform, token)
    let templateID = try first.bytes(4)
    #expect(first == [4: .bytes(templateID), 5: 0, 6: 3])
    #expect(try await next(platform, token, templateID) == [5: 0, 6: 2])
    #expect(try await next(platform, token, templateID) == [5: 0, 6: 1])
    #expect(try device.state.fingers.isEmpty)
    #expect(try await next(platform, token, templateID) == [5: 0, 6: 0])
    #expect(try device.state.fingers.map(\.templateID) == [templateID])
    #expect(try device.state.fingers.map(\.finger) == [6])
    #expect(await platform.status { try await next(platform, token, templateID) } == .invalidOption)
    #expect(device.user.asked.map(\.act) == [.enrollFinger, .enrollFinger, .enrollFinger, .enrollFinger])
    try await platform.token(nil, .credentialManagement)
  }

  @Test func `samples of another, an enrolled or no fingerprint do not count`() async throws {
    let device = try await TestDevice.withPIN(fingers: [1])
    let platform = device.platform()
    let token = try await platform.enrollmentToken()
    device.user.willGive(fingers: .finger(1), .timedOut, .finger(2), .finger(3), .timedOut, .finger(1), .finger(2))
    let first = try await begin(platform, token)
    let templateID = try first.bytes(4)
    #expect(first[5] == 0x0b)
    #expect(first[6] == 4)
    #expect(try await next(platform, token, templateID) == [5: 0x0d, 6: 4])
    #expect(try await next(platform, token, templateID) == [5: 0x00, 6: 3])
    #expect(try await next(platform, token, templateID) == [5: 0x0a, 6: 3])
    #expect(try await next(platform, token, templateID) == [5: 0x0d, 6: 3])
    #expect(try await next(platform, token, templateID) == [5: 0x0b, 6: 3])
    #expect(try await next(platform, token, templateID) == [5: 0x00, 6: 2])
  }

  @Test(
    arguments: [(FingerAnswer.refused, CTAPStatus.operationDenied), (.cancelled, .keepaliveCancel)])
  func `cancelling the first sample leaves nothing behind`(answer: FingerAnswer, status: CTAPStatus) async throws {
    let device = try await TestDevice.withPIN()
    let platform = device.platform()
    let token = try await platform.enrollmentToken()
    device.user.willGive(fingers: answer)
    #expect(await platform.status { try await begin(platform, token) } == status)
    #expect(await device.authenticator.session.sequences.fingerEnrollment == nil)
    #expect(try device.state.fingers.isEmpty)
  }

  @Test func `a cancelled later sample can be repeated`() async throws {
    let device = try await TestDevice.withPIN()
    let platform = device.platform()
    let token = try await platform.enrollmentToken()
    let templateID = try await begin(platform, token).bytes(4)
    device.user.willGive(fingers: .cancelled)
    #expect(await platform.status { try await next(platform, token, templateID) } == .keepaliveCancel)
    #expect(try await next(platform, token, templateID) == [5: 0, 6: 2])
  }

  @Test func `a new enrollment, a cancellation and power loss end an enrollment`() async throws {
    var device = try await TestDevice.withPIN()
    var platform = device.platform()
    var token = try await platform.enrollmentToken()
    let first = try await begin(platform, token).bytes(4)
    let second = try await begin(platform, token).bytes(4)
    #expect(first != second)
    #expect(await platform.status { try await next(platform, token, first) } == .invalidOption)
    #expect(try await next(platform, token, second)[6] == 2)

    #expect(try await platform.send(.bioEnrollment, platform.enrolling(3)) == [:])
    #expect(await platform.status { try await next(platform, token, second) } == .invalidOption)
    #expect(try await platform.send(.bioEnrollment, platform.enrolling(3)) == [:])

    let third = try await begin(platform, token).bytes(4)
    try device.cyclePower()
    platform = device.platform()
    token = try await platform.enrollmentToken()
    #expect(await platform.status { try await next(platform, token, third) } == .invalidOption)
    #expect(try device.state.fingers.isEmpty)
  }

  @Test func `five fingerprints can be enrolled`() async throws {
    let device = try await TestDevice.withPIN(fingers: [1, 2, 3, 4, 5])
    let platform = device.platform()
    let token = try await platform.enrollmentToken()
    #expect(await platform.status { try await begin(platform, token) } == .fingerprintDatabaseFull)
    #expect(device.user.asked.isEmpty)
  }

  @Test func `a sample waits as long as the platform requests`() async throws {
    let device = try await TestDevice.withPIN()
    let platform = device.platform()
    let token = try await platform.enrollmentToken()
    let templateID = try await platform.send(.bioEnrollment, platform.enrolling(1, token, [3: 1500])).bytes(4)
    try await platform.send(
      .bioEnrollment, platform.enrolling(2, token, [1: .bytes(templateID), 3: .unsigned(.max)]))
    #expect(
      device.user.asked == [
        InteractionPurpose(.enrollFinger, timeLimit: .milliseconds(1500)),
        InteractionPurpose(.enrollFinger, timeLimit: .milliseconds(Int64.max)),
      ])
    #expect(await platform.status(.bioEnrollment, platform.enrolling(1, token, [3: "long"])) == .cborUnexpectedType)
  }

  @Test func `the template parameter is required`() async throws {
    let device = try await TestDevice.withPIN()
    let platform = device.platform()
    let token = try await platform.enrollmentToken()
    _ = try await begin(platform, token)
    #expect(await platform.status(.bioEnrollment, platform.enrolling(2, token)) == .missingParameter)
  }
}
