// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WebAuthnTypes

/// Passkeys, indexed by credential ID and by owner.
struct MemoryPasskeys {
  private var byID: [CredentialID: Passkey] = [:]
  private var ids: [UserHandle: [CredentialID]] = [:]

  subscript(id: CredentialID) -> Passkey? { byID[id] }

  /// The passkey, if it belongs to this account.
  subscript(id: CredentialID, of user: UserHandle) -> Passkey? {
    byID[id].flatMap { $0.user == user ? $0 : nil }
  }

  /// An account's passkeys, oldest first.
  func all(of user: UserHandle) -> [Passkey] {
    (ids[user] ?? []).compactMap { byID[$0] }
  }

  /// At most `limit` passkeys, by ascending bytes of their IDs, beginning after `id`.
  func page(after id: CredentialID?, limit: Int) -> [Passkey] {
    let ids = byID.keys.filter { (other) in
      id.map { $0.bytes.lexicographicallyPrecedes(other.bytes) } ?? true
    }
    return ids.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.prefix(limit).compactMap { byID[$0] }
  }

  mutating func insert(_ passkey: Passkey) {
    byID[passkey.record.id] = passkey
    ids[passkey.user, default: []].append(passkey.record.id)
  }

  /// Replaces a passkey whose owner is unchanged.
  mutating func replace(_ passkey: Passkey) {
    byID[passkey.record.id] = passkey
  }

  mutating func remove(_ passkey: Passkey) {
    byID[passkey.record.id] = nil
    ids[passkey.user]?.removeAll { $0 == passkey.record.id }
  }

  mutating func removeAll(of user: UserHandle) {
    for id in ids.removeValue(forKey: user) ?? [] { byID[id] = nil }
  }
}
