// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
package import PasskeyFormats
public import WebAuthnTypes

/// The reply to authenticatorGetInfo (CTAP 2.3 §6.4): the model of an authenticator, its features and its limits.
public struct AuthenticatorInfo: ByteParsable, Hashable, Sendable {
  /// 0x01: supported protocol versions, such as `FIDO_2_3`.
  package var versions: [String]

  /// 0x02: supported extensions.
  package var extensions: [String] = []

  /// 0x03: the authenticator's model.
  package var aaguid: AAGUID

  /// 0x04: supported and configured options by name. Each option has its own default for when it is absent.
  public var options: [String: Bool] = [:]

  /// 0x05: the longest accepted message in bytes; 1024 if absent.
  package var maximumMessageByteCount: UInt64?

  /// 0x06: supported PIN/UV auth protocols, preferred first.
  package var pinUVAuthProtocols: [UInt64] = []

  /// 0x07: the maximum number of credentials in an allow or exclude list.
  package var maximumCredentialCountInList: UInt64?

  /// 0x08: the maximum length of a credential ID in such a list.
  package var maximumCredentialIDByteCount: UInt64?

  /// 0x09: supported transports.
  package var transports: [AuthenticatorTransport] = []

  /// 0x0A: supported credential types and algorithms, preferred first.
  package var algorithms: [CredentialParameters] = []

  /// 0x0B: the maximum length of the serialized large-blob array.
  package var maximumLargeBlobArrayByteCount: UInt64?

  /// 0x0C: whether the PIN must be changed before it can be used.
  package var forcesPINChange: Bool?

  /// 0x0D: the minimum length of a PIN in code points.
  package var minimumPINLength: UInt64?

  /// 0x0E: the firmware version.
  package var firmwareVersion: UInt64?

  /// 0x0F: the maximum length of a `credBlob`.
  package var maximumCredentialBlobByteCount: UInt64?

  /// 0x10: the maximum number of relying parties that may learn the minimum PIN length.
  package var maximumMinimumPINLengthReaderCount: UInt64?

  /// 0x11: the number of times a platform should try built-in user verification before it asks for the PIN.
  package var preferredUserVerificationAttempts: UInt64?

  /// 0x12: built-in user verification methods, as bits of the FIDO Registry of Predefined Values.
  package var userVerificationModality: UInt64?

  /// 0x13: certification levels by the name of the certification.
  package var certifications: [String: UInt64] = [:]

  /// 0x14: a lower bound on the number of discoverable credentials that can still be stored.
  package var remainingDiscoverableCredentialCount: UInt64?

  /// 0x15: supported vendor commands of authenticatorConfig. An empty list means that vendor commands may exist.
  package var vendorConfigurationCommands: [UInt64]?

  /// 0x16: supported attestation formats.
  package var attestationFormats: [AttestationFormat] = []

  /// 0x17: the number of user verifications since the PIN was last entered.
  package var userVerificationCountSincePIN: UInt64?

  /// 0x18: whether a reset requires a long touch.
  package var needsLongTouchForReset: Bool?

  /// 0x19: an identifier of this device, encrypted for platforms that hold its persistent token.
  package var encryptedIdentifier: Bytes?

  /// 0x1A: the transports that accept a reset.
  package var transportsForReset: [AuthenticatorTransport]?

  /// 0x1B: whether PINs must satisfy a policy beyond the minimum length.
  package var enforcesPINComplexity: Bool?

  /// 0x1C: the URL of that policy in UTF-8.
  package var pinComplexityPolicyURL: Bytes?

  /// 0x1D: the maximum length of a PIN in code points.
  package var maximumPINLength: UInt64?

  /// 0x1E: a value that changes with the stored credentials, encrypted for platforms that hold the persistent token.
  package var encryptedCredentialStoreState: Bytes?

  /// 0x1F: supported subcommands of authenticatorConfig.
  package var configurationCommands: [UInt64]?

  /// Creates a reply with the required members. The optional members are absent or empty.
  public init(versions: [String], aaguid: AAGUID) {
    self.versions = versions
    self.aaguid = aaguid
  }
}
