// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
public import SystemCrypto
internal import WebAuthnTypes

/// Everything that a device remembers without power.
public struct DeviceState: Sendable {
  /// The credentials, in the order in which they were made.
  public package(set) var passkeys: [StoredPasskey] = []

  /// The place of the next credential.
  var nextSequence: UInt64 = 0

  /// The PIN, where there is one.
  var pin: PINState?

  /// The fingers that the sensor knows.
  var fingers: [EnrolledFinger] = []

  /// How many more fingers may fail before user verification is blocked.
  var remainingFingerAttempts: UInt8 = Self.maximumFingerAttempts

  /// What authenticatorConfig sets.
  var settings = DeviceSettings()

  /// The serialized large-blob array, where it was ever written (CTAP 2.3 §6.10).
  var largeBlobArray: [UInt8]?

  /// The token for reading credentials without the PIN (permission pcmr, §6.5.2.1). A reset and a new PIN draw another
  /// one. Nil only in a vault of an earlier version.
  var persistentToken: SecretBytes?

  /// The key that seals non-discoverable credentials into their ids. A vault that an earlier version made has none until
  /// it is reset, and keeps such credentials itself.
  var wrapping: CredentialWrapping?

  /// What encIdentifier and encCredStoreState are made from (§6.4).
  var identity: DeviceIdentity

  /// Fingers that fail in a row before only the PIN helps (§6.5.8).
  static let maximumFingerAttempts: UInt8 = 5

  /// The state of a device as it leaves the factory, and after a reset.
  public static func factory(random: RandomSource) throws(CryptoError) -> DeviceState {
    var state = DeviceState(identity: try DeviceIdentity(random: random))
    state.persistentToken = try random.secret(PINUVAuthToken.byteCount)
    state.wrapping = try CredentialWrapping(random: random)
    return state
  }

  init(identity: DeviceIdentity) {
    self.identity = identity
  }
}

/// What is kept of a PIN: never the PIN.
struct PINState: Sendable {
  /// LEFT(SHA-256(PIN), 16) (CTAP 2.3 §6.5.5.5).
  let hash: SecretBytes

  /// How long it is, in code points.
  let codePointCount: Int

  /// How many more wrong ones before it is blocked.
  var remainingAttempts: UInt8 = Self.maximumAttempts

  /// Wrong PINs before a reset is the only way on.
  static let maximumAttempts: UInt8 = 8
}

/// A finger that the simulated sensor knows: a number that the interaction gives, under an id that the platform sees.
struct EnrolledFinger: Sendable {
  let templateID: [UInt8]
  let finger: UInt8
  var name: String?
}

extension EnrolledFinger {
  /// A finger under a new id.
  init(_ finger: UInt8, random: RandomSource) throws(CTAPError) {
    self.init(templateID: try Self.freshTemplateID(random), finger: finger, name: nil)
  }

  /// An id for a finger.
  static func freshTemplateID(_ random: RandomSource) throws(CTAPError) -> [UInt8] {
    try CTAPError.wrapping { () throws(CryptoError) in try random.bytes(templateIDByteCount) }
  }

  private static let templateIDByteCount = 16
}

/// What authenticatorConfig sets (§6.11).
struct DeviceSettings: Sendable {
  var alwaysRequiresUserVerification = false
  var allowsEnterpriseAttestation = false
  var minimumPINLength = 4
  var minimumPINLengthReaders: [String] = []
  var forcesPINChange = false
  var needsLongTouchForReset = false
  var enforcesPINComplexity = false
}

/// Values by which a platform that was let in knows the device again (§6.4).
struct DeviceIdentity: Sendable {
  /// Stays until a reset.
  let identifier: SecretBytes

  /// Changes whenever the stored credentials do.
  var credentialStoreState: SecretBytes

  init(random: RandomSource) throws(CryptoError) {
    identifier = try random.secret(Self.byteCount)
    credentialStoreState = try random.secret(Self.byteCount)
  }

  init(identifier: SecretBytes, credentialStoreState: SecretBytes) {
    self.identifier = identifier
    self.credentialStoreState = credentialStoreState
  }

  static let byteCount = 16
}
