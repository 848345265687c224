// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

/// A cache of recently used signing keys. Parsing a key takes as long as several signatures.
struct SigningKeyCache {
  /// A cached key. A class, so that searching and moving an entry costs one reference.
  private final class Entry: Sendable {
    let id: CredentialID
    let key: SigningKey
    let privateKey: SecretBytes

    init(id: CredentialID, key: SigningKey, privateKey: SecretBytes) {
      (self.id, self.key, self.privateKey) = (id, key, privateKey)
    }
  }

  /// The cached keys, least recently used first.
  private var entries: [Entry] = []

  /// The capacity, enough for the keys of a typical test. Each key takes a few kilobytes in libcrypto; a larger cache
  /// would only displace other data from the processor's caches.
  private static let maximumCount = 16

  /// Returns the cached key of a credential, if it matches the stored key. Another process may have changed the vault.
  mutating func key(of passkey: StoredPasskey) -> SigningKey? {
    guard let index = entries.lastIndex(where: { (entry) in entry.id == passkey.id }) else { return nil }
    let entry = entries[index]
    guard entry.privateKey === passkey.privateKey || entry.privateKey == passkey.privateKey else { return nil }
    if index < entries.count - 1 { entries.append(entries.remove(at: index)) }
    return entry.key
  }

  mutating func insert(_ key: SigningKey, of id: CredentialID, _ privateKey: SecretBytes) {
    if let index = entries.lastIndex(where: { (entry) in entry.id == id }) {
      entries.remove(at: index)
    } else if entries.count >= Self.maximumCount {
      entries.removeFirst()
    }
    entries.append(Entry(id: id, key: key, privateKey: privateKey))
  }

  mutating func removeAll() {
    entries.removeAll()
  }
}

extension SoftwareAuthenticator {
  /// Returns the key of a stored credential, from the cache or parsed.
  func signingKey(of passkey: StoredPasskey) throws(CTAPError) -> SigningKey {
    if let key = signingKeys.key(of: passkey) { return key }
    let key = try mapError(SigningKey(passkey.algorithm, pkcs8: passkey.privateKey), CTAPError.init(other:))
    remember(key, of: passkey.id, passkey.privateKey)
    return key
  }

  /// Adds a key to the cache.
  func remember(_ key: SigningKey, of id: CredentialID, _ privateKey: SecretBytes) {
    signingKeys.insert(key, of: id, privateKey)
  }
}
