// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

extension StoredPasskey {
  /// Returns the record of an imported passkey: discoverable, backed up, and with a counter that stays at zero.
  static func imported(
    id: CredentialID, algorithm: COSEAlgorithm, privateKey: SecretBytes, relyingPartyID: RelyingPartyID,
    relyingPartyName: String?, user: PasskeyUser, extensionSecrets: ExtensionSecrets, blob: [UInt8]?,
    largeBlobKey: SecretBytes?, allowsThirdPartyPayment: Bool, created: UnixTime, sequence: UInt64
  ) -> StoredPasskey {
    StoredPasskey(
      .init(
        id: id, algorithm: algorithm, privateKey: privateKey,
        relyingPartyIDHash: Digest.sha256([UInt8](relyingPartyID.text.utf8)[...]), relyingPartyID: relyingPartyID.text,
        relyingPartyName: relyingPartyName?.truncatedForStorage, user: user.truncated, isDiscoverable: true,
        protection: .userVerificationOptional, extensionSecrets: extensionSecrets, blob: blob,
        largeBlobKey: largeBlobKey, allowsThirdPartyPayment: allowsThirdPartyPayment, aaguid: .passkeySoftware,
        counterPolicy: .zero, signCount: 0, isBackupEligible: true, isBackedUp: true, created: created, lastUsed: nil,
        sequence: sequence))
  }
}
