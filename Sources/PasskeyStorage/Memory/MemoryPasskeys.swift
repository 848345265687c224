// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WebAuthnTypes

/// Passkeys by their ids and by their owners.
struct MemoryPasskeys {
  private var byID: [CredentialID: Passkey] = [:]
  private var ids: [UserHandle: [CredentialID]] = [:]

  subscript(id: CredentialID) -> Passkey? { byID[id] }

  /// The passkey, if it is this account's.
  subscript(id: CredentialID, of user: UserHandle) -> Passkey? {
    byID[id].flatMap { $0.user == user ? $0 : nil }
  }

  /// An account's, in the order in which they were made.
  func all(of user: UserHandle) -> [Passkey] {
    (ids[user] ?? []).compactMap { byID[$0] }
  }

  mutating func insert(_ passkey: Passkey) {
    byID[passkey.record.id] = passkey
    ids[passkey.user, default: []].append(passkey.record.id)
  }

  /// Replaces a passkey whose owner stays.
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
