// SPDX-License-Identifier: Apache-2.0

public import COSE
public import CTAPTypes
public import SystemCrypto
public import WebAuthnTypes
public import WireFormats

/// One credential as the device keeps it.
public struct StoredPasskey: Equatable, Sendable {
  /// The credential's id.
  public let id: CredentialID

  /// The key's one algorithm.
  public let algorithm: COSEAlgorithm

  /// The private key, PKCS#8.
  public let privateKey: SecretBytes

  /// SHA-256 of the RP ID, or U2F's application parameter.
  public let relyingPartyIDHash: [UInt8]

  /// The RP ID, which U2F does not tell.
  public let relyingPartyID: String?

  /// The relying party's own name for itself.
  public var relyingPartyName: String?

  /// The user, whom U2F does not tell.
  public var user: PasskeyUser?

  /// Whether it is found without its id.
  public let isDiscoverable: Bool

  /// Who may find it (CTAP 2.3 §12.1).
  public let protection: CredentialProtection

  /// The secrets that hmac-secret computes its outputs from (CredRandom, §12.7). Every credential gets them when it is
  /// made. Nil in a credential of an older vault that was not used since; its next use generates them.
  public internal(set) var extensionSecrets: ExtensionSecrets?

  /// Bytes that the relying party left with it (§12.2).
  public let blob: [UInt8]?

  /// The key to its entry in the large-blob array (§12.3).
  public let largeBlobKey: SecretBytes?

  /// Whether other origins than the relying party's may pay with it (§12.9).
  public let allowsThirdPartyPayment: Bool

  /// The model that it says it comes from.
  public let aaguid: AAGUID

  /// Whether its counter counts.
  public let counterPolicy: CounterPolicy

  /// How often it has signed, where that is counted.
  public var signCount: UInt32

  /// Whether it may be copied to other devices.
  public let isBackupEligible: Bool

  /// Whether it has been.
  public var isBackedUp: Bool

  /// When it was made.
  public let created: Timestamp

  /// When it last signed.
  public var lastUsed: Timestamp?

  /// Its place in the order of making: the newest comes first in an assertion.
  public let sequence: UInt64

  /// Whether it was read from its own id (``CredentialWrapping``), and is not in the vault.
  var isInCredentialID = false
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
