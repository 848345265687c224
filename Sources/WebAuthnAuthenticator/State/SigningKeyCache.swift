// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import SystemCrypto
internal import WebAuthnTypes

/// The keys that have signed lately, ready to sign again: reading one takes as long as several signatures.
struct SigningKeyCache {
  private struct Entry {
    let id: CredentialID
    let key: SigningKey
    let privateKey: SecretBytes
  }

  /// Those that were used last come last.
  private var entries: [Entry] = []

  /// As many keys as a tester has in hand. Each takes some kilobytes of libcrypto's; more would only crowd the
  /// processor's caches.
  private static let maximumCount = 16

  /// The key of a credential, if it is still the one that is stored: another process may have changed the vault.
  mutating func key(of passkey: StoredPasskey) -> SigningKey? {
    guard let index = entries.lastIndex(where: { (entry) in entry.id == passkey.id }) else { return nil }
    let entry = entries[index]
    guard entry.privateKey === passkey.privateKey || entry.privateKey == passkey.privateKey else { return nil }
    if index < entries.count - 1 { entries.append(entries.remove(at: index)) }
    return entry.key
  }

  mutating func insert(_ key: SigningKey, of id: CredentialID, _ privateKey: SecretBytes) {
    entries.removeAll { (entry) in entry.id == id }
    if entries.count >= Self.maximumCount { entries.removeFirst() }
    entries.append(Entry(id: id, key: key, privateKey: privateKey))
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
