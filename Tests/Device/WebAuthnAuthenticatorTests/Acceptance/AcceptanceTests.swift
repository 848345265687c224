// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnAttestation
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import WebAuthnAuthenticator

/// Everything that the device creates must be accepted by this project's relying party: every algorithm, with every
/// attestation, with every combination of flags.
struct AcceptanceTests {
  /// The attestation kinds of a device.
  enum Vouching: String, CaseIterable {
    case none, selfSigned, batch, enterprise, compound, fidoU2F

    /// U2F supports one algorithm.
    func allows(_ algorithm: COSEAlgorithm) -> Bool {
      switch self {
      case .none, .selfSigned, .batch, .enterprise, .compound: true
      case .fidoU2F: algorithm == .es256
      }
    }
  }

  static let algorithms = AuthenticatorProfile.everyAlgorithm.filter(supportedAlgorithms.contains)

  @Test(arguments: Vouching.allCases, algorithms)
  func `every attestation that the device makes is accepted`(vouching: Vouching, algorithm: COSEAlgorithm) async throws
  {
    guard vouching.allows(algorithm) else { return }
    // RSA keys are slow to generate: one key with each attestation, and all flags with one of them. The change tier makes
    // one key of each algorithm.
    let isRSA = algorithm.definition?.keyType == .rsa
    guard !isRSA || Tier.current != .change || vouching == .batch else { return }
    let isSlow = isRSA && vouching != .selfSigned
    for verifies in isSlow ? [true] : [true, false] {
      for backup in isSlow
        ? [.deviceBound]
        : [BackupBehavior.deviceBound, .backupEligible(isBackedUp: false), .backupEligible(isBackedUp: true)]
      {
        for isDiscoverable in isSlow ? [true] : [true, false] {
          let world = try await AcceptanceWorld(
            vouching, algorithm, verifies: verifies, backup: backup, isDiscoverable: isDiscoverable)
          try await world.registerAndSignIn()
        }
      }
    }
  }
}

/// A device, a relying party that accepts exactly one kind of credential, and the client between them.
struct AcceptanceWorld {
  let device: TestDevice
  let platform: TestPlatform
  let relyingParty: RelyingParty
  let origin: WebOrigin
  let vouching: AcceptanceTests.Vouching
  let verifies: Bool
  let backup: BackupBehavior
  let isDiscoverable: Bool
  let now = UnixTime(secondsSince1970: 1_800_000_000)

  init(
    _ vouching: AcceptanceTests.Vouching, _ algorithm: COSEAlgorithm, verifies: Bool, backup: BackupBehavior,
    isDiscoverable: Bool
  ) async throws {
    self.vouching = vouching
    self.verifies = verifies
    self.backup = backup
    self.isDiscoverable = isDiscoverable
    let authority = try TestAttestationAuthority()
    let batch = try authority.batch(of: .passkeySoftware)
    var profile = AuthenticatorProfile.withoutSensor
    profile.backup = backup
    switch vouching {
    case .none: profile.attestation = .none
    case .selfSigned: profile.attestation = .selfSigned
    case .batch: profile = profile.withBatchAttestation(by: batch)
    case .enterprise:
      profile = profile.withBatchAttestation(
        by: batch, enterprise: try authority.enterprise(of: .passkeySoftware, device: "1"))
    case .compound:
      let members: [any AttestationMaker] = [PackedAttestationMaker(batch), SelfAttestationMaker()]
      profile.attestation = .batch(CompoundAttestationMaker(members), enterprise: nil)
    case .fidoU2F: profile.attestation = .batch(FIDOU2FAttestationMaker(batch), enterprise: nil)
    }
    if vouching == .fidoU2F { profile.aaguid = .zero }
    device = try TestDevice(profile) { (state) in state.settings.allowsEnterpriseAttestation = vouching == .enterprise }
    platform = device.platform()
    if verifies { try await platform.setPIN("1234") }

    var policy = CeremonyPolicy()
    policy.algorithms = [algorithm]
    policy.userVerification = verifies ? .required : .discouraged
    policy.attestation.trustAnchors = TrustAnchors(forEverything: [try X509Certificate(der: authority.certificate[...])]
    )
    switch vouching {
    case .none: policy.attestation.acceptableTrust = .noAttestation
    case .selfSigned: policy.attestation.acceptableTrust = .selfAttestation
    case .compound: policy.attestation.acceptableTrust = [.selfAttestation, .anchored]
    default: policy.attestation.acceptableTrust = .anchored
    }
    policy.unrequestedExtensions = .refused
    origin = try WebOrigin("https://raxx.app")
    relyingParty = try RelyingParty(
      id: RelyingPartyID("raxx.app"), name: "Raxx", origins: [origin], policy: policy)
  }

  func registerAndSignIn() async throws {
    let user = UserEntity(id: try UserHandle([1, 2, 3]), name: "ada@raxx.app", displayName: "Ada")
    let begun = try relyingParty.beginRegistration(of: user, at: now)
    let clientData = ClientData(type: .create, challenge: begun.options.challenge, origin: origin).encoded
    var request = MakeCredentialRequest(
      clientDataHash: Digest.sha256(clientData)[...], relyingPartyID: "raxx.app", relyingPartyName: "Raxx",
      user: PasskeyUser(id: user.id, name: user.name, displayName: user.displayName),
      parameters: begun.options.credentialParameters)
    request.options.residentKey = isDiscoverable
    request.enterpriseAttestation = vouching == .enterprise ? 2 : nil
    let made = try await platform.make(request, token(.makeCredential))
    #expect(made.isEnterpriseAttestation == (vouching == .enterprise ? true : nil))

    let registered = try relyingParty.finishRegistration(
      RegistrationResponse(
        id: CredentialID(made.credentialID), clientDataJSON: clientData,
        attestationObject: made.attestationObject[...]),
      pending: begun.pending, existing: .notFound, at: now)
    #expect(registered.flags.contains(.userVerified) == verifies)
    #expect(registered.flags.contains(.backupEligible) == (backup != .deviceBound))
    #expect(registered.flags.contains(.backedUp) == (backup == .backupEligible(isBackedUp: true)))

    let once = try await signIn(registered.credential)
    #expect(once.counter == (backup == .deviceBound ? .increased(from: 0, to: 1) : .notCounted))
    _ = try await signIn(once.credential)
  }

  private func signIn(_ credential: StoredCredential) async throws -> VerifiedAuthentication {
    let begun = try relyingParty.beginAuthentication(
      of: isDiscoverable ? .fromResponse : .knownBefore(credential.user, credentials: [credential.record.descriptor]),
      at: now)
    let clientData = ClientData(type: .get, challenge: begun.options.challenge, origin: origin).encoded
    let asserted = try await platform.get(
      GetAssertionRequest(
        relyingPartyID: "raxx.app", clientDataHash: Digest.sha256(clientData)[...],
        allowList: begun.options.allowCredentials.isEmpty ? nil : begun.options.allowCredentials),
      token(.getAssertion))
    let id = try #require(asserted.credential).id
    return try relyingParty.finishAuthentication(
      AuthenticationResponse(
        id: id, clientDataJSON: clientData, authenticatorData: asserted.authenticatorData.encoded,
        signature: asserted.signature, userHandle: asserted.user?.id),
      pending: begun.pending, credential: credential, at: now)
  }

  private func token(_ permission: PINPermission) async throws -> SecretBytes? {
    verifies ? try await platform.token("1234", permission, for: "raxx.app") : nil
  }
}
