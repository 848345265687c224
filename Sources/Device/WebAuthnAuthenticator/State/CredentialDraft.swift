// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

/// A new credential that has not been stored. If a later step fails, discarding the draft leaves no trace.
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
  private let created: UnixTime

  /// The hmac-secret secrets. Every credential has them, so that later assertions can use the extension (§12.7).
  let secrets: ExtensionSecrets

  /// Whether the credential is sealed into its id, so that the vault does not store it.
  let isInCredentialID: Bool

  /// Creates a draft for a CTAP2 request. With a `wrapping`, a non-discoverable credential is sealed into its id.
  init(
    _ algorithm: COSEAlgorithm, for request: MakeCredentialRequest, isDiscoverable: Bool,
    _ extensions: RegistrationExtensionResult, _ profile: AuthenticatorProfile, wrapping: CredentialWrapping?,
    _ random: RandomSource, now: UnixTime
  ) throws(CTAPError) {
    relyingPartyIDHash = Digest.sha256([UInt8](request.relyingPartyID.utf8))
    let made = try Made(
      algorithm, extensions, profile, wrapping: isDiscoverable ? nil : wrapping, relyingPartyIDHash, random)
    (key, id, secrets, isInCredentialID) = (made.key, made.id, made.secrets, made.isInCredentialID)
    privateKey = try mapError(made.key.pkcs8, CTAPError.init(other:))
    relyingParty = (request.relyingPartyID, request.relyingPartyName?.truncatedForStorage)
    user = request.user.truncated
    self.isDiscoverable = isDiscoverable
    self.extensions = extensions
    self.profile = profile
    created = now
  }

  /// Creates a draft for a U2F registration. U2F sends only the SHA-256 of the relying party's application id.
  init(
    u2fApplication application: Bytes, _ profile: AuthenticatorProfile, wrapping: CredentialWrapping?,
    _ random: RandomSource, now: UnixTime
  ) throws(CTAPError) {
    relyingPartyIDHash = [UInt8](application)
    extensions = RegistrationExtensionResult()
    let made = try Made(.es256, extensions, profile, wrapping: wrapping, relyingPartyIDHash, random)
    (key, id, secrets, isInCredentialID) = (made.key, made.id, made.secrets, made.isInCredentialID)
    privateKey = try mapError(made.key.pkcs8, CTAPError.init(other:))
    relyingParty = nil
    user = nil
    isDiscoverable = false
    self.profile = profile
    created = now
  }

  /// Returns the authenticator data for the credential (WebAuthn §6.1).
  func authenticatorData(
    _ flags: AuthenticatorFlags, extensions: [CBORKey: CBORTree]
  ) throws(CTAPError) -> AuthenticatorData {
    var flags = flags
    if profile.backup.isEligible { flags.insert(.backupEligible) }
    if profile.backup.isBackedUp { flags.insert(.backedUp) }
    return try mapError(CTAPError.init(other:)) {
      try AuthenticatorData(
        relyingPartyIDHash: relyingPartyIDHash, flags: flags, signCount: 0,
        attestedCredentialData: AttestedCredentialData(
          aaguid: profile.aaguid, credentialID: id.bytes, credentialPublicKey: key.publicKey.encoded),
        extensions: extensions.isEmpty ? nil : .map(extensions))
    }
  }

  /// Returns the record to store.
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

/// The generated parts of a new credential.
private struct Made {
  let key: SigningKey
  let id: CredentialID
  let secrets: ExtensionSecrets
  let isInCredentialID: Bool

  init(
    _ algorithm: COSEAlgorithm, _ extensions: RegistrationExtensionResult, _ profile: AuthenticatorProfile,
    wrapping: CredentialWrapping?, _ relyingPartyIDHash: [UInt8], _ random: RandomSource
  ) throws(CTAPError) {
    // A backup-eligible credential must remain exportable, and a preset credential already has its id.
    if let wrapping, profile.sealsNonDiscoverableCredentials, !profile.backup.isEligible,
      profile.presetCredential == nil,
      let sealed = try wrapping.seal(
        algorithm, WrappedCredentialTerms(extensions, profile.credentialCounterPolicy), for: relyingPartyIDHash, random)
    {
      (key, id, secrets, isInCredentialID) = (sealed.key, sealed.id, sealed.secrets, true)
      return
    }
    (key, id) = try Self.draw(algorithm, profile, random)
    secrets = try mapError(ExtensionSecrets(random: random), CTAPError.init(other:))
    isInCredentialID = false
  }

  private static func draw(
    _ algorithm: COSEAlgorithm, _ profile: AuthenticatorProfile, _ random: RandomSource
  ) throws(CTAPError) -> (SigningKey, CredentialID) {
    if let preset = profile.presetCredential { return (preset.key, preset.id) }
    return try mapError(CTAPError.init(other:)) {
      let key = try SigningKey.generate(algorithm, random: random)
      return (key, try CredentialID(random.bytes(DeviceLimits.credentialIDByteCount)))
    }
  }
}

extension PasskeyUser {
  /// The user as stored: long names are truncated at a code point boundary (WebAuthn §6.4.1), so that every response
  /// fits into a message.
  var truncated: PasskeyUser {
    PasskeyUser(id: id, name: name?.truncatedForStorage, displayName: displayName?.truncatedForStorage)
  }
}

extension String {
  /// The text, truncated at the first code point boundary at or after the stored name length.
  var truncatedForStorage: String {
    guard utf8.count > DeviceLimits.storedNameByteCount else { return self }
    var kept = String.UnicodeScalarView()
    var byteCount = 0
    for scalar in unicodeScalars {
      guard byteCount < DeviceLimits.storedNameByteCount else { break }
      kept.append(scalar)
      byteCount += UTF8.width(scalar)
    }
    return String(kept)
  }
}
