// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

/// CTAP 2.3 §12, at sign-in.
struct AssertionExtensionsTests {
  let device: TestDevice
  let platform: TestPlatform

  init() throws {
    device = try TestDevice(.withoutSensor)
    platform = device.platform()
  }

  private func get(
    _ id: Bytes, _ change: (inout AssertionExtensionInputs) throws -> Void
  ) async throws -> GetAssertionReply {
    try await platform.get(.sample(id).with { (request) in try change(&request.extensions) })
  }

  // §12.1

  @Test func `a protected credential is found by its id or by a verified user`() async throws {
    let made = try await platform.make(
      .sample(isDiscoverable: true).with { (request) in request.extensions.credentialProtection = 2 })
    #expect(await platform.status { () async throws in try await platform.get() } == .noCredentials)
    try await platform.get(.sample(made.credentialID)).verify(by: made.publicKey)
    try await platform.setPIN("1234")
    let token = try await platform.token("1234", .getAssertion, for: "raxx.app")
    try await platform.get(.sample(), token).verify(by: made.publicKey)
  }

  @Test func `a credential with credProtect 3 is found by verified users only`() async throws {
    let made = try await platform.make(
      .sample(isDiscoverable: true).with { (request) in request.extensions.credentialProtection = 3 })
    #expect(
      await platform.status { () async throws in try await platform.get(.sample(made.credentialID)) } == .noCredentials)
    try await platform.setPIN("1234")
    let token = try await platform.token("1234", .getAssertion, for: "raxx.app")
    try await platform.get(.sample(made.credentialID), token).verify(by: made.publicKey)
  }

  // §12.2

  @Test func `credBlob returns the blob, or an empty one`() async throws {
    let with = try await platform.make(.sample().with { (request) in request.extensions.credentialBlob = [1, 2, 3] })
    let without = try await platform.make()
    let ask: (inout AssertionExtensionInputs) -> Void = { (extensions) in extensions.credentialBlob = true }
    #expect(try await get(with.credentialID, ask).output("credBlob") == .bytes([1, 2, 3]))
    #expect(try await get(without.credentialID, ask).output("credBlob") == .bytes([]))
    #expect(
      try await get(with.credentialID) { (extensions) in extensions.credentialBlob = false }.output("credBlob") == nil)
  }

  // §12.3

  @Test func `largeBlobKey returns the key if it exists`() async throws {
    let with = try await platform.make(
      .sample(isDiscoverable: true).with { (request) in request.extensions.largeBlobKey = true })
    let without = try await platform.make()
    let ask: (inout AssertionExtensionInputs) -> Void = { (extensions) in extensions.largeBlobKey = true }
    let reply = try await get(with.credentialID, ask)
    #expect(reply.largeBlobKey == with.largeBlobKey)
    #expect(reply.authenticatorData.extensions == nil)
    #expect(try await get(without.credentialID, ask).largeBlobKey == nil)
    #expect(try await platform.get(.sample(with.credentialID)).largeBlobKey == nil)
    #expect(
      await platform.status { () async throws in
        try await get(with.credentialID) { (extensions) in extensions.largeBlobKey = false }
      } == .invalidOption)
  }

  // §12.9

  @Test(arguments: [true, false])
  func `thirdPartyPayment is returned`(isAllowed: Bool) async throws {
    let made = try await platform.make(
      .sample().with { (request) in request.extensions.thirdPartyPayment = isAllowed })
    let reply = try await get(made.credentialID) { (extensions) in extensions.thirdPartyPayment = true }
    #expect(reply.output("thirdPartyPayment") == .bool(isAllowed))
  }

  @Test(arguments: ["credBlob", "hmac-secret", "largeBlobKey", "thirdPartyPayment"])
  func `an input of another type is refused`(name: String) async throws {
    let map = try GetAssertionRequest.sample().map.merging([4: .map([.text(name): "text"])]) { (_, new) in new }
    #expect(await platform.status(.getAssertion, map) == .cborUnexpectedType)
  }
}
