// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCrypto
import PasskeyFormats
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

/// `authorize`, tested inside the device with the checks of every command that takes a token.
struct TokenTests {
  private let device: TestDevice
  private let platform: TestPlatform
  private let message: [UInt8] = [1, 2, 3]

  init() throws {
    device = try TestDevice()
    platform = device.platform()
  }

  private func authorize(
    _ token: SecretBytes, _ permission: PINPermission = .makeCredential, for relyingPartyID: String? = "raxx.app",
    protocol number: UInt64? = 2
  ) async throws {
    try await device.authenticator.authorize(
      platform.version.authenticate(message, token)[...], protocol: number, over: message[...],
      permission: permission, relyingPartyID: relyingPartyID)
  }

  private func issue(
    _ permissions: PINPermission = .defaults, for relyingPartyID: String? = nil, isUserPresent: Bool = false
  ) async throws -> SecretBytes {
    try await device.authenticator.issueToken(.two, permissions, for: relyingPartyID, isUserPresent: isUserPresent)
  }

  @Test func `a message authenticated with the current token is accepted`() async throws {
    let token = try await issue()
    try await authorize(token)
    try await authorize(token, .getAssertion)
  }

  @Test func `a missing parameter requests a token`() async throws {
    await expect(.pinUVAuthTokenRequired) {
      try await device.authenticator.authorize(
        nil, protocol: 2, over: [1], permission: .makeCredential, relyingPartyID: nil)
    }
  }

  @Test func `a missing protocol and an unknown one have their own status`() async throws {
    let token = try await issue()
    await expect(.missingParameter) { try await authorize(token, protocol: nil) }
    await expect(.invalidParameter) { try await authorize(token, protocol: 3) }
  }

  @Test func `without a current token every message is refused`() async throws {
    await expect(.pinAuthInvalid) { try await authorize(RandomSource.system.secret(32)) }
  }

  @Test func `another message, token or protocol is refused`() async throws {
    let token = try await issue()
    await expect(.pinAuthInvalid) {
      try await device.authenticator.authorize(
        platform.version.authenticate([9], token)[...], protocol: 2, over: message[...],
        permission: .makeCredential, relyingPartyID: nil)
    }
    await expect(.pinAuthInvalid) { try await authorize(RandomSource.system.secret(32)) }
    await expect(.pinAuthInvalid) {
      try await device.authenticator.authorize(
        TestPINProtocol.one.authenticate(message, token)[...], protocol: 1, over: message[...],
        permission: .makeCredential, relyingPartyID: nil)
    }
  }

  @Test func `a missing permission is refused`() async throws {
    let token = try await issue(.getAssertion)
    await expect(.pinAuthInvalid) { try await authorize(token, .makeCredential) }
    try await authorize(token, .getAssertion)
  }

  @Test func `a token of another relying party is refused`() async throws {
    let token = try await issue(for: "raxx.app")
    await expect(.pinAuthInvalid) { try await authorize(token, for: "example.com") }
    try await authorize(token, for: "raxx.app")
  }

  @Test func `the first relying party binds an unbound token`() async throws {
    let token = try await issue()
    try await authorize(token, for: "raxx.app")
    await expect(.pinAuthInvalid) { try await authorize(token, for: "example.com") }
  }

  @Test func `a refused command binds nothing`() async throws {
    let token = try await issue(.getAssertion)
    await expect(.pinAuthInvalid) { try await authorize(token, .makeCredential, for: "example.com") }
    try await authorize(token, .getAssertion, for: "raxx.app")
  }

  @Test func `a command without a relying party ignores the binding`() async throws {
    let token = try await issue(.largeBlobWrite, for: "raxx.app")
    try await authorize(token, .largeBlobWrite, for: nil)
  }

  @Test func `a new token ends the old one`() async throws {
    let old = try await issue()
    let new = try await issue()
    await expect(.pinAuthInvalid) { try await authorize(old) }
    try await authorize(new)
  }

  @Test func `an unused token expires, and a used one continues`() async throws {
    var token = try await issue()
    device.clock.advance(by: .seconds(30))
    await expect(.pinAuthInvalid) { try await authorize(token) }

    token = try await issue()
    try await authorize(token)
    device.clock.advance(by: .seconds(599))
    try await authorize(token)
    device.clock.advance(by: .seconds(1))
    await expect(.pinAuthInvalid) { try await authorize(token) }
  }

  @Test func `a spent token writes large blobs and signs nothing`() async throws {
    let token = try await issue([.makeCredential, .largeBlobWrite])
    try await authorize(token)
    await device.authenticator.spendToken()
    await expect(.pinAuthInvalid) { try await authorize(token) }
    try await authorize(token, .largeBlobWrite, for: nil)
  }

  @Test func `a token's user presence is known while it lasts`() async throws {
    _ = try await issue(isUserPresent: true)
    #expect(await device.authenticator.tokenShowsUserPresence)
    device.clock.advance(by: .seconds(30))
    #expect(await !device.authenticator.tokenShowsUserPresence)
    _ = try await issue(isUserPresent: false)
    #expect(await !device.authenticator.tokenShowsUserPresence)
  }

  @Test func `the persistent token authorizes reading, and another one does not`() async throws {
    await expect(.pinAuthInvalid) {
      try await device.authenticator.authorizeReading(
        platform.version.authenticate(message, RandomSource.system.secret(32))[...], protocol: 2, over: message[...])
    }
    let token = try device.state.persistentToken
    for version in TestPINProtocol.allCases {
      try await device.authenticator.authorizeReading(
        version.authenticate(message, token)[...], protocol: version.rawValue, over: message[...])
    }
    await expect(.pinAuthInvalid) { try await authorize(token) }
  }
}
