// SPDX-License-Identifier: Apache-2.0

public import COSE
public import SystemCrypto
public import WebAuthnTypes

/// What kind of device it is, chosen when it is made: for a tester to vary.
public struct AuthenticatorProfile: Sendable {
  /// The model.
  public var aaguid: AAGUID

  /// The algorithms that it makes keys for, the preferred first; only those that the system's library has are offered.
  public var algorithms: [COSEAlgorithm]

  /// What it says of where its keys come from.
  public var attestation: DeviceAttestation

  /// Whether its passkeys may move to other devices, and are said to have.
  public var backup: BackupBehavior

  /// Whether counters count. Passkeys that may move cannot count.
  public var counterPolicy: CounterPolicy

  /// Whether it has a sensor for fingers besides the PIN.
  public var hasFingerprintSensor: Bool

  /// Whether every new credential is discoverable, asked or not.
  public var isAlwaysDiscoverable: Bool

  /// How signatures and keys are made: for test vectors so that they can be made again.
  public var signing: SigningMode
}

/// What a device says of where its keys come from.
public enum DeviceAttestation: Sendable {
  /// Nothing: format none.
  case none
  /// Signed by the credential itself.
  case selfSigned
  /// Signed by the key that all devices of the model share; the enterprise maker names the one device, where it has one.
  case batch(any AttestationMaker, enterprise: (any AttestationMaker)?)
}

/// Whether passkeys may be copied to other devices.
public enum BackupBehavior: Hashable, Sendable {
  /// They stay: BE and BS are clear.
  case deviceBound
  /// They may move: BE is set, and BS as said.
  case movable(isBackedUp: Bool)
}
