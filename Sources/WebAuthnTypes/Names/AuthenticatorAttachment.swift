// SPDX-License-Identifier: Apache-2.0

/// How an authenticator belongs to the client's device (WebAuthn §5.4.5).
public struct AuthenticatorAttachment: OpenString {
  /// The string.
  public let rawValue: String

  /// The value with this string, known or not.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// It is part of the device.
  public static let platform = Self(rawValue: "platform")
  /// It can be taken from one device to another.
  public static let crossPlatform = Self(rawValue: "cross-platform")
}
