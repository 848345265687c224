// SPDX-License-Identifier: Apache-2.0

/// Whether a credential must be discoverable: one that is found without its id (WebAuthn §5.4.6).
public struct ResidentKeyRequirement: OpenString {
  /// The string.
  public let rawValue: String

  /// The value with this string, known or not.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Rather not.
  public static let discouraged = Self(rawValue: "discouraged")
  /// If it can be had.
  public static let preferred = Self(rawValue: "preferred")
  /// Or none at all.
  public static let required = Self(rawValue: "required")
}
