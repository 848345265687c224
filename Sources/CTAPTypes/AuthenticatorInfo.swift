// SPDX-License-Identifier: Apache-2.0

internal import COSE
public import WebAuthnTypes
public import WireFormats

/// What authenticatorGetInfo answers (CTAP 2.3 §6.4): what a device is and can.
public struct AuthenticatorInfo: Hashable, Sendable {
  /// 0x01: the protocols that it speaks, such as `FIDO_2_3`.
  public var versions: [String]

  /// 0x02: the extensions that it knows.
  public var extensions: [String] = []

  /// 0x03: the model.
  public var aaguid: AAGUID

  /// 0x04: what it can and what is set up. What an option that is missing means differs from one to another.
  public var options: [String: Bool] = [:]

  /// 0x05: the longest message that it takes, 1024 where nothing is said.
  public var maximumMessageByteCount: UInt64?

  /// 0x06: the PIN/UV auth protocols, the preferred first.
  public var pinUVAuthProtocols: [UInt64] = []

  /// 0x07: how many credentials a list may have.
  public var maximumCredentialCountInList: UInt64?

  /// 0x08: how long the ids in a list may be.
  public var maximumCredentialIDByteCount: UInt64?

  /// 0x09: the ways to reach it.
  public var transports: [AuthenticatorTransport] = []

  /// 0x0A: the kinds of credential that it makes, the preferred first.
  public var algorithms: [CredentialParameters] = []

  /// 0x0B: how long the serialized large-blob array may be.
  public var maximumLargeBlobArrayByteCount: UInt64?

  /// 0x0C: whether the PIN has to be changed before anything else is done with it.
  public var forcesPINChange: Bool?

  /// 0x0D: how long a PIN has to be, in code points.
  public var minimumPINLength: UInt64?

  /// 0x0E: the version of what runs on it.
  public var firmwareVersion: UInt64?

  /// 0x0F: how long a credential's blob may be.
  public var maximumCredentialBlobByteCount: UInt64?

  /// 0x10: how many relying parties can be told how long PINs have to be.
  public var maximumMinimumPINLengthReaderCount: UInt64?

  /// 0x11: how often a platform should try the device's own user verification before the PIN.
  public var preferredUserVerificationAttempts: UInt64?

  /// 0x12: the means of user verification, by the bits of FIDO's registry.
  public var userVerificationModality: UInt64?

  /// 0x13: certifications by name, with their levels.
  public var certifications: [String: UInt64] = [:]

  /// 0x14: for how many more discoverable credentials there is room at least.
  public var remainingDiscoverableCredentialCount: UInt64?

  /// 0x15: the vendor's configuration commands; an empty list says that there could be some.
  public var vendorConfigurationCommands: [UInt64]?

  /// 0x16: the attestation formats.
  public var attestationFormats: [AttestationFormat] = []

  /// 0x17: how often users were verified since a PIN was last entered.
  public var userVerificationCountSincePIN: UInt64?

  /// 0x18: whether a reset takes a long touch.
  public var needsLongTouchForReset: Bool?

  /// 0x19: which device it is, for those that have its persistent token.
  public var encryptedIdentifier: Bytes?

  /// 0x1A: by which ways it can be reset.
  public var transportsForReset: [AuthenticatorTransport]?

  /// 0x1B: whether PINs are held to more than a length.
  public var enforcesPINComplexity: Bool?

  /// 0x1C: where that policy can be read, UTF-8.
  public var pinComplexityPolicyURL: Bytes?

  /// 0x1D: how long a PIN may be, in code points.
  public var maximumPINLength: UInt64?

  /// 0x1E: what changes with the stored credentials, for those that have its persistent token.
  public var encryptedCredentialStoreState: Bytes?

  /// 0x1F: the subcommands of authenticatorConfig.
  public var configurationCommands: [UInt64]?

  /// Describes a device; everything that can be left out is.
  public init(versions: [String], aaguid: AAGUID) {
    self.versions = versions
    self.aaguid = aaguid
  }
}
