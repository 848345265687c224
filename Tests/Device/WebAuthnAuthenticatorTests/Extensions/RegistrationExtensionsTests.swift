// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

/// CTAP 2.3 §12, at registration.
struct RegistrationExtensionsTests {
  let device: TestDevice
  let platform: TestPlatform

  init() throws {
    device = try TestDevice(.withoutSensor)
    platform = device.platform()
  }

  private func make(
    isDiscoverable: Bool = true, _ change: (inout RegistrationExtensionInputs) throws -> Void
  ) async throws -> MakeCredentialReply {
    try await platform.make(
      .sample(isDiscoverable: isDiscoverable).with { (request) in try change(&request.extensions) })
  }

  private func status(
    isDiscoverable: Bool = true, _ change: (inout RegistrationExtensionInputs) throws -> Void
  ) async -> CTAPStatus {
    await platform.status { () async throws in try await make(isDiscoverable: isDiscoverable, change) }
  }

  @Test func `without an input there is no output`() async throws {
    let reply = try await platform.make()
    #expect(reply.authenticatorData.extensions == nil)
    #expect(!reply.authenticatorData.flags.contains(.extensionData))
    let unknown = try MakeCredentialRequest.sample().map.merging([6: ["credProps": true]]) { (_, new) in new }
    #expect(await platform.status(.makeCredential, unknown) == .success)
  }

  // §12.1

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `credProtect is stored and confirmed`(level: UInt64) async throws {
    let reply = try await make { (extensions) in extensions.credentialProtection = level }
    #expect(reply.output("credProtect") == .unsigned(level))
    #expect(reply.authenticatorData.flags.contains(.extensionData))
    #expect(UInt64(try #require(try device.state.passkeys.first).protection.rawValue) == level)
  }

  @Test(arguments: [0, 4, 256 + 1] as [UInt64])
  func `an unknown credProtect level is refused`(level: UInt64) async throws {
    #expect(await status { (extensions) in extensions.credentialProtection = level } == .invalidOption)
  }

  // §12.2

  @Test func `a blob is stored up to its maximum length`() async throws {
    let blob = [UInt8](repeating: 7, count: DeviceLimits.maximumCredentialBlobByteCount)
    #expect(try await make { (extensions) in extensions.credentialBlob = blob[...] }.output("credBlob") == true)
    #expect(try device.state.passkeys.last?.blob == blob)
    #expect(
      try await make { (extensions) in extensions.credentialBlob = (blob + [7])[...] }.output("credBlob") == false)
    #expect(try device.state.passkeys.last?.blob == nil)
  }

  // §12.3

  @Test func `a largeBlobKey is returned next to the authenticator data`() async throws {
    let reply = try await make { (extensions) in extensions.largeBlobKey = true }
    #expect(reply.largeBlobKey?.count == 32)
    #expect(reply.authenticatorData.extensions == nil)
    #expect(try device.state.passkeys.first?.largeBlobKey?.exposedBytes[...] == reply.largeBlobKey)
  }

  @Test func `a largeBlobKey requires a discoverable credential and the value true`() async {
    #expect(await status { (extensions) in extensions.largeBlobKey = false } == .invalidOption)
    #expect(await status(isDiscoverable: false) { (extensions) in extensions.largeBlobKey = true } == .invalidOption)
  }

  // §12.5 and §12.6

  @Test func `permitted relying parties receive the PIN policy`() async throws {
    let ask: (inout RegistrationExtensionInputs) -> Void = { (extensions) in
      extensions.flags = ["minPinLength": true, "pinComplexityPolicy": true]
    }
    #expect(try await make(ask).authenticatorData.extensions == nil)
    try device.vault.update { (state) in
      state.settings.minimumPINLengthReaders = ["example.org", "raxx.app"]
      state.settings.minimumPINLength = 7
    }
    let reply = try await make(ask)
    #expect(reply.output("minPinLength") == 7)
    #expect(reply.output("pinComplexityPolicy") == false)
    #expect(try await platform.make().authenticatorData.extensions == nil)
  }

  // §12.7 and §12.8

  @Test func `every credential gets secrets for hmac-secret`() async throws {
    #expect(try await make { (extensions) in extensions.hmacSecret = true }.output("hmac-secret") == true)
    let secrets = try #require(try device.state.passkeys.first?.extensionSecrets)
    #expect(secrets.withVerification != secrets.withoutVerification)
    #expect(secrets.withVerification.count == 32)
    #expect(try await make { (extensions) in extensions.hmacSecret = false }.authenticatorData.extensions == nil)
    #expect(try device.state.passkeys.last?.extensionSecrets?.withVerification.count == 32)
    #expect(try device.state.passkeys.last?.extensionSecrets?.withVerification != secrets.withVerification)
  }

  @Test func `hmac-secret-mc requires hmac-secret`() async throws {
    let input = try await platform.salts([UInt8](repeating: 1, count: 32)).input
    #expect(await status { (extensions) in extensions.hmacSecretOnCreation = input } == .missingParameter)
    #expect(
      await status { (extensions) in
        extensions.hmacSecretOnCreation = input
        extensions.hmacSecret = false
      } == .missingParameter)
    #expect(try device.state.passkeys.isEmpty)
  }

  // §12.9

  @Test func `thirdPartyPayment is stored if requested`() async throws {
    #expect(try await make { (extensions) in extensions.thirdPartyPayment = true }.output("thirdPartyPayment") == true)
    #expect(try device.state.passkeys.first?.allowsThirdPartyPayment == true)
    #expect(try await make { (extensions) in extensions.thirdPartyPayment = false }.output("thirdPartyPayment") == nil)
  }

  @Test(arguments: [
    "credProtect", "hmac-secret", "hmac-secret-mc", "credBlob", "largeBlobKey", "minPinLength", "pinComplexityPolicy",
    "thirdPartyPayment",
  ])
  func `an input of another type is refused`(name: String) async throws {
    let map = try MakeCredentialRequest.sample().map.merging([6: .map([.text(name): "text"])]) { (_, new) in new }
    #expect(await platform.status(.makeCredential, map) == .cborUnexpectedType)
  }

  @Test func `all extensions can be combined`() async throws {
    try device.vault.update { (state) in state.settings.minimumPINLengthReaders = ["raxx.app"] }
    let salts = try await platform.salts([UInt8](repeating: 1, count: 64))
    let reply = try await make { (extensions) in
      extensions.credentialProtection = 2
      extensions.hmacSecret = true
      extensions.hmacSecretOnCreation = salts.input
      extensions.credentialBlob = [1, 2]
      extensions.largeBlobKey = true
      extensions.flags = ["minPinLength": true, "pinComplexityPolicy": true]
      extensions.thirdPartyPayment = true
    }
    #expect(reply.authenticatorData.extensions?.count == 7)
    #expect(reply.largeBlobKey != nil)
  }
}
