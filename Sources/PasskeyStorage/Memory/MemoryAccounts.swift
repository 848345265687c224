// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WebAuthnTypes

/// Accounts, indexed by user handle and by name.
struct MemoryAccounts {
  private var byHandle: [UserHandle: Account] = [:]
  // Names are compared by the bytes of their keys, not by canonical equivalence.
  private var handles: [[UInt8]: UserHandle] = [:]

  subscript(handle: UserHandle) -> Account? { byHandle[handle] }

  subscript(name: AccountName) -> Account? { handles[Array(name.key.utf8)].flatMap { byHandle[$0] } }

  /// Returns which of the names another account has.
  func taken(_ names: AccountNames) -> TakenName? {
    names.isTaken(by: names.all.compactMap { self[$0] })
  }

  /// Whether another account is an acting administrator.
  func hasAdministrator(besides account: Account) -> Bool {
    byHandle.values.contains { $0.isActingAdministrator && $0.handle != account.handle }
  }

  var isEmpty: Bool { byHandle.isEmpty }

  /// All accounts, ordered by handle.
  var sorted: [Account] {
    byHandle.values.sorted { $0.handle.bytes.lexicographicallyPrecedes($1.handle.bytes) }
  }

  mutating func insert(_ account: Account) throws(StorageError) {
    guard byHandle[account.handle] == nil else { throw StorageError(.conflict, "account") }
    byHandle[account.handle] = account
    for name in account.names.all { handles[Array(name.key.utf8)] = account.handle }
  }

  /// Replaces an account, whose names may have changed.
  mutating func replace(_ account: Account) {
    if let old = byHandle[account.handle] { remove(old) }
    byHandle[account.handle] = account
    for name in account.names.all { handles[Array(name.key.utf8)] = account.handle }
  }

  mutating func remove(_ account: Account) {
    byHandle[account.handle] = nil
    for name in account.names.all { handles[Array(name.key.utf8)] = nil }
  }
}
