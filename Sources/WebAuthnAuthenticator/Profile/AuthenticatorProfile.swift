// SPDX-License-Identifier: Apache-2.0

public import COSE
public import SystemCrypto
public import WebAuthnTypes

/// What kind of device it is, and how its next credentials are made: for a tester to vary.
///
/// Start from ``securityKey`` or ``passkeyProvider`` and change what the test is about:
///
///     var profile = AuthenticatorProfile.passkeyProvider
///     profile.algorithms = [.eddsa]
///     await device.adopt(profile)
public struct AuthenticatorProfile: Sendable {
  /// The model.
  public var aaguid: AAGUID

  /// The algorithms that it makes keys for, the preferred first; only those that the system's library has are offered.
  /// Which of them a credential gets, the relying party's order decides.
  public var algorithms: [COSEAlgorithm]

  /// What it says of where its keys come from.
  public var attestation: DeviceAttestation

  /// Who signs registrations by U2F, whose every one has a certificate; where nobody does, the credential's own key.
  public var u2fIdentity: AttestationIdentity?

  /// The relying parties for which an enterprise attestation was arranged with the maker (CTAP 2.3 §7.1).
  public var enterpriseRelyingPartyIDs: [String] = []

  /// Whether its passkeys may move to other devices, and are said to have.
  public var backup: BackupBehavior

  /// Whether counters count. Passkeys that may move cannot count.
  public var counterPolicy: CounterPolicy

  /// Whether it has a sensor for fingers besides the PIN.
  public var hasFingerprintSensor: Bool

  /// Whether every new credential is discoverable, asked or not.
  public var isAlwaysDiscoverable: Bool

  /// Whether a new credential that is not discoverable is sealed into its own id and takes no room in the vault, as most
  /// security keys do it. Otherwise the vault keeps it. Credentials that may be copied, and RSA keys, are always kept.
  public var sealsNonDiscoverableCredentials = true

  /// By which ways it says that it can be reached. One that is `internal` is part of the client's own machine.
  public var transports: [AuthenticatorTransport]

  /// How signatures and keys are made: for test vectors so that they can be made again.
  public var signing: SigningMode = .randomized

  /// The key and the id of the next credentials, in place of new ones: for test vectors.
  public var presetCredential: PresetCredential?

  /// Describes a device.
  public init(
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

  /// Every algorithm that a credential may have, those that most relying parties know first. RS1 is for attestation alone.
  public static let everyAlgorithm = COSEAlgorithm.knownSignatureAlgorithms.filter { (algorithm) in algorithm != .rs1 }
}

extension AuthenticatorProfile {
  /// A key on a key ring: its passkeys stay on it and count, and a PIN verifies its user.
  public static let securityKey = AuthenticatorProfile(
    attestation: .selfSigned, backup: .deviceBound, counterPolicy: .counting, hasFingerprintSensor: false,
    isAlwaysDiscoverable: false, transports: [.usb])

  /// What a phone or a password manager is: every passkey is discoverable, on all of the user's devices and without a
  /// counter, a finger verifies the user, and nothing is said of where keys come from.
  public static let passkeyProvider = AuthenticatorProfile(
    attestation: .none, backup: .movable(isBackedUp: true), counterPolicy: .zero, hasFingerprintSensor: true,
    isAlwaysDiscoverable: true, transports: [.internal, .hybrid])
}

extension AuthenticatorProfile {
  /// The same device, vouched for by its maker: one key signs for the whole model, and where it was allowed to say which
  /// device it is, another for this one.
  public func vouchedFor(by batch: AttestationIdentity, enterprise: AttestationIdentity? = nil) -> Self {
    var profile = self
    profile.attestation = .batch(
      PackedAttestationMaker(batch), enterprise: enterprise.map { (identity) in PackedAttestationMaker(identity) })
    profile.u2fIdentity = batch
    return profile
  }
}

extension AuthenticatorProfile {
  /// The counter policy of a new credential. A counter that counts on two devices would go back on each of them.
  var credentialCounterPolicy: CounterPolicy { backup.isEligible ? .zero : counterPolicy }
}

extension AAGUID {
  /// This project's software authenticator: d0c5a7f2-6b1e-4c8b-9f63-2e7a90c4b815.
  public static let passkeySoftware =
    AAGUID([0xd0, 0xc5, 0xa7, 0xf2, 0x6b, 0x1e, 0x4c, 0x8b, 0x9f, 0x63, 0x2e, 0x7a, 0x90, 0xc4, 0xb8, 0x15]) ?? .zero
}
