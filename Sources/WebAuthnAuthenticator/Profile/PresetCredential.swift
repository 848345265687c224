// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
public import WebAuthnTypes

/// A key and an id for the next credential, instead of random ones. Test vectors derive theirs in their own order.
public struct PresetCredential: Sendable {
  /// The key.
  public let key: SigningKey

  /// The credential id.
  public let id: CredentialID

  /// Creates a preset credential.
  public init(key: SigningKey, id: CredentialID) {
    self.key = key
    self.id = id
  }
}
