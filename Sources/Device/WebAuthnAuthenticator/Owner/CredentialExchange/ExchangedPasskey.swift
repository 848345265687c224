// SPDX-License-Identifier: Apache-2.0

package import CTAPTypes
package import PasskeyCOSE
package import PasskeyCrypto
package import PasskeyFormats
package import WebAuthnTypes

/// A passkey with the state of its extensions, as the Credential Exchange Format transfers it. It contains the private
/// key.
package struct ExchangedPasskey: Sendable {
  /// The credential id.
  package let id: CredentialID

  /// The RP ID.
  package let relyingPartyID: RelyingPartyID

  /// The title of the item with the passkey, usually the relying party's name.
  package let title: String?

  /// The user.
  package let user: PasskeyUser

  /// The algorithm.
  package let algorithm: COSEAlgorithm

  /// The private key, PKCS#8.
  package let privateKey: SecretBytes

  /// The creation time of the item with the passkey, if the file has it.
  package let created: UnixTime?

  /// The secrets of hmac-secret, from which the results of prf are computed.
  package let extensionSecrets: ExtensionSecrets?

  /// The relying party's data stored with the credential (credBlob).
  package let blob: [UInt8]?

  /// The relying party's large blob.
  package let largeBlob: LargeBlob?

  /// Whether origins other than the relying party's may use the credential for payments.
  package let allowsThirdPartyPayment: Bool

  /// A large blob, compressed.
  package struct LargeBlob: Hashable, Sendable {
    /// The stated length of the blob before compression.
    package let uncompressedByteCount: UInt64

    /// The blob, compressed with DEFLATE (RFC 1951).
    package let compressed: [UInt8]
  }
}

extension ExchangedPasskey {
  /// Returns the passkey to export, or the reason why it cannot be.
  static func exporting(
    _ passkey: StoredPasskey, largeBlobs: LargeBlobEntries, includingDeviceBound: Bool
  ) throws(ExchangeRefusal) -> ExchangedPasskey {
    guard passkey.signCount == 0 else {
      throw ExchangeRefusal(.counter, "its signature counter is \(passkey.signCount)")
    }
    guard passkey.isBackupEligible || includingDeviceBound else {
      throw ExchangeRefusal(.deviceBound, "it is bound to its device")
    }
    guard let name = passkey.relyingPartyID, let relyingPartyID = try? RelyingPartyID(name), let user = passkey.user
    else { throw ExchangeRefusal(.u2f, "a U2F credential has no RP ID") }
    return ExchangedPasskey(
      id: passkey.id, relyingPartyID: relyingPartyID, title: passkey.relyingPartyName ?? name, user: user,
      algorithm: passkey.algorithm, privateKey: passkey.privateKey, created: passkey.created,
      extensionSecrets: passkey.extensionSecrets, blob: passkey.blob,
      largeBlob: passkey.largeBlobKey.flatMap { (key) in largeBlobs.blob(of: key) },
      allowsThirdPartyPayment: passkey.allowsThirdPartyPayment)
  }

  /// Returns the record to store, with a new key for its large blob: discoverable, backed up, and with a counter that
  /// stays at zero.
  func stored(
    sequence: UInt64, largeBlobKey: SecretBytes, at time: UnixTime, random: RandomSource
  ) throws(CTAPError) -> StoredPasskey {
    let secrets = try mapError(CTAPError.init(other:)) {
      if let extensionSecrets { return extensionSecrets }
      return try ExtensionSecrets(random: random)
    }
    let isRPID = title.map { (title) in title.utf8.elementsEqual(relyingPartyID.text.utf8) } ?? true
    return StoredPasskey(
      .init(
        id: id, algorithm: algorithm, privateKey: privateKey,
        relyingPartyIDHash: Digest.sha256([UInt8](relyingPartyID.text.utf8)), relyingPartyID: relyingPartyID.text,
        relyingPartyName: isRPID ? nil : title?.truncatedForStorage, user: user.truncated, isDiscoverable: true,
        protection: .userVerificationOptional, extensionSecrets: secrets, blob: blob, largeBlobKey: largeBlobKey,
        allowsThirdPartyPayment: allowsThirdPartyPayment, aaguid: .passkeySoftware, counterPolicy: .zero, signCount: 0,
        isBackupEligible: true, isBackedUp: true,
        created: created.flatMap { (made) in made.secondsSince1970 > 0 && made <= time ? made : nil } ?? time,
        lastUsed: nil, sequence: sequence))
  }
}

/// The reason for leaving out a passkey.
struct ExchangeRefusal: Error {
  let reason: ExcludedPasskey.Reason
  let detail: String

  init(_ reason: ExcludedPasskey.Reason, _ detail: String) {
    self.reason = reason
    self.detail = detail
  }
}
