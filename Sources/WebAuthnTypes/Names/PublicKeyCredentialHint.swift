// SPDX-License-Identifier: Apache-2.0

/// What kind of authenticator the user is expected to have (WebAuthn §5.8.7).
public struct PublicKeyCredentialHint: OpenString {
  /// The string.
  public let rawValue: String

  /// The value with this string, known or not.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// A security key.
  public static let securityKey = Self(rawValue: "security-key")
  /// The device itself.
  public static let clientDevice = Self(rawValue: "client-device")
  /// Another device, such as a phone.
  public static let hybrid = Self(rawValue: "hybrid")
}
