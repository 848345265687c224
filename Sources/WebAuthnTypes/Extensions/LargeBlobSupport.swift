// SPDX-License-Identifier: Apache-2.0

/// Whether a new credential must have room for a large blob (WebAuthn §10.1.5).
public struct LargeBlobSupport: OpenString {
  /// The string.
  public let rawValue: String

  /// The value with this string, known or not.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// No authenticator without it will do.
  public static let required = Self(rawValue: "required")
  /// If it can be had.
  public static let preferred = Self(rawValue: "preferred")
}
