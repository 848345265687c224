// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnAuthenticator
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import WebAuthnBrowser
@testable import WebAuthnClient

/// The choices of one ceremony, sent through the client and a device to the relying party and back.
@Suite struct CeremonyChoicesTests {
  @Test func `a conditional registration works with a device without user verification`() async throws {
    let world = try World(policy: { $0.userVerification = .required })
    // The device has neither a PIN nor a sensor, so the client cannot meet the policy and refuses.
    let error = try await failure { try await world.register() }
    #expect(error?.domName == "ConstraintError")
    let made = try await world.register(mediation: .conditional).result
    #expect(!made.flags.contains(.userVerified))
    #expect(!made.credential.record.uvInitialized)
  }

  @Test func `a passkey created without user verification counts as possession until another factor raises it`()
    async throws
  {
    let bare = try World()
    let made = try await bare.register(userVerification: .discouraged).result.credential
    // The same device after a finger was enrolled, by its owner or by a thief.
    var profile = AuthenticatorProfile.securityKey
    profile.hasFingerprintSensor = true
    let world = try World(
      profile: profile, finger: 0, prepare: { $0 = try bare.vault.read() }, policy: { $0.userVerification = .required })
    #expect(!made.record.uvInitialized)
    await #expect(throws: CeremonyError.self) { try await world.signIn(made) }
    let first = try await world.signIn(made, userVerification: .preferred).result
    #expect(first.userVerification == .notInitialized)
    // The server has verified another factor.
    let raised = try first.credentialInitializingUserVerificationAfterAnotherFactor()
    #expect(try await world.signIn(raised).result.userVerification == .factor)
  }

  @Test func `the device creates the key that a registration prefers`() async throws {
    let world = try World()
    for algorithm in [COSEAlgorithm.es256, .eddsa] {
      let made = try await world.register(algorithms: [algorithm]).result.credential
      #expect(try COSEKey(parsing: made.record.publicKey).algorithm == algorithm)
    }
  }

  @Test func `attestation is sent if a registration requests it`() async throws {
    let authority = try TestAttestationAuthority()
    let world = try World(
      profile: AuthenticatorProfile.securityKey.withBatchAttestation(by: try authority.batch(of: .passkeySoftware)))
    for (asked, format) in [(nil, AttestationFormat.none), (AttestationConveyancePreference.direct, .packed)] {
      let response = try await world.register(attestation: asked).response
      #expect(try AttestationObject(parsing: response.attestationObject).format == format)
    }
  }
}
