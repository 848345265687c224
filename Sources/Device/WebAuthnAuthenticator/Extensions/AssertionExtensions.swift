// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

/// The extension inputs of an assertion request, parsed and decrypted once for all credentials that sign.
struct AssertionExtensions: Sendable {
  private let wantsBlob: Bool
  private let wantsPayment: Bool
  private let wantsLargeBlobKey: Bool
  private let salts: HMACSecretSalts?

  /// Processes the extension inputs (§6.2.2, step 10).
  init(
    _ inputs: AssertionExtensionInputs, openSalts: (HMACSecretInput) throws(CTAPError) -> HMACSecretSalts,
    isUserPresent: Bool
  ) throws(CTAPError) {
    wantsBlob = inputs.credentialBlob ?? false
    wantsPayment = inputs.thirdPartyPayment ?? false
    // §12.3: true is the only valid value.
    guard inputs.largeBlobKey != false else { throw CTAPError(.invalidOption, "largeBlobKey is false") }
    wantsLargeBlobKey = inputs.largeBlobKey ?? false
    if let input = inputs.hmacSecret {
      // §12.7: hmac-secret requires user presence.
      guard isUserPresent else { throw CTAPError(.unsupportedOption, "hmac-secret with up false") }
      salts = try openSalts(input)
    } else {
      salts = nil
    }
  }

  /// Returns the extension outputs in the authenticator data of one credential.
  func outputs(
    for passkey: StoredPasskey, isUserVerified: Bool, random: RandomSource
  ) throws(CTAPError) -> [CBORKey: CBORTree] {
    var outputs: [CBORKey: CBORTree] = [:]
    // §12.2: a credential without a blob returns an empty one.
    if wantsBlob { outputs["credBlob"] = .bytes(passkey.blob ?? []) }
    if wantsPayment { outputs["thirdPartyPayment"] = .bool(passkey.allowsThirdPartyPayment) }
    if let salts, let secrets = passkey.extensionSecrets {
      outputs["hmac-secret"] = .bytes(
        try salts.output(of: secrets, isUserVerified: isUserVerified, random: random))
    }
    return outputs
  }

  /// Returns the large-blob key, which is returned outside the authenticator data.
  func largeBlobKey(of passkey: StoredPasskey) -> Bytes? {
    wantsLargeBlobKey ? passkey.largeBlobKey?.exposedBytes[...] : nil
  }
}
