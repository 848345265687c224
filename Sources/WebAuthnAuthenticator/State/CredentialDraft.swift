// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import CTAPTypes
internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

/// A credential that has been made and not kept yet: nothing remains of it should anything still go wrong.
struct CredentialDraft {
  let key: SigningKey
  let id: CredentialID
  let privateKey: SecretBytes

  private let relyingPartyIDHash: [UInt8]
  private let relyingParty: (id: String, name: String?)?
  private let user: PasskeyUser?
  private let isDiscoverable: Bool
  private let extensions: RegistrationExtensionResult
  private let profile: AuthenticatorProfile
  private let created: Timestamp

  /// The secrets for hmac-secret. Every credential has them, so that a later assertion can ask for it (§12.7).
  let secrets: ExtensionSecrets

  /// Whether the id holds the credential, so that the vault need not.
  let isInCredentialID: Bool

  /// For a request of CTAP2. A credential that is not discoverable goes into its id where there is a `wrapping`.
  init(
    _ algorithm: COSEAlgorithm, for request: MakeCredentialRequest, isDiscoverable: Bool,
    _ extensions: RegistrationExtensionResult, _ profile: AuthenticatorProfile, wrapping: CredentialWrapping?,
    _ random: RandomSource, now: Timestamp
  ) throws(CTAPError) {
    relyingPartyIDHash = Digest.sha256([UInt8](request.relyingPartyID.utf8)[...])
    let made = try Made(
      algorithm, extensions, profile, wrapping: isDiscoverable ? nil : wrapping, relyingPartyIDHash, random)
    (key, id, secrets, isInCredentialID) = (made.key, made.id, made.secrets, made.isInCredentialID)
    privateKey = try CTAPError.wrapping { () throws(CryptoError) in try made.key.pkcs8 }
    relyingParty = (request.relyingPartyID, request.relyingPartyName?.truncatedForStorage)
    user = request.user.truncated
    self.isDiscoverable = isDiscoverable
    self.extensions = extensions
    self.profile = profile
    created = now
  }

  /// For a registration of U2F, which tells the hash of the relying party's name alone.
  init(
    u2fApplication application: Bytes, _ profile: AuthenticatorProfile, wrapping: CredentialWrapping?,
    _ random: RandomSource, now: Timestamp
  ) throws(CTAPError) {
    relyingPartyIDHash = [UInt8](application)
    extensions = RegistrationExtensionResult()
    let made = try Made(.es256, extensions, profile, wrapping: wrapping, relyingPartyIDHash, random)
    (key, id, secrets, isInCredentialID) = (made.key, made.id, made.secrets, made.isInCredentialID)
    privateKey = try CTAPError.wrapping { () throws(CryptoError) in try made.key.pkcs8 }
    relyingParty = nil
    user = nil
    isDiscoverable = false
    self.profile = profile
    created = now
  }

  /// What the device says of the credential and of who was there (WebAuthn §6.1).
  func authenticatorData(
    _ flags: AuthenticatorFlags, extensions: [CBORKey: CBORTree]
  ) throws(CTAPError) -> AuthenticatorData {
    var flags = flags
    if profile.backup.isEligible { flags.insert(.backupEligible) }
    if profile.backup.isBackedUp { flags.insert(.backedUp) }
    do throws(FormatError) {
      return try AuthenticatorData(
        relyingPartyIDHash: relyingPartyIDHash[...], flags: flags, signCount: 0,
        attestedCredentialData: AttestedCredentialData(
          aaguid: profile.aaguid, credentialID: id.bytes, credentialPublicKey: key.publicKey.encoded[...]),
        extensions: extensions.isEmpty ? nil : .map(extensions))
    } catch {
      throw CTAPError(.other, "\(error)")
    }
  }

  /// What is kept of it.
  func passkey(sequence: UInt64) -> StoredPasskey {
    StoredPasskey(
      .init(
        id: id, algorithm: key.algorithm, privateKey: privateKey, relyingPartyIDHash: relyingPartyIDHash,
        relyingPartyID: relyingParty?.id, relyingPartyName: relyingParty?.name, user: user,
        isDiscoverable: isDiscoverable, protection: extensions.protection, extensionSecrets: secrets,
        blob: extensions.blob, largeBlobKey: extensions.largeBlobKey,
        allowsThirdPartyPayment: extensions.allowsThirdPartyPayment, aaguid: profile.aaguid,
        counterPolicy: profile.credentialCounterPolicy, signCount: 0,
        isBackupEligible: profile.backup.isEligible, isBackedUp: profile.backup.isBackedUp, created: created,
        lastUsed: nil, sequence: sequence))
  }
}

/// The parts of a new credential that are drawn.
private struct Made {
  let key: SigningKey
  let id: CredentialID
  let secrets: ExtensionSecrets
  let isInCredentialID: Bool

  init(
    _ algorithm: COSEAlgorithm, _ extensions: RegistrationExtensionResult, _ profile: AuthenticatorProfile,
    wrapping: CredentialWrapping?, _ relyingPartyIDHash: [UInt8], _ random: RandomSource
  ) throws(CTAPError) {
    // One that may be copied has to be exported, and one that a tester presets has an id already.
    if let wrapping, profile.sealsNonDiscoverableCredentials, !profile.backup.isEligible,
      profile.presetCredential == nil,
      let sealed = try wrapping.seal(
        algorithm, WrappedCredentialTerms(extensions, profile.credentialCounterPolicy), for: relyingPartyIDHash, random)
    {
      (key, id, secrets, isInCredentialID) = (sealed.key, sealed.id, sealed.secrets, true)
      return
    }
    (key, id) = try Self.draw(algorithm, profile, random)
    secrets = try CTAPError.wrapping { () throws(CryptoError) in try ExtensionSecrets(random: random) }
    isInCredentialID = false
  }

  private static func draw(
    _ algorithm: COSEAlgorithm, _ profile: AuthenticatorProfile, _ random: RandomSource
  ) throws(CTAPError) -> (SigningKey, CredentialID) {
    if let preset = profile.presetCredential { return (preset.key, preset.id) }
    let (key, id) = try CTAPError.wrapping { () throws(CryptoError) in
      (try SigningKey.generate(algorithm, random: random), try random.bytes(DeviceLimits.credentialIDByteCount))
    }
    do throws(FormatError) {
      return (key, try CredentialID(id))
    } catch {
      throw CTAPError(.other, "\(error)")
    }
  }
}
