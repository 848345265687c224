// SPDX-License-Identifier: Apache-2.0

public import COSE
public import CTAPTypes
public import SystemCrypto
public import WebAuthnTypes
public import WireFormats

/// One credential as the device keeps it.
///
/// A copy shares its storage, so that a list of thousands is copied, compared and searched at one reference for each.
public struct StoredPasskey: Sendable {
  private var storage: Storage

  init(_ fields: Fields) {
    storage = Storage(fields)
  }

  /// Everything that is kept of the credential, under the names that the properties of the passkey have.
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
    let created: Timestamp
    var lastUsed: Timestamp?
    let sequence: UInt64
    var isInCredentialID = false
  }

  private final class Storage: Sendable {
    let fields: Fields

    init(_ fields: Fields) {
      self.fields = fields
    }
  }

  /// Setting them gives the passkey a storage of its own.
  private var fields: Fields {
    get { storage.fields }
    set { storage = Storage(newValue) }
  }
}

extension StoredPasskey: Equatable {
  /// Whether everything is the same.
  public static func == (left: StoredPasskey, right: StoredPasskey) -> Bool {
    left.storage === right.storage || left.storage.fields == right.storage.fields
  }
}

extension StoredPasskey {
  /// The credential's id.
  public var id: CredentialID { storage.fields.id }

  /// The key's one algorithm.
  public var algorithm: COSEAlgorithm { storage.fields.algorithm }

  /// The private key, PKCS#8.
  public var privateKey: SecretBytes { storage.fields.privateKey }

  /// SHA-256 of the RP ID, or U2F's application parameter.
  public var relyingPartyIDHash: [UInt8] { storage.fields.relyingPartyIDHash }

  /// The RP ID, which U2F does not tell.
  public var relyingPartyID: String? { storage.fields.relyingPartyID }

  /// The relying party's own name for itself.
  public var relyingPartyName: String? {
    get { storage.fields.relyingPartyName }
    set { fields.relyingPartyName = newValue }
  }

  /// The user, whom U2F does not tell.
  public var user: PasskeyUser? {
    get { storage.fields.user }
    set { fields.user = newValue }
  }

  /// Whether it is found without its id.
  public var isDiscoverable: Bool { storage.fields.isDiscoverable }

  /// Who may find it (CTAP 2.3 §12.1).
  public var protection: CredentialProtection { storage.fields.protection }

  /// The secrets that hmac-secret computes its outputs from (CredRandom, §12.7). Every credential gets them when it is
  /// made. Nil in a credential of an older vault that was not used since; its next use generates them.
  public internal(set) var extensionSecrets: ExtensionSecrets? {
    get { storage.fields.extensionSecrets }
    set { fields.extensionSecrets = newValue }
  }

  /// Bytes that the relying party left with it (§12.2).
  public var blob: [UInt8]? { storage.fields.blob }

  /// The key to its entry in the large-blob array (§12.3).
  public var largeBlobKey: SecretBytes? { storage.fields.largeBlobKey }

  /// Whether other origins than the relying party's may pay with it (§12.9).
  public var allowsThirdPartyPayment: Bool { storage.fields.allowsThirdPartyPayment }

  /// The model that it says it comes from.
  public var aaguid: AAGUID { storage.fields.aaguid }

  /// Whether its counter counts.
  public var counterPolicy: CounterPolicy { storage.fields.counterPolicy }

  /// How often it has signed, where that is counted.
  public var signCount: UInt32 {
    get { storage.fields.signCount }
    set { fields.signCount = newValue }
  }

  /// Whether it may be copied to other devices.
  public var isBackupEligible: Bool { storage.fields.isBackupEligible }

  /// Whether it has been.
  public var isBackedUp: Bool {
    get { storage.fields.isBackedUp }
    set { fields.isBackedUp = newValue }
  }

  /// When it was made.
  public var created: Timestamp { storage.fields.created }

  /// When it last signed.
  public var lastUsed: Timestamp? {
    get { storage.fields.lastUsed }
    set { fields.lastUsed = newValue }
  }

  /// Its place in the order of making: the newest comes first in an assertion.
  public var sequence: UInt64 { storage.fields.sequence }

  /// Whether it was read from its own id (``CredentialWrapping``), and is not in the vault.
  var isInCredentialID: Bool { storage.fields.isInCredentialID }
}

/// What a credential's owner must show before it is found (§12.1).
public enum CredentialProtection: UInt8, Sendable {
  /// Nothing.
  case userVerificationOptional = 1
  /// Nothing, where it is asked for by its id; who they are, where it is not.
  case userVerificationOptionalWithCredentialIDList = 2
  /// Who they are.
  case userVerificationRequired = 3
}

/// Whether a credential's counter counts: bound ones do, and those that move between devices stay at zero.
public enum CounterPolicy: UInt8, Sendable {
  /// It stays at zero.
  case zero = 0
  /// It goes up with each signature.
  case counting = 1
}

/// What hmac-secret makes its outputs from (§12.7).
public struct ExtensionSecrets: Equatable, Sendable {
  /// For users who were verified.
  public let withVerification: SecretBytes

  /// For those who were not.
  public let withoutVerification: SecretBytes
}
