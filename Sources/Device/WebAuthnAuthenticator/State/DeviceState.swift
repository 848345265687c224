// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
public import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

/// The persistent state of an authenticator.
public struct DeviceState: Sendable {
  /// The credentials, in creation order.
  public package(set) var passkeys: [StoredPasskey] = []

  /// The sequence number of the next credential.
  var nextSequence: UInt64 = 0

  /// The PIN, or nil if none is set.
  var pin: PINState?

  /// The enrolled fingers.
  var fingers: [EnrolledFinger] = []

  /// The number of fingerprint failures left before built-in user verification is blocked.
  var remainingFingerAttempts: UInt8 = Self.maximumFingerAttempts

  /// The settings that authenticatorConfig changes.
  var settings = DeviceSettings()

  /// The serialized large-blob array, or nil if none was ever written (CTAP 2.3 §6.10).
  var largeBlobArray: [UInt8]?

  /// The token for reading credentials without the PIN (permission pcmr, §6.5.2.1). A reset or a new PIN replaces it.
  var persistentToken: SecretBytes

  /// The key that seals non-discoverable credentials into their ids.
  var wrapping: CredentialWrapping

  /// The values that encIdentifier and encCredStoreState encrypt (§6.4).
  var identity: DeviceIdentity

  /// The number of consecutive fingerprint failures after which only the PIN works (§6.5.8).
  static let maximumFingerAttempts: UInt8 = 5

  /// Returns the factory state, which a reset restores.
  ///
  /// - Throws: `crypto.randomness-unavailable`.
  public static func factory(random: RandomSource) throws(PasskeyCryptoError) -> DeviceState {
    DeviceState(
      identity: try DeviceIdentity(random: random), persistentToken: try random.secret(PINUVAuthToken.byteCount),
      wrapping: try CredentialWrapping(random: random))
  }

  init(identity: DeviceIdentity, persistentToken: SecretBytes, wrapping: CredentialWrapping) {
    self.identity = identity
    self.persistentToken = persistentToken
    self.wrapping = wrapping
  }
}

/// The stored data about a PIN. It contains only a hash, not the PIN itself.
struct PINState: Sendable {
  /// LEFT(SHA-256(PIN), 16) (CTAP 2.3 §6.5.5.5).
  let hash: SecretBytes

  /// The length of the PIN in code points.
  let codePointCount: Int

  /// The number of wrong PINs left before the PIN is blocked.
  var remainingAttempts: UInt8 = Self.maximumAttempts

  /// The number of wrong PINs after which only a reset helps.
  static let maximumAttempts: UInt8 = 8
}

/// A finger enrolled with the simulated sensor: the interaction's number for it, and the platform's template id.
struct EnrolledFinger: Sendable {
  let templateID: [UInt8]
  let finger: UInt8
  var name: String?
}

extension EnrolledFinger {
  /// Creates an enrollment with a random template id.
  init(_ finger: UInt8, random: RandomSource) throws(CTAPError) {
    self.init(templateID: try Self.randomTemplateID(random), finger: finger, name: nil)
  }

  /// Returns a random template id.
  static func randomTemplateID(_ random: RandomSource) throws(CTAPError) -> [UInt8] {
    try mapError(random.bytes(templateIDByteCount), CTAPError.init(other:))
  }

  private static let templateIDByteCount = 16
}

/// The settings that authenticatorConfig changes (§6.11).
struct DeviceSettings: Sendable {
  var alwaysRequiresUserVerification = false
  var allowsEnterpriseAttestation = false
  var minimumPINLength = 4
  var minimumPINLengthReaders: [String] = []
  var forcesPINChange = false
  var needsLongTouchForReset = false
  var enforcesPINComplexity = false
}

/// The values by which an authorized platform recognizes the device (§6.4).
struct DeviceIdentity: Sendable {
  /// The device identifier. Only a reset changes it.
  let identifier: SecretBytes

  /// The credential store state. Every change of the stored credentials changes it.
  var credentialStoreState: SecretBytes

