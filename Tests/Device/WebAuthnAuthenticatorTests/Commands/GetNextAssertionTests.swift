// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

/// CTAP 2.3 §6.3, step by step.
struct GetNextAssertionTests {
  let device: TestDevice
  let platform: TestPlatform

  init() throws {
    device = try TestDevice(.withoutSensor)
    platform = device.platform()
  }

  private var status: CTAPStatus {
    get async { await platform.status { () async throws in try await platform.getNext() } }
  }

  /// Creates credentials for Ada, Bob and Eve.
  private func makeThree() async throws -> [MakeCredentialReply] {
    var made: [MakeCredentialReply] = []
    for user in ["ada", "bob", "eve"] {
      made.append(try await platform.make(.sample(user: user, isDiscoverable: true)))
    }
    return made
  }

  @Test func `the newest credential signs first, then the others`() async throws {
    let made = try await makeThree()
    let first = try await platform.get()
    #expect(first.credentialCount == 3)
    try first.verify(by: made[2].publicKey)
    // Names are returned only for verified users.
    #expect(first.user == PasskeyUser(id: PasskeyUser.sample("eve").id))
    let second = try await platform.getNext()
    #expect(second.credentialCount == nil)
    #expect(second.credential?.id.bytes == [UInt8](made[1].credentialID))
    try second.verify(by: made[1].publicKey)
    let third = try await platform.getNext()
    try third.verify(by: made[0].publicKey)
    #expect(third.authenticatorData.flags == .userPresent)
    #expect(await status == .notAllowed)
    #expect(try device.state.passkeys.map(\.signCount) == [1, 1, 1])
    #expect(device.user.asked.count == 4)
  }

  @Test func `names are returned to verified users only`() async throws {
    _ = try await makeThree()
    try await platform.setPIN("1234")
    let token = try await platform.token("1234", .getAssertion, for: "raxx.app")
    #expect(try await platform.get(.sample(), token).user == .sample("eve"))
    let second = try await platform.getNext()
    #expect(second.user == .sample("bob"))
    #expect(second.authenticatorData.flags == [.userPresent, .userVerified])
  }

  @Test func `there is no next assertion without a getAssertion, or after one with a list`() async throws {
    #expect(await status == .notAllowed)
    let made = try await makeThree()
    try await platform.get(.sample(made[0].credentialID, made[1].credentialID))
    #expect(await status == .notAllowed)
  }

  @Test func `other commands on the same channel leave the sequence, and another getAssertion ends it`() async throws {
    let made = try await makeThree()
    try await platform.get()
    _ = try await platform.info()
    #expect(await status == .success)
    _ = await device.authenticator.respond(toAPDU: [0, 3, 0, 0])
    #expect(await status == .success)
    try await platform.get()
    try await platform.get(.sample(made[0].credentialID))
    #expect(await status == .notAllowed)
    try await platform.get()
    try await platform.make(.sample(user: "zoe", isDiscoverable: true))
    #expect(await status == .notAllowed)
  }

  @Test func `power loss ends the sequence`() async throws {
    var device = device
    _ = try await makeThree()
    try await platform.get()
    try device.cyclePower()
    let platform = device.platform()
    #expect(await platform.status { () async throws in try await platform.getNext() } == .notAllowed)
  }

  @Test func `more than 30 seconds between two assertions is too long`() async throws {
    _ = try await makeThree()
    try await platform.get()
    device.clock.advance(by: .seconds(30))
    #expect(await status == .success)
    device.clock.advance(by: .seconds(30))
    #expect(await status == .success)
    try await platform.get()
    device.clock.advance(by: .seconds(30) + .milliseconds(1))
    #expect(await status == .notAllowed)
    #expect(await status == .notAllowed)
  }

  @Test func `the sequence ends with its token`() async throws {
    _ = try await makeThree()
    try await platform.setPIN("1234")
    let token = try await platform.token("1234", .getAssertion, for: "raxx.app")
    // No user presence is requested, so the token is used but not spent.
    try await platform.get(.sample().with { (request) in request.options.userPresence = false }, token)
    device.clock.advance(by: .seconds(590))
    #expect(try await platform.get(.sample(), token).credentialCount == 3)
    device.clock.advance(by: .seconds(9))
    #expect(await status == .success)
    device.clock.advance(by: .seconds(1))
    #expect(await status == .notAllowed)
    // Without a token, the sequence has no time-out.
    try await platform.get()
    device.clock.advance(by: .seconds(11))
    #expect(await status == .success)
  }

  @Test func `a credential that was deleted meanwhile does not sign`() async throws {
    let made = try await makeThree()
    try await platform.get()
    try device.vault.update { (state) in
      state.passkeys.removeAll { (passkey) in passkey.id.bytes[...] == made[1].credentialID }
    }
    #expect(await status == .noCredentials)
  }
}
