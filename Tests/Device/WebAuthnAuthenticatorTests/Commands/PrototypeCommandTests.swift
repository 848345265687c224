// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

/// The prototype commands 0x40 and 0x41 of the CTAP 2.1 drafts, which libfido2 1.12 and other clients of the CTAP 2.0
/// era send.
struct PrototypeCommandTests {
  private let device: TestDevice
  private let platform: TestPlatform

  init() async throws {
    device = try TestDevice { (state) in
      state.passkeys = [try .made(for: "raxx.app", user: "ada"), try .made(for: "yapt.example", user: "bob")]
      state.fingers = [EnrolledFinger(templateID: [7], finger: 7, name: "thumb")]
    }
    platform = device.platform()
    try await platform.setPIN("1234")
  }

  @Test func `getInfo announces the prototype commands`() async throws {
    let info = try await platform.info()
    #expect(info.versions.contains("FIDO_2_1_PRE"))
    #expect(info.options["credentialMgmtPreview"] == true)
    #expect(info.options["userVerificationMgmtPreview"] == true)
  }

  @Test func `41 manages credentials like 0a, and sequences continue across both`() async throws {
    let token = try await platform.token("1234", .credentialManagement)
    let prototype = CTAPCommand.prototypeCredentialManagement
    #expect(try await platform.send(prototype, platform.managing(1, token))[1] == 2)
    #expect(try await platform.send(prototype, platform.managing(2, token))[5] == 2)
    #expect(await platform.status(.credentialManagement, platform.managing(3)) == .success)
    #expect(await platform.status(prototype, platform.managing(3)) == .notAllowed)
  }

  @Test func `40 enrolls fingerprints like 09`() async throws {
    let token = try await platform.token("1234", .bioEnrollment)
    let listed = try await platform.send(.prototypeBioEnrollment, platform.enrolling(4, token))
    #expect(listed[7] == [[1: .bytes([7]), 2: "thumb"]])
    let removed = await platform.status(.prototypeBioEnrollment, platform.enrolling(6, token, [1: .bytes([7])]))
    #expect(removed == .success)
    #expect(try device.state.fingers.isEmpty)
  }

  @Test func `a token of getPinToken has only the permissions of the prototype commands`() async throws {
    let token = try await platform.token("1234")
    #expect(await platform.status(.prototypeCredentialManagement, platform.managing(1, token)) == .success)
    #expect(await platform.status(.prototypeBioEnrollment, platform.enrolling(4, token)) == .success)
    #expect(await platform.status(.credentialManagement, platform.managing(1, token)) == .pinAuthInvalid)
    #expect(await platform.status(.bioEnrollment, platform.enrolling(4, token)) == .pinAuthInvalid)
  }

  @Test func `a token with permissions keeps to them`() async throws {
    let token = try await platform.token("1234", .getAssertion, for: "raxx.app")
    #expect(await platform.status(.prototypeCredentialManagement, platform.managing(1, token)) == .pinAuthInvalid)
    #expect(await platform.status(.prototypeBioEnrollment, platform.enrolling(4, token)) == .pinAuthInvalid)
  }

  @Test func `a spent token of getPinToken is refused`() async throws {
    let token = try await platform.token("1234")
    try await platform.get(.sample(), token)
    #expect(await platform.status(.prototypeCredentialManagement, platform.managing(1, token)) == .pinAuthInvalid)
  }
}
