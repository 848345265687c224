// SPDX-License-Identifier: Apache-2.0

/// The kind of a credential (WebAuthn §5.8.2). There is one so far.
public struct CredentialType: OpenString {
  /// The string.
  public let rawValue: String

  /// The value with this string, known or not.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// A public key credential.
  public static let publicKey = Self(rawValue: "public-key")
}
