// SPDX-License-Identifier: Apache-2.0

/// Whether the authenticator must know who uses it (WebAuthn §5.8.6).
public struct UserVerificationRequirement: OpenString {
  /// The string.
  public let rawValue: String

  /// The value with this string, known or not.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Or the ceremony fails.
  public static let required = Self(rawValue: "required")
  /// If it can be had.
  public static let preferred = Self(rawValue: "preferred")
  /// Rather not.
  public static let discouraged = Self(rawValue: "discouraged")
}
