// SPDX-License-Identifier: Apache-2.0

public import CTAPTypes
package import PasskeyCOSE
package import PasskeyCrypto
public import PasskeyFormats
public import WebAuthnTypes

/// A stored credential.
///
/// Copies share their storage, so copying, comparing and searching a list of thousands costs one reference per element.
public struct StoredPasskey: Sendable {
  private var storage: Storage

  init(_ fields: Fields) {
    storage = Storage(fields)
  }

  /// The stored properties of the credential, named like the properties of the passkey.
  struct Fields: Equatable, Sendable {
    let id: CredentialID
    let algorithm: COSEAlgorithm
    let privateKey: SecretBytes
    let relyingPartyIDHash: [UInt8]
    let relyingPartyID: String?
    var relyingPartyName: String?
    var user: PasskeyUser?
    let isDiscoverable: Bool
    let protection: CredentialProtection
    var extensionSecrets: ExtensionSecrets?
    let blob: [UInt8]?
    let largeBlobKey: SecretBytes?
    let allowsThirdPartyPayment: Bool
    let aaguid: AAGUID
    let counterPolicy: CounterPolicy
    var signCount: UInt32
    let isBackupEligible: Bool
    var isBackedUp: Bool
    let created: UnixTime
    var lastUsed: UnixTime?
    let sequence: UInt64
    var isInCredentialID = false
  }

  private final class Storage: Sendable {
    let fields: Fields

    init(_ fields: Fields) {
      self.fields = fields
    }
  }

  /// The fields. Setting them replaces the shared storage with a new one (copy on write).
  private var fields: Fields {
    get { storage.fields }
    set { storage = Storage(newValue) }
  }
}

extension StoredPasskey: Equatable {
  /// Returns whether all fields are equal.
  public static func == (left: StoredPasskey, right: StoredPasskey) -> Bool {
    left.storage === right.storage || left.storage.fields == right.storage.fields
  }
}

extension StoredPasskey {
  /// The credential id.
  public var id: CredentialID { storage.fields.id }

  /// The key's algorithm.
  package var algorithm: COSEAlgorithm { storage.fields.algorithm }

  /// The private key, PKCS#8.
  package var privateKey: SecretBytes { storage.fields.privateKey }

  /// The SHA-256 of the RP ID, or the U2F application parameter.
  package var relyingPartyIDHash: [UInt8] { storage.fields.relyingPartyIDHash }

  /// The RP ID, or nil for a U2F credential.
  package var relyingPartyID: String? { storage.fields.relyingPartyID }

  /// The relying party's name, as the relying party sent it.
  package var relyingPartyName: String? {
    get { storage.fields.relyingPartyName }
    set { fields.relyingPartyName = newValue }
  }

  /// The user, or nil for a U2F credential.
  public var user: PasskeyUser? {
    get { storage.fields.user }
    set { fields.user = newValue }
  }

  /// Whether the credential can be found without its id.
  package var isDiscoverable: Bool { storage.fields.isDiscoverable }

  /// The user verification required before the credential is found (CTAP 2.3 §12.1).
  package var protection: CredentialProtection { storage.fields.protection }

  /// The secrets from which hmac-secret computes its outputs (CredRandom, §12.7). Every new credential has them. If a
  /// credential has none, its next use generates them.
  package internal(set) var extensionSecrets: ExtensionSecrets? {
    get { storage.fields.extensionSecrets }
    set { fields.extensionSecrets = newValue }
  }

  /// The relying party's data stored with the credential (credBlob, §12.2).
  package var blob: [UInt8]? { storage.fields.blob }

  /// The key to the credential's entry in the large-blob array (§12.3).
  package var largeBlobKey: SecretBytes? { storage.fields.largeBlobKey }

  /// Whether origins other than the relying party's may use the credential for payments (§12.9).
  package var allowsThirdPartyPayment: Bool { storage.fields.allowsThirdPartyPayment }

  /// The authenticator model that the credential reports.
  package var aaguid: AAGUID { storage.fields.aaguid }

  /// Whether the signature counter counts.
  package var counterPolicy: CounterPolicy { storage.fields.counterPolicy }

  /// The signature counter.
  public var signCount: UInt32 {
    get { storage.fields.signCount }
    set { fields.signCount = newValue }
  }

  /// Whether the credential may be copied to other devices.
  package var isBackupEligible: Bool { storage.fields.isBackupEligible }

  /// Whether the credential has been copied to other devices.
  package var isBackedUp: Bool {
    get { storage.fields.isBackedUp }
    set { fields.isBackedUp = newValue }
  }

  /// The creation time.
  public var created: UnixTime { storage.fields.created }

  /// The time of the last signature.
  package var lastUsed: UnixTime? {
    get { storage.fields.lastUsed }
    set { fields.lastUsed = newValue }
  }

  /// The position in creation order. Assertions use the newest credential first.
  public var sequence: UInt64 { storage.fields.sequence }

  /// Whether the credential was unsealed from its own id (``CredentialWrapping``) and is not in the vault.
  var isInCredentialID: Bool { storage.fields.isInCredentialID }
}

/// The user verification required before a credential is found (§12.1).
package enum CredentialProtection: UInt8, Sendable {
  /// No user verification is required.
  case userVerificationOptional = 1
  /// User verification is required, unless the request names the credential id.
  case userVerificationOptionalWithCredentialIDList = 2
  /// User verification is always required.
  case userVerificationRequired = 3
}

/// Whether a credential's counter counts. Device-bound credentials count; backup-eligible ones stay at zero.
public enum CounterPolicy: UInt8, Sendable {
  /// The counter stays at zero.
  case zero = 0
  /// Each signature increments the counter.
  case counting = 1
}

/// The secrets from which hmac-secret computes its outputs (§12.7).
package struct ExtensionSecrets: Equatable, Sendable {
  /// The secret for verified users (CredRandomWithUV).
  package let withVerification: SecretBytes

  /// The secret for users who are not verified (CredRandomWithoutUV).
  package let withoutVerification: SecretBytes
}
