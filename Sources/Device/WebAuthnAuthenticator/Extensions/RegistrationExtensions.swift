// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

/// The results of the extensions requested for a new credential.
struct RegistrationExtensionResult {
  /// The extension outputs in the authenticator data.
  var outputs: [CBORKey: CBORTree] = [:]

  // The values stored with the credential.
  var protection = CredentialProtection.userVerificationOptional
  var blob: [UInt8]?
  var largeBlobKey: SecretBytes?
  var allowsThirdPartyPayment = false
}

extension SoftwareAuthenticator {
  /// Processes the extension inputs (§6.1.2, step 15, and §12).
  func registrationExtensions(
    _ inputs: RegistrationExtensionInputs, _ relyingPartyID: String, isDiscoverable: Bool, _ state: DeviceState
  ) throws(CTAPError) -> RegistrationExtensionResult {
    var result = RegistrationExtensionResult()
    try protectCredential(inputs, &result)
    keepBlob(inputs, &result)
    try makeLargeBlobKey(inputs, isDiscoverable: isDiscoverable, &result)
    addPINPolicy(inputs, relyingPartyID, state, &result)
    allowPayment(inputs, &result)
    return result
  }

  /// §12.1, credProtect.
  private func protectCredential(
    _ inputs: RegistrationExtensionInputs, _ result: inout RegistrationExtensionResult
  ) throws(CTAPError) {
    guard let level = inputs.credentialProtection else { return }
    guard let protection = UInt8(exactly: level).flatMap(CredentialProtection.init(rawValue:)) else {
      throw CTAPError(.invalidOption, "credProtect \(level)")
    }
    result.protection = protection
    result.outputs["credProtect"] = .unsigned(level)
  }

  /// §12.2, credBlob. A blob that is too long is not stored, and the output is false.
  private func keepBlob(_ inputs: RegistrationExtensionInputs, _ result: inout RegistrationExtensionResult) {
    guard let blob = inputs.credentialBlob else { return }
    let fits = blob.count <= DeviceLimits.maximumCredentialBlobByteCount
    if fits { result.blob = [UInt8](blob) }
    result.outputs["credBlob"] = .bool(fits)
  }

  /// §12.3, largeBlobKey. The response carries the key outside the authenticator data.
  private func makeLargeBlobKey(
    _ inputs: RegistrationExtensionInputs, isDiscoverable: Bool, _ result: inout RegistrationExtensionResult
  ) throws(CTAPError) {
    guard let isWanted = inputs.largeBlobKey else { return }
    guard isWanted else { throw CTAPError(.invalidOption, "largeBlobKey is false") }
    guard isDiscoverable else { throw CTAPError(.invalidOption, "largeBlobKey without rk") }
    result.largeBlobKey = try mapError(random.secret(Self.largeBlobKeyByteCount), CTAPError.init(other:))
  }

  /// §12.5, minPinLength, and §12.6, pinComplexityPolicy. Only authorized relying parties receive an output.
  private func addPINPolicy(
    _ inputs: RegistrationExtensionInputs, _ relyingPartyID: String, _ state: DeviceState,
    _ result: inout RegistrationExtensionResult
  ) {
    guard state.settings.minimumPINLengthReaders.contains(relyingPartyID) else { return }
    for (name, output) in Self.flagAnswers where inputs.flags[name] == true {
      result.outputs[.text(name)] = output(state.settings)
    }
  }

  /// The answers to those of ``ExtensionName/flags`` that the device supports.
  static let flagAnswers: [String: @Sendable (DeviceSettings) -> CBORTree] = [
    ExtensionName.minPinLength: { .integer(Int64($0.minimumPINLength)) },
    ExtensionName.pinComplexityPolicy: { .bool($0.enforcesPINComplexity) },
  ]

  /// §12.7, hmac-secret, and §12.8, hmac-secret-mc, which requires the former. This step needs the new credential's
  /// secrets and runs after the key pair is generated.
  func answerSecrets(
    _ inputs: RegistrationExtensionInputs, _ secrets: ExtensionSecrets, _ consent: UserConsent,
    _ result: inout RegistrationExtensionResult
  ) throws(CTAPError) {
    guard inputs.hmacSecret == true else {
      guard inputs.hmacSecretOnCreation == nil else {
        throw CTAPError(.missingParameter, "hmac-secret-mc without hmac-secret")
      }
      return
    }
    result.outputs["hmac-secret"] = true
    guard let input = inputs.hmacSecretOnCreation else { return }
    let output = try openSalts(input).output(of: secrets, isUserVerified: consent.isUserVerified, random: random)
    result.outputs["hmac-secret-mc"] = .bytes(output)
  }

  /// §12.9, thirdPartyPayment.
  private func allowPayment(_ inputs: RegistrationExtensionInputs, _ result: inout RegistrationExtensionResult) {
    guard inputs.thirdPartyPayment == true else { return }
    result.allowsThirdPartyPayment = true
    result.outputs["thirdPartyPayment"] = true
  }

  private static let largeBlobKeyByteCount = 32
}
