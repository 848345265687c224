// SPDX-License-Identifier: Apache-2.0

/// What attestation a relying party asks for (WebAuthn §5.4.7).
public struct AttestationConveyancePreference: OpenString {
  /// The string.
  public let rawValue: String

  /// The value with this string, known or not.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// None.
  public static let none = Self(rawValue: "none")
  /// Some, which the client may make anonymous.
  public static let indirect = Self(rawValue: "indirect")
  /// What the authenticator says.
  public static let direct = Self(rawValue: "direct")
  /// One that may name the very authenticator.
  public static let enterprise = Self(rawValue: "enterprise")
}
