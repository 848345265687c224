// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WebAuthnTypes

/// The keys that have signed lately, ready to sign again: reading one takes as long as several signatures.
struct SigningKeyCache {
  private var entries: [CredentialID: (key: SigningKey, privateKey: SecretBytes)] = [:]

  /// As many keys as a tester has in hand; beyond that, all are forgotten and read again.
  private static let maximumCount = 128

  /// The key of a credential, if it is still the one that is stored: another process may have changed the vault.
  func key(of passkey: StoredPasskey) -> SigningKey? {
    guard let entry = entries[passkey.id],
      entry.privateKey === passkey.privateKey || entry.privateKey == passkey.privateKey
    else { return nil }
    return entry.key
  }

  mutating func insert(_ key: SigningKey, of id: CredentialID, _ privateKey: SecretBytes) {
    if entries.count >= Self.maximumCount { entries.removeAll() }
    entries[id] = (key, privateKey)
  }

  mutating func removeAll() {
    entries.removeAll()
  }
}

extension SoftwareAuthenticator {
  /// The key of a stored credential, read where it has not been yet.
  func signingKey(of passkey: StoredPasskey) throws(CTAPError) -> SigningKey {
    if let key = signingKeys.key(of: passkey) { return key }
    let key = try CTAPError.wrapping { () throws(CryptoError) in
      try SigningKey(passkey.algorithm, pkcs8: passkey.privateKey)
    }
    remember(key, of: passkey.id, passkey.privateKey)
    return key
  }

  /// Keeps a key at hand.
  func remember(_ key: SigningKey, of id: CredentialID, _ privateKey: SecretBytes) {
    signingKeys.insert(key, of: id, privateKey)
  }
}
