// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WebAuthnTypes

/// Accounts, indexed by user handle and by email address.
struct MemoryAccounts {
  private var byHandle: [UserHandle: Account] = [:]
  private var handles: [EmailAddress: UserHandle] = [:]

  subscript(handle: UserHandle) -> Account? { byHandle[handle] }

  subscript(email: EmailAddress) -> Account? { handles[email].flatMap { byHandle[$0] } }

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
    handles[account.email] = account.handle
  }

  /// Replaces an account whose address is unchanged.
  mutating func replace(_ account: Account) {
    byHandle[account.handle] = account
  }

  mutating func remove(_ account: Account) {
    byHandle[account.handle] = nil
    handles[account.email] = nil
  }
}
