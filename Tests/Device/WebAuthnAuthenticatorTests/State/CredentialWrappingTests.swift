// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

/// Non-discoverable credentials that are sealed in their IDs.
struct CredentialWrappingTests {
  private let device: TestDevice
  private let platform: TestPlatform

  init() throws {
    device = try TestDevice(.securityKey)
    platform = device.platform()
  }

  @Test func `a non-discoverable credential takes no slot, and signs`() async throws {
    let free = try await platform.info().remainingDiscoverableCredentialCount
    let made = try await platform.make()
    #expect(try device.state.passkeys.isEmpty)
    #expect(try await platform.info().remainingDiscoverableCredentialCount == free)
    for count in 1...3 {
      let reply = try await platform.get(.sample(made.credentialID))
      try reply.verify(by: made.publicKey)
      #expect(reply.authenticatorData.signCount == UInt32(count))
      #expect(reply.user == nil)
    }
  }

  @Test func `it signs after a power cycle, without cached keys`() async throws {
    var device = device
    let made = try await platform.make()
    try device.cyclePower()
    try await device.platform().get(.sample(made.credentialID)).verify(by: made.publicKey)
  }

  @Test(arguments: AuthenticatorProfile.everyAlgorithm.filter(supportedAlgorithms.contains))
  func `keys of all algorithms except RSA fit into an id of at most 128 bytes, with a blob too`(
    algorithm: COSEAlgorithm
  ) async throws {
    let blob = [UInt8](repeating: 0xb1, count: 32)
    let made = try await platform.make(
      .sample([algorithm]).with { (request) in request.extensions.credentialBlob = blob[...] })
    #expect(made.credentialID.count <= DeviceLimits.maximumCredentialIDByteCount)
    let isRSA = algorithm.description.hasPrefix("RS") || algorithm.description.hasPrefix("PS")
    #expect(try device.state.passkeys.isEmpty == !isRSA)
    let reply = try await platform.get(
      .sample(made.credentialID).with { (request) in request.extensions.credentialBlob = true })
    try reply.verify(by: made.publicKey)
    #expect(reply.output("credBlob") == .bytes(blob))
  }

  @Test func `another relying party, another vault and a reset vault do not recognize it`() async throws {
    let made = try await platform.make()
    await expect(.noCredentials) {
      try await platform.get(.sample(made.credentialID, for: "yapt.example"))
    }
    await expect(.noCredentials) {
      try await TestDevice(.securityKey).platform().get(.sample(made.credentialID))
    }
    _ = try await platform.send(.reset)
    await expect(.noCredentials) { try await platform.get(.sample(made.credentialID)) }
  }

  @Test func `an id with a changed bit is not recognized`() async throws {
    let made = [UInt8](try await platform.make().credentialID)
    for index in made.indices {
      var corrupted = made
      corrupted[index] ^= 1 << UInt8(index % 8)
      await expect(.noCredentials) { try await platform.get(.sample(corrupted[...])) }
    }
    for count in [1, 27, 28, 29, made.count - 1] {
      await expect(.noCredentials) { try await platform.get(.sample(made.prefix(count))) }
    }
  }

  @Test func `the id contains credProtect and thirdPartyPayment`() async throws {
    let made = try await platform.make(
      .sample().with { (request) in
        request.extensions.credentialProtection = 3
        request.extensions.thirdPartyPayment = true
      })
    await expect(.noCredentials) { try await platform.get(.sample(made.credentialID)) }
    try await platform.setPIN("1234")
    let token = try await platform.token("1234", .getAssertion, for: "raxx.app")
    let reply = try await platform.get(
      .sample(made.credentialID).with { (request) in request.extensions.thirdPartyPayment = true }, token)
    #expect(reply.output("thirdPartyPayment") == true)
  }

  @Test func `hmac-secret has the same output at creation and later, and another for each credential`() async throws {
    let salt = [UInt8](repeating: 1, count: 32)
    var outputs: [SecretBytes] = []
    for _ in 0..<2 {
      let first = try await platform.salts(salt)
      let made = try await platform.make(
        .sample().with { (request) in
          request.extensions.hmacSecret = true
          request.extensions.hmacSecretOnCreation = first.input
        })
      let atOnce = try first.open(made.output("hmac-secret-mc"))
      let second = try await platform.salts(salt)
      let reply = try await platform.get(
        .sample(made.credentialID).with { (request) in request.extensions.hmacSecret = second.input })
      #expect(try second.open(reply.output("hmac-secret")) == atOnce)
      outputs.append(atOnce)
    }
    #expect(outputs[0] != outputs[1])
  }

  @Test func `an exclude list finds it`() async throws {
    let made = try await platform.make()
    await expect(.credentialExcluded) {
      try await platform.make(
        .sample().with { (request) in
          request.excludeList = [CredentialDescriptor(id: try CredentialID(made.credentialID))]
        })
    }
  }

  @Test func `U2F credentials are sealed too, and use the vault's counter`() async throws {
    let application = Digest.sha256([UInt8]("raxx.app".utf8)[...])
    let data = [UInt8](repeating: 0xc4, count: 32) + application
    let registered = await device.authenticator.respond(toAPDU: ([0, 1, 0, 0, 0, 0, 64] + data + [0, 0])[...])
    let length = Int(registered[66])
    let handle = registered[67..<67 + length]
    #expect(try device.state.passkeys.isEmpty)
    try await platform.make()
    for count in 1...2 {
      let body = data + [UInt8(length)] + handle
      let reply = await device.authenticator.respond(
        toAPDU: ([0, 2, 3, 0, 0, 0, UInt8(body.count)] + body + [0, 0])[...])
      #expect(reply.suffix(2) == [0x90, 0x00])
      #expect(reply.dropFirst().prefix(4) == [0, 0, 0, UInt8(count)])
    }
    // The same credential through CTAP2 (§10.3).
    #expect(try await platform.get(.sample(handle)).authenticatorData.signCount == 3)
  }

  @Test func `backup-eligible credentials, and those of some profiles, are stored`() async throws {
    var profile = AuthenticatorProfile.securityKey
    profile.backup = .backupEligible(isBackedUp: false)
    let movable = try TestDevice(profile)
    try await movable.platform().make()
    #expect(try movable.state.passkeys.count == 1)
    profile = .securityKey
    profile.sealsNonDiscoverableCredentials = false
    let keeping = try TestDevice(profile)
    try await keeping.platform().make()
    #expect(try keeping.state.passkeys.count == 1)
  }

  @Test func `discoverable credentials are stored in the vault, not in their id`() async throws {
    try await platform.make(.sample(isDiscoverable: true))
    #expect(try device.state.passkeys.count == 1)
  }
}
