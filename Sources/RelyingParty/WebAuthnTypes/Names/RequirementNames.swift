// SPDX-License-Identifier: Apache-2.0

/// Whether the authenticator must verify the user (WebAuthn §5.8.6).
public struct UserVerificationRequirement: OpenString {
  /// The string.
  public let rawValue: String

  /// The value with this string, known or not.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The ceremony fails without user verification.
  public static let required = Self(rawValue: "required")
  /// The authenticator verifies the user if it can.
  public static let preferred = Self(rawValue: "preferred")
  /// The authenticator should not verify the user.
  public static let discouraged = Self(rawValue: "discouraged")
}

/// Whether a credential must be discoverable, that is, usable without its ID (WebAuthn §5.4.6).
public struct ResidentKeyRequirement: OpenString {
  /// The string.
  public let rawValue: String

  /// The value with this string, known or not.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// A credential that is not discoverable is preferred.
  public static let discouraged = Self(rawValue: "discouraged")
  /// A discoverable credential is preferred.
  public static let preferred = Self(rawValue: "preferred")
  /// The registration fails without a discoverable credential.
  public static let required = Self(rawValue: "required")
}

/// The attestation that a relying party requests (WebAuthn §5.4.7).
public struct AttestationConveyancePreference: OpenString {
  /// The string.
  public let rawValue: String

  /// The value with this string, known or not.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// No attestation.
  public static let none = Self(rawValue: "none")
  /// An attestation that the client may anonymize.
  package static let indirect = Self(rawValue: "indirect")
  /// The authenticator's attestation, unchanged.
  public static let direct = Self(rawValue: "direct")
  /// An attestation that may identify the individual authenticator.
  public static let enterprise = Self(rawValue: "enterprise")
}
