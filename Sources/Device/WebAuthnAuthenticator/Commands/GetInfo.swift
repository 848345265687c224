// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

// CTAP 2.3, §6.4, authenticatorGetInfo.

extension SoftwareAuthenticator {
  /// Returns the device's properties and capabilities. Between state changes only the two encrypted values differ,
  /// because each response uses a new IV.
  func getInfo() throws(CTAPError) -> [UInt8] {
    let state = try vault.read()
    let settings = state.settings
    // §7.2: alwaysUv turns U2F off, because U2F has no user verification.
    var info = AuthenticatorInfo(
      versions: speaksU2F(state) ? ["U2F_V2"] + Self.versions : Self.versions,
      aaguid: profile.aaguid)
    info.extensions = Self.extensions
    info.options = options(state)
    info.maximumMessageByteCount = UInt64(DeviceLimits.maximumMessageByteCount)
    info.pinUVAuthProtocols = PINProtocol.allCases.reversed().map { (version) in UInt64(version.rawValue) }
    info.maximumCredentialCountInList = UInt64(DeviceLimits.maximumCredentialCountInList)
    info.maximumCredentialIDByteCount = UInt64(maximumCredentialIDByteCount)
    info.transports = profile.transports
    info.algorithms = offeredAlgorithms.map { (algorithm) in CredentialParameters(algorithm: algorithm) }
    info.maximumLargeBlobArrayByteCount = UInt64(DeviceLimits.maximumLargeBlobArrayByteCount)
    info.forcesPINChange = settings.forcesPINChange
    info.minimumPINLength = UInt64(settings.minimumPINLength)
    info.firmwareVersion = Self.firmwareVersion
    info.maximumCredentialBlobByteCount = UInt64(DeviceLimits.maximumCredentialBlobByteCount)
    info.maximumMinimumPINLengthReaderCount = UInt64(DeviceLimits.maximumMinimumPINLengthReaders)
    if profile.hasFingerprintSensor {
      info.preferredUserVerificationAttempts = UInt64(DeviceLimits.preferredPlatformVerificationAttempts)
      info.userVerificationModality = Self.fingerprintModality
    }
    info.remainingDiscoverableCredentialCount = UInt64(state.remainingCredentialCount)
    info.attestationFormats = profile.attestation.formats
    info.needsLongTouchForReset = settings.needsLongTouchForReset
    info.transportsForReset = profile.transports
    info.enforcesPINComplexity = settings.enforcesPINComplexity
    info.maximumPINLength = UInt64(DeviceLimits.maximumPINByteCount)
    info.configurationCommands = configurationSubcommands.map { (subcommand) in subcommand.rawValue }
    info.encryptedIdentifier = try encrypt(state.identity.identifier, "encIdentifier", state.persistentToken)
    info.encryptedCredentialStoreState = try encrypt(
      state.identity.credentialStoreState, "encCredStoreState", state.persistentToken)
    return info.encoded
  }

  /// The maximum credential id length, raised if a preset id is longer.
  private var maximumCredentialIDByteCount: Int {
    max(DeviceLimits.maximumCredentialIDByteCount, profile.presetCredential?.id.bytes.count ?? 0)
  }

  private static let versions = ["FIDO_2_0", "FIDO_2_1_PRE", "FIDO_2_1", "FIDO_2_3"]

  private static let extensions =
    (["credBlob", "credProtect", "hmac-secret", "hmac-secret-mc", "largeBlobKey", "thirdPartyPayment"]
    + SoftwareAuthenticator.flagAnswers.keys).sorted()

  /// The firmware version. Increment it with each change in behavior.
  private static let firmwareVersion: UInt64 = 1

  /// `USER_VERIFY_FINGERPRINT_INTERNAL` (FIDO registry of predefined values, §3.1).
  private static let fingerprintModality: UInt64 = 0x02

  /// The options (0x04): the supported features and whether they are configured. Unsupported ones are absent.
  private func options(_ state: DeviceState) -> [String: Bool] {
    var options = [
      "rk": true, "up": true, "plat": profile.transports.contains(.internal), "clientPin": state.pin != nil,
      "pinUvAuthToken": true, "credMgmt": true, "credentialMgmtPreview": true, "perCredMgmtRO": true,
      "largeBlobs": true, "authnrCfg": true,
      "setMinPINLength": true, "alwaysUv": state.settings.alwaysRequiresUserVerification,
      "makeCredUvNotRqd": !state.settings.alwaysRequiresUserVerification,
    ]
    if profile.hasFingerprintSensor {
      options["uv"] = verifiesUsers(state)
      options["bioEnroll"] = !state.fingers.isEmpty
      options["userVerificationMgmtPreview"] = !state.fingers.isEmpty
      options["uvBioEnroll"] = true
      options["uvAcfg"] = true
    }
    if profile.attestation.enterpriseMaker != nil { options["ep"] = state.settings.allowsEnterpriseAttestation }
    return options
  }

  /// Returns iv ‖ AES-128-CBC(HKDF-SHA-256(token, 32 zeros, label), iv, value), with a random iv.
  private func encrypt(_ value: SecretBytes, _ label: String, _ token: SecretBytes) throws(CTAPError) -> Bytes {
    try mapError(CTAPError.init(other:)) {
      let salt = [UInt8](repeating: 0, count: 32)
      let key = try HKDF.derive(
        from: token, salt: salt, info: [UInt8](label.utf8), byteCount: AES128CBC.blockByteCount)
      let vector = try random.bytes(AES128CBC.blockByteCount)
      let encrypted = try value.withBytes { (value) throws(PasskeyCryptoError) in
        try AES128CBC.encrypt(value, key: key, initialVector: vector)
      }
      return (vector + encrypted)[...]
    }
  }
}
