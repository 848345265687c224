// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

/// Operations of the vault's owner, and their effects on a device.
struct VaultOwnerWithDeviceTests {
  @Test func `a fingerprint enrolled by the owner verifies the user`() async throws {
    let device = try TestDevice()
    let owner = VaultOwner(of: device.vault)
    try owner.enroll(finger: 3)
    try owner.enroll(finger: 3)
    #expect(try device.state.fingers.map(\.finger) == [3])
    device.user.willGive(fingers: .finger(3))
    let made = try await device.platform().make(
      .sample().with { (request) in request.options.userVerification = true })
    #expect(made.authenticatorData.flags.contains(.userVerified))
  }

  @Test func `the owner's consent verifies the user until a PIN is set`() async throws {
    let device = try TestDevice()
    let owner = VaultOwner(of: device.vault)
    try owner.enroll(finger: 0)
    try owner.enroll(finger: 1)
    try owner.enrollOwner()
    try owner.enrollOwner()
    #expect(try device.state.fingers.map(\.finger) == [1, 0])
    device.user.willGive(fingers: .finger(0))
    let made = try await device.platform().make(
      .sample().with { (request) in request.options.userVerification = true })
    #expect(made.authenticatorData.flags.contains(.userVerified))
    // Setting a PIN removes the owner's enrollment but no other finger.
    try owner.setPIN(SecretBytes(utf8: "1234"))
    #expect(try device.state.fingers.map(\.finger) == [1])
    try owner.enrollOwner()
    #expect(try device.state.fingers.map(\.finger) == [1])
  }

  @Test func `a PIN set by a platform replaces the owner's consent too`() async throws {
    let device = try TestDevice()
    try VaultOwner(of: device.vault).enrollOwner()
    #expect(try device.state.fingers.count == 1)
    try await device.platform().setPIN("1234")
    #expect(try device.state.fingers.isEmpty)
  }

  @Test func `the owner can enroll as many fingerprints as a platform`() throws {
    let device = try TestDevice()
    let owner = VaultOwner(of: device.vault)
    for finger in 0..<5 as Range<UInt8> { try owner.enroll(finger: finger) }
    expect(.fingerprintDatabaseFull) { try owner.enroll(finger: 5) }
    #expect(try Set(device.state.fingers.map(\.templateID)).count == 5)
  }

  @Test func `a passkey is backed up while copies of it exist`() async throws {
    var profile = AuthenticatorProfile.forTests
    profile.backup = .backupEligible(isBackedUp: false)
    let device = try TestDevice(profile)
    let made = try await device.platform().make()
    #expect(!made.authenticatorData.flags.contains(.backedUp))
    let id = try CredentialID(made.credentialID)
    for isBackedUp in [true, false] {
      try VaultOwner(of: device.vault).setBackedUp(isBackedUp, id)
      let flags = try await device.platform().get(.sample(made.credentialID)).authenticatorData.flags
      #expect(flags.contains(.backedUp) == isBackedUp)
      #expect(flags.contains(.backupEligible))
    }
  }

  @Test func `a passkey bound to its device cannot be marked as copied`() async throws {
    let device = try TestDevice()
    let made = try await device.platform().make()
    let owner = VaultOwner(of: device.vault)
    expect(.notAllowed) { try owner.setBackedUp(true, CredentialID(made.credentialID)) }
    #expect(try device.state.passkeys.map(\.isBackedUp) == [false])
    expect(.noCredentials) { try owner.setBackedUp(true, CredentialID([1, 2, 3])) }
  }
}
