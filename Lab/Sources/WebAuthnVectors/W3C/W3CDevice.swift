// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyTesting
internal import WebAuthnAuthenticator
internal import WebAuthnInspection
internal import WebAuthnTypes

/// The authenticator of one of the standard's vectors, with its client.
struct W3CDevice {
  let vector: W3CVector
  let values: W3CValues
  private let device: SoftwareAuthenticator
  private let owner: VaultOwner

  init(_ vector: W3CVector) throws(PasskeyCryptoError) {
    self.vector = vector
    values = try W3CValues(vector)
    let flags = values.registration.flags
    var profile = AuthenticatorProfile(
      aaguid: values.aaguid, attestation: try vector.attestation.device(values),
      backup: flags.contains(.backupEligible) ? .backupEligible(isBackedUp: flags.contains(.backedUp)) : .deviceBound,
      counterPolicy: .zero, hasFingerprintSensor: true, isAlwaysDiscoverable: false, transports: [.internal])
    profile.signing = .deterministic
    profile.presetCredential = try Self.presetCredential(values)
    // Random values of the authenticator do not occur in the vectors: keys, ids and nonces are preset.
    let random = RandomSource.seeded([UInt8](W3CVector.seed.utf8)[...], label: "\(vector.name) device")
    let vault = MemoryVault(try .factory(random: random))
    owner = VaultOwner(of: vault, random: random)
    device = try SoftwareAuthenticator(
      vault: vault, profile: profile, interaction: AutomaticInteraction.always(), random: random,
      clock: StoppedClock())
    try mapError(owner.enroll(finger: 0)) { (error: CTAPError) in PasskeyCryptoError(.libraryFailure, "\(error)") }
  }

  /// Registers the credential.
  func register() async throws(PasskeyCryptoError) -> W3CRegistration {
    let clientData = clientData("webauthn.create", values.registration)
    do {
      var request = MakeCredentialRequest(
        clientDataHash: Digest.sha256(clientData[...])[...], relyingPartyID: W3CVector.relyingPartyID,
        user: PasskeyUser(id: try UserHandle([UInt8](vector.name.utf8)[...])),
        parameters: [CredentialParameters(algorithm: vector.algorithm)])
      request.options.userVerification = values.registration.flags.contains(.userVerified)
      let reply = try await device.perform(.makeCredential, request.encoded)
      return W3CRegistration(clientData: clientData, reply: try MakeCredentialReply(parsing: reply))
    } catch {
      throw PasskeyCryptoError(.libraryFailure, "\(vector.name): \(error)")
    }
  }

  /// Authenticates with the credential.
  func signIn() async throws(PasskeyCryptoError) -> W3CAssertion {
    let clientData = clientData("webauthn.get", values.authentication)
    let flags = values.authentication.flags
    do {
      let id = try CredentialID(values.credentialID[...])
      if values.registration.flags.contains(.backupEligible) {
        // The backup state can change between the ceremonies.
        try owner.setBackedUp(flags.contains(.backedUp), id)
      }
      var request = GetAssertionRequest(
        relyingPartyID: W3CVector.relyingPartyID, clientDataHash: Digest.sha256(clientData[...])[...],
        allowList: [CredentialDescriptor(id: id)])
      request.options.userVerification = flags.contains(.userVerified)
      let reply = try await device.perform(.getAssertion, request.encoded)
      return W3CAssertion(clientData: clientData, reply: try GetAssertionReply(parsing: reply))
    } catch {
      throw PasskeyCryptoError(.libraryFailure, "\(vector.name): \(error)")
    }
  }

  private func clientData(_ type: String, _ values: W3CCeremonyValues) -> [UInt8] {
    var draft = ClientDataDraft(type: type, challenge: values.challenge, origin: W3CVector.origin)
    draft.crossOrigin = .bool(vector.embedding != .none)
    if vector.embedding == .named { draft.topOrigin = .string(W3CVector.topOrigin) }
    if let extraData = values.extraData {
      let announcement = "clientDataJSON may be extended with additional fields in the future, such as this: "
      draft.more = [("extraData", .string(announcement + Base64URL.encode(extraData)))]
    }
    return draft.bytes
  }

  private static func presetCredential(_ values: W3CValues) throws(PasskeyCryptoError) -> PresetCredential {
    do throws(FormatError) {
      return PresetCredential(key: values.credentialKey, id: try CredentialID(values.credentialID[...]))
    } catch {
      throw PasskeyCryptoError(.invalidLength, "\(error)")
    }
  }
}

/// The result of a registration.
struct W3CRegistration {
  let clientData: [UInt8]
  let reply: MakeCredentialReply
}

/// The result of an authentication.
struct W3CAssertion {
  let clientData: [UInt8]
  let reply: GetAssertionReply
}

/// A clock that stands still. The vectors do not depend on the time.
struct StoppedClock: AuthenticatorClock {
  let now = ScenarioDefaults.time
  let uptime = Duration.zero
}
