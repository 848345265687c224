// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
public import WebAuthnTypes

/// A key and an id that a new credential gets in place of drawn ones: test vectors derive theirs in an order of their own.
public struct PresetCredential: Sendable {
  /// The key.
  public let key: SigningKey

  /// The id.
  public let id: CredentialID

  /// Pairs a key with an id.
  public init(key: SigningKey, id: CredentialID) {
    self.key = key
    self.id = id
  }
}
