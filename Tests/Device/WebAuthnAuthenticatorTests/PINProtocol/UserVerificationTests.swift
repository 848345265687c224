// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

struct UserVerificationTests {
  /// Creates a device whose sensor recognizes finger 0.
  private static func device(attempts: UInt8 = 5) throws -> TestDevice {
    try TestDevice { (state) in
      state.fingers = [EnrolledFinger(templateID: [1], finger: 0, name: nil)]
      state.remainingFingerAttempts = attempts
    }
  }

  private func verify(_ device: TestDevice, attempts: Int = 3) async throws {
    try await device.authenticator.verifyUser(for: InteractionPurpose(.signIn), attempts: attempts)
  }

  @Test func `an enrolled fingerprint verifies the user`() async throws {
    let device = try Self.device(attempts: 2)
    try await verify(device)
    #expect(try device.state.remainingFingerAttempts == 5)
    #expect(device.user.asked.map(\.act) == [.signIn])
  }

  @Test func `a second attempt may follow a wrong fingerprint in one command`() async throws {
    let device = try Self.device()
    device.user.willGive(fingers: .finger(1), .finger(2))
    try await verify(device)
    #expect(device.user.asked.count == 3)
    #expect(try device.state.remainingFingerAttempts == 5)
  }

  @Test func `wrong fingerprints are counted up to the limit of a command`() async throws {
    let device = try Self.device()
    device.user.usuallyGives(finger: .finger(9))
    await expect(.userVerificationInvalid) { try await verify(device, attempts: 1) }
    #expect(try device.state.remainingFingerAttempts == 4)
    await expect(.userVerificationInvalid) { try await verify(device) }
    #expect(try device.state.remainingFingerAttempts == 1)
  }

  @Test func `the last wrong fingerprint blocks the sensor`() async throws {
    let device = try Self.device(attempts: 1)
    device.user.willGive(fingers: .finger(9))
    await expect(.userVerificationBlocked) { try await verify(device) }
    #expect(device.user.asked.count == 1)
    await expect(.userVerificationBlocked) { try await verify(device) }
    #expect(device.user.asked.count == 1)
    #expect(try device.state.remainingFingerAttempts == 0)
  }

  @Test(
    arguments: [
      (FingerAnswer.refused, CTAPStatus.operationDenied), (.timedOut, .userActionTimeout),
      (.cancelled, .keepaliveCancel),
    ])
  func `a missing fingerprint costs nothing`(answer: FingerAnswer, status: CTAPStatus) async throws {
    let device = try Self.device()
    device.user.willGive(fingers: answer)
    await expect(status) { try await verify(device) }
    #expect(try device.state.remainingFingerAttempts == 5)
  }

  @Test func `a blocked PIN blocks fingerprints`() async throws {
    let device = try Self.device()
    try device.vault.update { (state) in
      state.pin = PINState(hash: NewPIN.hash(of: [1]), codePointCount: 4, remainingAttempts: 0)
    }
    await expect(.userVerificationBlocked) { try await verify(device) }
    #expect(try device.state.remainingFingerAttempts == 0)
    #expect(device.user.asked.isEmpty)
  }

  @Test func `a device without an enrolled fingerprint or sensor verifies no one`() async throws {
    let device = try TestDevice()
    await expect(.notAllowed) { try await verify(device) }
    let other = try TestDevice(.withoutSensor) { (state) in
      state.fingers = [EnrolledFinger(templateID: [1], finger: 0, name: nil)]
    }
    await expect(.notAllowed) { try await verify(other) }
  }

  @Test func `a device is protected by a PIN or a fingerprint`() async throws {
    let device = try TestDevice()
    #expect(try await !device.authenticator.isProtected(device.state))
    let other = try Self.device()
    #expect(try await other.authenticator.isProtected(other.state))
    try device.vault.update { (state) in state.pin = PINState(hash: NewPIN.hash(of: [1]), codePointCount: 4) }
    #expect(try await device.authenticator.isProtected(device.state))
  }

  // MARK: In commands (§6.1.2, step 11.2; §6.2.2, step 6.2)

  /// Returns the statuses of makeCredential and getAssertion with the option "uv".
  private func statuses(_ device: TestDevice) async -> [CTAPStatus] {
    let platform = device.platform()
    let options = CommandOptions(userVerification: true)
    return [
      await platform.status { () async throws in
        try await platform.make(.sample().with { (request) in request.options = options })
      },
      await platform.status { () async throws in
        try await platform.get(.sample().with { (request) in request.options = options })
      },
    ]
  }

  @Test func `a wrong fingerprint is refused, with a hint at the PIN if there is one`() async throws {
    let device = try Self.device()
    device.user.usuallyGives(finger: .finger(9))
    // Three attempts, and then the last two.
    #expect(await statuses(device) == [.operationDenied, .pinBlocked])
    #expect(await statuses(device) == [.pinBlocked, .pinBlocked])
    try await device.platform().setPIN("1234")
    #expect(await statuses(device) == [.pinUVAuthTokenRequired, .pinUVAuthTokenRequired])
  }

  @Test func `a missing fingerprint times out, with and without a PIN`() async throws {
    let device = try Self.device()
    device.user.usuallyGives(finger: .timedOut)
    #expect(await statuses(device) == [.userActionTimeout, .userActionTimeout])
    try await device.platform().setPIN("1234")
    #expect(await statuses(device) == [.userActionTimeout, .userActionTimeout])
  }

  @Test func `a fingerprint in a command spends no token`() async throws {
    let device = try Self.device()
    let platform = device.platform()
    try await platform.setPIN("1234")
    let token = try await platform.token("1234", [.makeCredential, .getAssertion], for: "raxx.app")
    let options = CommandOptions(userVerification: true)
    let made = try await platform.make(.sample().with { (request) in request.options = options })
    #expect(made.authenticatorData.flags == [.userPresent, .userVerified, .attestedCredentialData])
    let id = made.credentialID
    try await platform.get(.sample(id).with { (request) in request.options = options })
    #expect(try await platform.get(.sample(id), token).authenticatorData.flags == [.userPresent, .userVerified])
    // The touch has spent the token.
    #expect(await platform.status { () async throws in try await platform.get(.sample(id), token) } == .pinAuthInvalid)
  }
}
