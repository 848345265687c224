// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

/// CTAP 2.3 §6.6.
struct ResetTests {
  let device: TestDevice
  let platform: TestPlatform

  init() throws {
    device = try TestDevice(.withoutSensor)
    platform = device.platform()
  }

  @Test func `a reset deletes everything and changes the device identity`() async throws {
    let made = try await platform.make(.sample(isDiscoverable: true))
    try await platform.setPIN("1234")
    let token = try await platform.token("1234", .getAssertion, for: "raxx.app")
    try device.vault.update { (state) in
      state.largeBlobArray = [0x80]
      state.settings.alwaysRequiresUserVerification = true
      state.settings.minimumPINLength = 8
      state.fingers = [EnrolledFinger(templateID: [1], finger: 1, name: nil)]
    }
    let before = try device.state.identity.identifier
    let (persistentToken, wrapping) = (try device.state.persistentToken, try device.state.wrapping)
    #expect(try await device.authenticator.perform(.reset, []).isEmpty)

    let state = try device.state
    #expect(state.passkeys.isEmpty)
    #expect(state.pin == nil)
    #expect(state.fingers.isEmpty)
    #expect(state.largeBlobArray == nil)
    #expect(state.persistentToken != persistentToken)
    #expect(state.wrapping.key != wrapping.key)
    #expect(state.settings.minimumPINLength == 4)
    #expect(!state.settings.alwaysRequiresUserVerification)
    #expect(state.identity.identifier != before)
    #expect(
      await platform.status { () async throws in try await platform.get(.sample(made.credentialID), token) }
        == .noCredentials)
  }

  @Test(arguments: [
    (PresenceAnswer.refused, CTAPStatus.operationDenied), (.timedOut, .userActionTimeout),
    (.cancelled, .keepaliveCancel),
  ])
  func `without a touch nothing is deleted`(answer: PresenceAnswer, expected: CTAPStatus) async throws {
    try await platform.make()
    device.user.willGive(presences: answer)
    #expect(await platform.status(.reset) == expected)
    #expect(try device.state.passkeys.count == 1)
  }

  @Test func `a reset must come within ten seconds of power-up`() async throws {
    device.clock.advance(by: .milliseconds(9_999))
    #expect(await platform.status(.reset) == .success)
    device.clock.advance(by: .milliseconds(1))
    #expect(await platform.status(.reset) == .notAllowed)
    #expect(device.user.asked.count == 1)
  }

  @Test func `a reset requires a long touch if configured`() async throws {
    try device.vault.update { (state) in state.settings.needsLongTouchForReset = true }
    #expect(await platform.status(.reset) == .success)
    #expect(device.user.asked == [InteractionPurpose(.reset, needsLongTouch: true)])
  }
}
