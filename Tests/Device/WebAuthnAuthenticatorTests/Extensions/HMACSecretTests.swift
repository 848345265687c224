// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

/// CTAP 2.3 §12.7 and §12.8, with both protocols.
@Suite(.serialized) struct HMACSecretTests {
  static let salt1 = [UInt8](repeating: 0xa1, count: 32)
  static let salt2 = [UInt8](repeating: 0xb2, count: 32)

  let device: TestDevice

  init() throws {
    device = try TestDevice(.withoutSensor)
  }

  private func makeCredential(_ platform: TestPlatform) async throws -> MakeCredentialReply {
    try await platform.make(.sample().with { (request) in request.extensions.hmacSecret = true })
  }

  /// Returns the credential's outputs for the salts.
  private func outputs(
    _ platform: TestPlatform, _ made: MakeCredentialReply, _ salts: [UInt8], token: SecretBytes? = nil
  ) async throws -> SecretBytes {
    let opened = try await platform.salts(salts)
    let reply = try await platform.get(
      .sample(made.credentialID).with { (request) in request.extensions.hmacSecret = opened.input }, token)
    return try opened.open(reply.output("hmac-secret"))
  }

  @Test(arguments: TestPINProtocol.allCases)
  func `an output is the HMAC of the salt under the credential's secret`(version: TestPINProtocol) async throws {
    let platform = device.platform(version)
    let made = try await makeCredential(platform)
    let secrets = try #require(try device.state.passkeys.first?.extensionSecrets)
    let both = try await outputs(platform, made, Self.salt1 + Self.salt2)
    #expect(
      both.exposedBytes
        == HMAC.tag(of: Self.salt1[...], key: secrets.withoutVerification)
        + HMAC.tag(of: Self.salt2[...], key: secrets.withoutVerification))
    let one = try await outputs(platform, made, Self.salt1)
    #expect(one.exposedBytes[...] == both.exposedBytes.prefix(32))
  }

  @Test(arguments: TestPINProtocol.allCases)
  func `verified users have their own outputs`(version: TestPINProtocol) async throws {
    let platform = device.platform(version)
    let made = try await makeCredential(platform)
    let secrets = try #require(try device.state.passkeys.first?.extensionSecrets)
    try await platform.setPIN("1234")
    let token = try await platform.token("1234", .getAssertion, for: "raxx.app")
    let output = try await outputs(platform, made, Self.salt1, token: token)
    #expect(output.exposedBytes == HMAC.tag(of: Self.salt1[...], key: secrets.withVerification))
    #expect(output != (try await outputs(platform, made, Self.salt1)))
  }

  @Test(arguments: TestPINProtocol.allCases)
  func `outputs at registration equal later ones`(version: TestPINProtocol) async throws {
    let platform = device.platform(version)
    let salts = try await platform.salts(Self.salt1 + Self.salt2)
    let made = try await platform.make(
      .sample().with { (request) in
        request.extensions.hmacSecret = true
        request.extensions.hmacSecretOnCreation = salts.input
      })
    #expect(made.output("hmac-secret") == true)
    let atOnce = try salts.open(made.output("hmac-secret-mc"))
    #expect(atOnce == (try await outputs(platform, made, Self.salt1 + Self.salt2)))
  }

  @Test func `each credential of a sequence has its own outputs`() async throws {
    let platform = device.platform()
    for user in ["ada", "bob"] {
      try await platform.make(
        .sample(user: user, isDiscoverable: true).with { (request) in request.extensions.hmacSecret = true })
    }
    let salts = try await platform.salts(Self.salt1)
    let first = try await platform.get(.sample().with { (request) in request.extensions.hmacSecret = salts.input })
    let second = try await platform.getNext()
    #expect(try salts.open(first.output("hmac-secret")) != salts.open(second.output("hmac-secret")))
  }

  @Test func `a credential created without hmac-secret has outputs too`() async throws {
    let platform = device.platform()
    let made = try await platform.make()
    #expect(made.output("hmac-secret") == nil)
    let secrets = try #require(try device.state.passkeys.first?.extensionSecrets)
    let output = try await outputs(platform, made, Self.salt1)
    #expect(output.exposedBytes == HMAC.tag(of: Self.salt1[...], key: secrets.withoutVerification))
    try await platform.setPIN("1234")
    let token = try await platform.token("1234", .getAssertion, for: "raxx.app")
    let verified = try await outputs(platform, made, Self.salt1, token: token)
    #expect(verified.exposedBytes == HMAC.tag(of: Self.salt1[...], key: secrets.withVerification))
  }

  @Test func `a credential without secrets gets them at its next use`() async throws {
    let platform = device.platform()
    let made = try await platform.make()
    try device.vault.update { (state) in state.passkeys[0].extensionSecrets = nil }
    let first = try await outputs(platform, made, Self.salt1)
    #expect(try device.state.passkeys.first?.extensionSecrets != nil)
    #expect(try await outputs(platform, made, Self.salt1) == first)
  }

  @Test(arguments: TestPINProtocol.allCases)
  func `salts of another length or with a wrong tag are refused`(version: TestPINProtocol) async throws {
    let platform = device.platform(version)
    let made = try await makeCredential(platform)
    for (count, expected) in [
      (0, CTAPStatus.invalidLength), (16, .invalidLength), (48, .invalidLength), (96, .invalidLength), (32, .success),
    ] {
      let salts = try await platform.salts([UInt8](repeating: 1, count: count))
      #expect(await status(platform, made, salts.input) == expected, "\(count) bytes")
    }
    var input = try await platform.salts(Self.salt1).input
    input.saltAuthentication = [UInt8](repeating: 0, count: 32)[...]
    #expect(await status(platform, made, input) == .pinAuthInvalid)
    input = try await platform.salts(Self.salt1).input
    input.pinUVAuthProtocol = 3
    #expect(await status(platform, made, input) == .invalidParameter)
    // Not a multiple of the block size, with a valid tag.
    let secret = try await platform.agree()
    let odd = [UInt8](repeating: 1, count: 33)
    input.encryptedSalts = odd[...]
    input.keyAgreement = try COSEKey(parsing: CBORWriter.bytes(of: secret.platformKey)[...])
    input.saltAuthentication = secret.authenticate(odd)[...]
    input.pinUVAuthProtocol = version.rawValue
    #expect(await status(platform, made, input) == .invalidLength)
  }

  @Test func `a missing protocol means protocol one`() async throws {
    let platform = device.platform(.one)
    let made = try await makeCredential(platform)
    var input = try await platform.salts(Self.salt1).input
    input.pinUVAuthProtocol = nil
    #expect(await status(platform, made, input) == .success)
  }

  @Test func `without user presence there are no outputs`() async throws {
    let platform = device.platform()
    let made = try await makeCredential(platform)
    let input = try await platform.salts(Self.salt1).input
    let request = GetAssertionRequest.sample(made.credentialID).with { (request) in
      request.extensions.hmacSecret = input
      request.options.userPresence = false
    }
    #expect(await platform.status { () async throws in try await platform.get(request) } == .unsupportedOption)
  }

  @Test func `a missing member is reported`() async throws {
    let platform = device.platform()
    let made = try await makeCredential(platform)
    let request = GetAssertionRequest.sample(made.credentialID)
    let input = try await platform.salts(Self.salt1).input
    guard case .map(let whole) = CBORTree(try CBORValue(parsing: input.encoded[...], rules: .canonical)) else { return }
    for key: Int64 in 1...3 {
      var map = try request.map
      var members = whole
      members[.integer(key)] = nil
      map[4] = ["hmac-secret": .map(members)]
      #expect(await platform.status(.getAssertion, map) == .missingParameter)
    }
  }

  private func status(
    _ platform: TestPlatform, _ made: MakeCredentialReply, _ input: HMACSecretInput
  ) async -> CTAPStatus {
    await platform.status { () async throws in
      try await platform.get(
        .sample(made.credentialID).with { (request) in request.extensions.hmacSecret = input })
    }
  }
}

/// Salts as a platform sends them, and the secret to decrypt the outputs.
struct TestSalts {
  let input: HMACSecretInput
  let secret: TestSecret

  func open(_ output: CBORTree?) throws -> SecretBytes {
    guard case .bytes(let bytes) = output else { throw CTAPError(.missingParameter, "no output") }
    return try secret.decrypt(bytes)
  }
}

extension TestPlatform {
  func salts(_ salts: [UInt8]) async throws -> TestSalts {
    let secret = try await agree()
    let encrypted = try secret.encrypt(salts)
    return TestSalts(
      input: HMACSecretInput(
        keyAgreement: try COSEKey(parsing: CBORWriter.bytes(of: secret.platformKey)[...]),
        encryptedSalts: encrypted[...], saltAuthentication: secret.authenticate(encrypted)[...],
        pinUVAuthProtocol: version.rawValue),
      secret: secret)
  }
}

extension HMACSecretInput {
  fileprivate var encoded: [UInt8] {
    CBORWriter.bytes(of: [
      1: keyAgreement.tree, 2: .bytes([UInt8](encryptedSalts)), 3: .bytes([UInt8](saltAuthentication)),
      4: .unsigned(pinUVAuthProtocol ?? 1),
    ])
  }
}
