// SPDX-License-Identifier: Apache-2.0

public import PasskeyCOSE
package import PasskeyCrypto
package import WebAuthnTypes

/// The kind of a device, and the settings for its next credentials. Tests vary it.
///
/// Start from ``securityKey`` or ``passkeyProvider`` and change the properties under test:
///
///     var profile = AuthenticatorProfile.passkeyProvider
///     profile.algorithms = [.eddsa]
///     await device.adopt(profile)
public struct AuthenticatorProfile: Sendable {
  /// The authenticator model.
  public var aaguid: AAGUID

  /// The algorithms to generate keys for, preferred first. Only those that the system's cryptography library supports
  /// are offered. The relying party's order decides which one a credential uses.
  public var algorithms: [COSEAlgorithm]

  /// The attestation that the device provides.
  package var attestation: DeviceAttestation

  /// The identity that signs U2F registrations, which always carry a certificate. If nil, the credential key signs.
  package var u2fIdentity: AttestationIdentity?

  /// The relying parties for which the vendor enabled enterprise attestation (CTAP 2.3 §7.1).
  package var enterpriseRelyingPartyIDs: [String] = []

  /// Whether passkeys are backup eligible and reported as backed up.
  public var backup: BackupBehavior

  /// Whether signature counters count. Counters of backup-eligible passkeys always stay at zero.
  public var counterPolicy: CounterPolicy

  /// Whether the device has a fingerprint sensor in addition to the PIN.
  public var hasFingerprintSensor: Bool

  /// Whether every new credential is discoverable, even if the request does not ask for it.
  package var isAlwaysDiscoverable: Bool

  /// Whether a new non-discoverable credential is sealed into its own id and takes no space in the vault, as on most
  /// security keys. Otherwise the vault stores it. It always stores backup-eligible credentials and RSA keys.
  package var sealsNonDiscoverableCredentials = true

  /// The transports that the device reports. `internal` means that it is part of the client's own machine.
  public var transports: [AuthenticatorTransport]

  /// The mode of key generation and signing. Test vectors use a reproducible mode.
  package var signing: SigningMode = .randomized

  /// The key and the id of the next credentials, for test vectors. Nil generates them at random.
  package var presetCredential: PresetCredential?

  /// Creates a profile.
  package init(
    aaguid: AAGUID = .passkeySoftware, algorithms: [COSEAlgorithm] = Self.everyAlgorithm,
    attestation: DeviceAttestation, backup: BackupBehavior, counterPolicy: CounterPolicy, hasFingerprintSensor: Bool,
    isAlwaysDiscoverable: Bool, transports: [AuthenticatorTransport]
  ) {
    self.aaguid = aaguid
    self.algorithms = algorithms
    self.attestation = attestation
    self.backup = backup
    self.counterPolicy = counterPolicy
    self.hasFingerprintSensor = hasFingerprintSensor
    self.isAlwaysDiscoverable = isAlwaysDiscoverable
    self.transports = transports
  }

  /// All known signature algorithms, the most widely supported first. RS1 is excluded: it is for attestation only.
  public static let everyAlgorithm = COSEAlgorithm.knownSignatureAlgorithms.filter { (algorithm) in algorithm != .rs1 }
}

extension AuthenticatorProfile {
  /// A roaming security key: passkeys are device-bound and count signatures, and a PIN verifies the user.
  public static let securityKey = AuthenticatorProfile(
    attestation: .selfSigned, backup: .deviceBound, counterPolicy: .counting, hasFingerprintSensor: false,
    isAlwaysDiscoverable: false, transports: [.usb])

  /// A passkey provider, such as a phone or a password manager: every passkey is discoverable, synchronized and without
  /// a counter, a finger verifies the user, and there is no attestation.
  public static let passkeyProvider = AuthenticatorProfile(
    attestation: .none, backup: .backupEligible(isBackedUp: true), counterPolicy: .zero, hasFingerprintSensor: true,
    isAlwaysDiscoverable: true, transports: [.internal, .hybrid])
}

extension AuthenticatorProfile {
  /// Returns a profile with vendor attestation: the `batch` key signs for the whole model. The optional `enterprise`
  /// key identifies the individual device where enterprise attestation is enabled.
  public func withBatchAttestation(by batch: AttestationIdentity, enterprise: AttestationIdentity? = nil) -> Self {
    var profile = self
    profile.attestation = .batch(
      PackedAttestationMaker(batch), enterprise: enterprise.map { (identity) in PackedAttestationMaker(identity) })
    profile.u2fIdentity = batch
    return profile
  }
}

extension AuthenticatorProfile {
  /// The counter policy of a new credential. A passkey copied to two devices cannot have a monotonic counter.
  var credentialCounterPolicy: CounterPolicy { backup.isEligible ? .zero : counterPolicy }
}

extension AAGUID {
  /// This project's software authenticator: d0c5a7f2-6b1e-4c8b-9f63-2e7a90c4b815.
  package static let passkeySoftware =
    AAGUID([0xd0, 0xc5, 0xa7, 0xf2, 0x6b, 0x1e, 0x4c, 0x8b, 0x9f, 0x63, 0x2e, 0x7a, 0x90, 0xc4, 0xb8, 0x15]) ?? .zero
}

/// Whether passkeys may be copied to other devices.
public enum BackupBehavior: Hashable, Sendable {
  /// Passkeys are device-bound: BE and BS are clear.
  case deviceBound
  /// Passkeys may be copied: BE is set, and BS is `isBackedUp`.
  case backupEligible(isBackedUp: Bool)
}

extension BackupBehavior {
  var isEligible: Bool { self != .deviceBound }

  var isBackedUp: Bool { self == .backupEligible(isBackedUp: true) }
}

/// A key and an id for the next credential, instead of random ones. Test vectors derive theirs in their own order.
package struct PresetCredential: Sendable {
  /// The key.
  package let key: SigningKey

  /// The credential id.
  package let id: CredentialID

  /// Creates a preset credential.
  package init(key: SigningKey, id: CredentialID) {
    self.key = key
    self.id = id
  }
}
