// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

struct AuthenticatorProfileTests {
  @Test func `a passkey provider's passkeys are discoverable, backed up and without a counter`() async throws {
    let device = try TestDevice(.passkeyProvider)
    let platform = device.platform()
    let made = try await platform.make()
    #expect(made.format == .none)
    #expect(made.authenticatorData.flags.isSuperset(of: [.backupEligible, .backedUp]))
    let reply = try await platform.get()
    #expect(reply.authenticatorData.flags == [.userPresent, .backupEligible, .backedUp])
    #expect(reply.authenticatorData.signCount == 0)
    try reply.verify(by: made.publicKey)
  }

  @Test func `a backup-eligible passkey has no counter, whatever the profile`() async throws {
    var profile = AuthenticatorProfile.withoutSensor
    profile.backup = .backupEligible(isBackedUp: false)
    let device = try TestDevice(profile)
    let platform = device.platform()
    let made = try await platform.make()
    let reply = try await platform.get(.sample(made.credentialID))
    #expect(reply.authenticatorData.flags == [.userPresent, .backupEligible])
    #expect(reply.authenticatorData.signCount == 0)
    #expect(try device.state.passkeys.first?.counterPolicy == .zero)
  }

  @Test func `credentials do not change with the profile`() async throws {
    let device = try TestDevice(.withoutSensor)
    let platform = device.platform()
    let bound = try await platform.make()
    var profile = AuthenticatorProfile.passkeyProvider
    profile.aaguid = .zero
    await device.authenticator.adopt(profile)
    let moved = try await platform.make(.sample(user: "bob", [.eddsa]))
    #expect(moved.authenticatorData.attestedCredentialData?.aaguid == .zero)
    let reply = try await platform.get(.sample(bound.credentialID))
    #expect(reply.authenticatorData.flags == .userPresent)
    #expect(reply.authenticatorData.signCount == 1)
    #expect(await device.authenticator.profile.aaguid == .zero)
  }

  @Test func `a seed reproduces every key, id and signature`() async throws {
    var profile = AuthenticatorProfile.withoutSensor
    profile.signing = .deterministic
    var replies: [[UInt8]] = []
    for _ in 0..<2 {
      let device = try TestDevice(profile, random: .seeded(hex("5eed")[...]))
      let platform = device.platform()
      let made = try await platform.make(
        .sample([.es256], isDiscoverable: true).with { (request) in
          request.extensions.hmacSecret = true
          request.extensions.largeBlobKey = true
        })
      let other = try await platform.make(.sample([.ps256]))
      replies.append(
        made.encoded + other.encoded + (try await platform.get(.sample(other.credentialID)).encoded)
          + (await device.authenticator.respond(
            toAPDU: ([0, 1, 0, 0, 64] + [UInt8](repeating: 3, count: 64))[...])))
    }
    #expect(replies[0] == replies[1])
  }

  @Test func `a preset credential is created unchanged`() async throws {
    let key = try SigningKey.generate(.es384, random: .seeded([1]))
    let id = try CredentialID([UInt8](repeating: 4, count: 1023))
    var profile = AuthenticatorProfile.withoutSensor
    profile.presetCredential = PresetCredential(key: key, id: id)
    let device = try TestDevice(profile)
    let made = try await device.platform().make(.sample([.es256, .es384]))
    #expect(made.credentialID == id.bytes[...])
    #expect(try made.publicKey == key.publicKey)
    try await device.platform().get(.sample(id.bytes[...])).verify(by: key.publicKey)
    // Creating it again replaces the credential with that ID.
    try await device.platform().make(.sample(user: "bob", [.es384]))
    #expect(try device.state.passkeys.map(\.user?.name) == ["bob@raxx.app"])
  }

  // CTAP 2.3 §7.1

  @Test func `an enterprise attestation is only for permitted relying parties`() async throws {
    let authority = try TestAttestationAuthority()
    let batch = try authority.batch(of: .passkeySoftware)
    let enterprise = try authority.enterprise(of: .passkeySoftware, device: "7")
    var profile = AuthenticatorProfile.withoutSensor.withBatchAttestation(by: batch, enterprise: enterprise)
    profile.enterpriseRelyingPartyIDs = ["raxx.app"]
    let device = try TestDevice(profile)
    let platform = device.platform()
    func make(_ kind: UInt64?, for relyingPartyID: String = "raxx.app") async throws -> (Bool?, CBORTree?) {
      let made = try await platform.make(
        .sample(for: relyingPartyID).with { (request) in request.enterpriseAttestation = kind })
      guard case .map(let statement) = CBORTree(made.statement) else { return (nil, nil) }
      return (made.isEnterpriseAttestation, statement["x5c"])
    }
    #expect(await platform.status { () async throws in try await make(1) } == .invalidParameter)
    #expect(try await platform.info().options["ep"] == false)
    try device.vault.update { (state) in state.settings.allowsEnterpriseAttestation = true }
    #expect(try await platform.info().options["ep"] == true)
    #expect(try await make(1) == (true, enterprise.x5c))
    #expect(try await make(1, for: "example.org") == (nil, batch.x5c))
    #expect(try await make(2, for: "example.org") == (true, enterprise.x5c))
    #expect(try await make(nil) == (nil, batch.x5c))
    #expect(await platform.status { () async throws in try await make(3) } == .invalidOption)

    // A relying party that requests no attestation receives none that identifies the device.
    let made = try await platform.make(
      .sample().with { (request) in
        request.enterpriseAttestation = 2
        request.attestationFormats = [.tpm, .none, .packed]
      })
    #expect(made.format == .none)
    #expect(made.isEnterpriseAttestation == nil)
  }

  @Test(
    arguments: [
      ([], .packed), ([.none], .none), ([.packed, .none], .packed), ([.tpm, .none, .packed], .none),
      ([.tpm], .packed),
    ] as [([AttestationFormat], AttestationFormat)])
  func `the preferred attestation format is used if possible`(
    preferred: [AttestationFormat], expected: AttestationFormat
  ) async throws {
    let made = try await TestDevice(.withoutSensor).platform().make(
      .sample().with { (request) in request.attestationFormats = preferred })
    #expect(made.format == expected)
    if expected == .none { #expect(CBORTree(made.statement) == [:]) }
  }
}