  init(random: RandomSource) throws(PasskeyCryptoError) {
    identifier = try random.secret(Self.byteCount)
    credentialStoreState = try random.secret(Self.byteCount)
  }

  init(identifier: SecretBytes, credentialStoreState: SecretBytes) {
    self.identifier = identifier
    self.credentialStoreState = credentialStoreState
  }

  static let byteCount = 16
}

extension DeviceState {
  /// Sets the PIN. Removes the owner's finger, which would otherwise verify the user without the PIN.
  mutating func set(_ pin: PINState) {
    fingers.removeAll { (finger) in finger.isOwners }
    self.pin = pin
  }

  /// If no PIN is set, enrolls the owner's confirmation as a finger, so that it verifies the user.
  mutating func enrollOwner() throws(CTAPError) {
    guard pin == nil, !fingers.contains(where: { (finger) in finger.isOwners }) else { return }
    fingers.removeAll { (finger) in finger.finger == EnrolledFinger.owners.finger }
    guard fingers.count < DeviceLimits.maximumFingers else { throw CTAPError(.fingerprintDatabaseFull) }
    fingers.append(.owners)
  }
}

extension EnrolledFinger {
  /// The finger that represents the owner's confirmation. Its template id is public and cannot equal a random one. Vaults
  /// store it, so it must not change.
  static let owners = Self(templateID: [UInt8]("the owner's yes".utf8), finger: 0, name: nil)

  /// Whether this is the owner's finger.
  var isOwners: Bool { templateID == Self.owners.templateID }
}

extension DeviceState {
  /// The number of credentials that the vault has room for. Sealed credentials do not count.
  var remainingCredentialCount: Int { max(0, DeviceLimits.maximumCredentials - passkeys.count) }

  /// Returns the credential with this id and relying party.
  func passkey(_ id: CredentialID, of relyingPartyIDHash: [UInt8]) -> StoredPasskey? {
    passkeys.first { (passkey) in passkey.id == id && passkey.relyingPartyIDHash == relyingPartyIDHash }
  }

  /// Stores a new credential. A discoverable credential replaces the one that the same user has with the same relying
  /// party (CTAP 2.3 §6.1.2, step 17). A preset credential also replaces any credential with the same id.
  mutating func add(_ passkey: StoredPasskey) throws(CTAPError) {
    passkeys.removeAll { (other) in other.id == passkey.id || passkey.takesPlace(of: other) }
    guard remainingCredentialCount > 0 else {
      throw CTAPError(.keyStoreFull, "\(DeviceLimits.maximumCredentials) credentials")
    }
    passkeys.append(passkey)
    nextSequence = max(nextSequence, passkey.sequence &+ 1)
    noteCredentialChange()
  }

  /// Restores credentials at their original position in the creation order. Skips a credential that has been replaced,
  /// and stops when the vault is full.
  mutating func restore(_ former: [StoredPasskey]) {
    for passkey in former where remainingCredentialCount > 0 {
      let isTaken = passkeys.contains { (other) in other.id == passkey.id || passkey.takesPlace(of: other) }
      guard !isTaken else { continue }
      let index = passkeys.firstIndex { (other) in other.sequence > passkey.sequence } ?? passkeys.endIndex
      passkeys.insert(passkey, at: index)
    }
  }

  /// Changes the credential store state, as required after each change of the stored credentials (§6.4,
  /// encCredStoreState). The new state is derived from the previous one; only the device knows both.
  mutating func noteCredentialChange() {
    identity.credentialStoreState = identity.credentialStoreState.withBytes { (state) in
      SecretBytes(Digest.sha256(state).prefix(DeviceIdentity.byteCount))
    }
  }
}

extension StoredPasskey {
  fileprivate func takesPlace(of other: StoredPasskey) -> Bool {
    guard isDiscoverable, other.isDiscoverable, let user else { return false }
    return other.user?.id == user.id && other.relyingPartyIDHash == relyingPartyIDHash
  }
}
