// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// An attestation type, by its name in metadata (FIDO Registry §3.6.3). An open set.
public struct MetadataAttestationType: OpenString {
  /// The name.
  public let rawValue: String

  /// Creates a type from its name, known or not.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// A key that a batch of devices shares.
  public static let basicFull = Self(rawValue: "basic_full")
  /// The credential key itself: self attestation.
  public static let basicSurrogate = Self(rawValue: "basic_surrogate")
  /// An authority that identified the device.
  public static let attestationCA = Self(rawValue: "attca")
  /// An authority that certifies each credential.
  public static let anonymizationCA = Self(rawValue: "anonca")
  /// No attestation.
  public static let none = Self(rawValue: "none")
}
