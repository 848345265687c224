// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

/// CTAP 2.3 §6.4.
struct GetInfoTests {
  @Test func `a new security key describes itself`() async throws {
    let info = try await TestDevice(.withoutSensor).platform().info()
    #expect(info.versions == ["U2F_V2", "FIDO_2_0", "FIDO_2_1_PRE", "FIDO_2_1", "FIDO_2_3"])
    #expect(
      info.extensions == [
        "credBlob", "credProtect", "hmac-secret", "hmac-secret-mc", "largeBlobKey", "minPinLength",
        "pinComplexityPolicy", "thirdPartyPayment",
      ])
    #expect(info.aaguid == .passkeySoftware)
    #expect(
      info.options == [
        "rk": true, "up": true, "plat": false, "clientPin": false, "pinUvAuthToken": true, "credMgmt": true,
        "credentialMgmtPreview": true, "perCredMgmtRO": true, "largeBlobs": true, "authnrCfg": true,
        "setMinPINLength": true, "alwaysUv": false,
        "makeCredUvNotRqd": true,
      ])
    #expect(info.pinUVAuthProtocols == [2, 1])
    #expect(info.transports == [.usb])
    #expect(info.transportsForReset == [.usb])
    #expect(info.algorithms.map(\.algorithm) == supportedAlgorithms.filter { (algorithm) in algorithm != .rs1 })
    #expect(info.attestationFormats == [.packed, .none])
    #expect(info.forcesPINChange == false)
    #expect(info.minimumPINLength == 4)
    #expect(info.maximumPINLength == 63)
    #expect(info.remainingDiscoverableCredentialCount == 10_000)
    #expect(info.preferredUserVerificationAttempts == nil)
    #expect(info.userVerificationModality == nil)
    // §6.4: both are present even before a platform has requested the persistent token.
    #expect(info.encryptedIdentifier?.count == 32)
    #expect(info.encryptedCredentialStoreState?.count == 32)
  }

  @Test func `a passkey provider describes itself`() async throws {
    let info = try await TestDevice(.passkeyProvider).platform().info()
    #expect(info.options["plat"] == true)
    #expect(info.options["uv"] == false)
    #expect(info.options["bioEnroll"] == false)
    #expect(info.options["userVerificationMgmtPreview"] == false)
    #expect(info.options["ep"] == nil)
    #expect(info.userVerificationModality == 2)
    #expect(info.transports == [.internal, .hybrid])
    #expect(info.attestationFormats == [.none])
  }

  @Test func `the configuration is reported`() async throws {
    let identity = try TestAttestationAuthority().batch(of: .passkeySoftware)
    var profile = AuthenticatorProfile.securityKey.withBatchAttestation(by: identity, enterprise: identity)
    profile.hasFingerprintSensor = true
    let device = try TestDevice(profile) { (state) in
      state.fingers = [EnrolledFinger(templateID: [1], finger: 1, name: nil)]
      state.settings.alwaysRequiresUserVerification = true
      state.settings.allowsEnterpriseAttestation = true
      state.settings.needsLongTouchForReset = true
      state.settings.minimumPINLength = 6
      state.settings.enforcesPINComplexity = true
    }
    try await device.platform().setPIN("a1b2c3")
    let info = try await device.platform().info()
    #expect(info.versions == ["FIDO_2_0", "FIDO_2_1_PRE", "FIDO_2_1", "FIDO_2_3"])
    #expect(info.options["uv"] == true)
    #expect(info.options["clientPin"] == true)
    #expect(info.options["alwaysUv"] == true)
    #expect(info.options["makeCredUvNotRqd"] == false)
    #expect(info.options["ep"] == true)
    #expect(info.needsLongTouchForReset == true)
    #expect(info.minimumPINLength == 6)
    #expect(info.enforcesPINComplexity == true)
    #expect(info.attestationFormats == [.packed, .none])
  }

  @Test func `U2F is announced only with its algorithm`() async throws {
    var profile = AuthenticatorProfile.withoutSensor
    profile.algorithms = [.eddsa]
    #expect(try await TestDevice(profile).platform().info().versions.first == "FIDO_2_0")
  }

  @Test func `a power cycle changes only the encrypted values`() async throws {
    var device = try TestDevice()
    try await device.platform().setPIN("1234")
    _ = try await device.platform().token("1234", .persistentReading)
    var before = try await device.platform().info()
    try device.cyclePower()
    var after = try await device.platform().info()
    #expect(before.encryptedIdentifier != after.encryptedIdentifier)
    #expect(before.encryptedCredentialStoreState != after.encryptedCredentialStoreState)
    before.encryptedIdentifier = after.encryptedIdentifier
    before.encryptedCredentialStoreState = after.encryptedCredentialStoreState
    #expect(before == after)
    after.encryptedIdentifier = nil
    #expect(before != after)
  }

  @Test func `the persistent token identifies the device and its store`() async throws {
    let device = try TestDevice(.withoutSensor)
    let platform = device.platform()
    try await platform.setPIN("1234")
    let token = try await platform.token("1234", .persistentReading)
    let first = try await platform.info()
    let identifier = try open(first.encryptedIdentifier, "encIdentifier", token)
    let store = try open(first.encryptedCredentialStoreState, "encCredStoreState", token)
    #expect(identifier == (try device.state.identity.identifier))
    #expect(store == (try device.state.identity.credentialStoreState))
    try await platform.make()
    let second = try await platform.info()
    #expect(try open(second.encryptedIdentifier, "encIdentifier", token) == identifier)
    #expect(try open(second.encryptedCredentialStoreState, "encCredStoreState", token) != store)
  }

  /// Decrypts a value like a platform: the key is derived from the token, and the value begins with the initialization
  /// vector.
  private func open(_ value: Bytes?, _ label: String, _ token: SecretBytes) throws -> SecretBytes {
    let value = try #require(value)
    let key = try HKDF.derive(
      from: token, salt: [UInt8](repeating: 0, count: 32)[...], info: [UInt8](label.utf8)[...], byteCount: 16)
    return try AES128CBC.decrypt(value.dropFirst(16), key: key, initialVector: value.prefix(16))
  }
}
