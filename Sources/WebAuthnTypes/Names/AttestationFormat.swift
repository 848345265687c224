// SPDX-License-Identifier: Apache-2.0

/// The form of an attestation statement, by its registered identifier (WebAuthn §8).
public struct AttestationFormat: OpenString {
  /// The string.
  public let rawValue: String

  /// The value with this string, known or not.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// No statement (§8.7).
  public static let none = Self(rawValue: "none")
  /// WebAuthn's own (§8.2).
  public static let packed = Self(rawValue: "packed")
  /// A Trusted Platform Module's (§8.3).
  public static let tpm = Self(rawValue: "tpm")
  /// Android's key attestation (§8.4).
  public static let androidKey = Self(rawValue: "android-key")
  /// Android's SafetyNet (§8.5).
  public static let androidSafetyNet = Self(rawValue: "android-safetynet")
  /// A U2F authenticator's (§8.6).
  public static let fidoU2F = Self(rawValue: "fido-u2f")
  /// Apple's anonymous attestation (§8.8).
  public static let apple = Self(rawValue: "apple")
  /// Several statements in one (§8.9).
  public static let compound = Self(rawValue: "compound")
}
