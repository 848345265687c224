// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WebAuthnTypes

/// Accounts by their handles and by their addresses.
struct MemoryAccounts {
  private var byHandle: [UserHandle: Account] = [:]
  private var handles: [EmailAddress: UserHandle] = [:]

  subscript(handle: UserHandle) -> Account? { byHandle[handle] }

  subscript(email: EmailAddress) -> Account? { handles[email].flatMap { byHandle[$0] } }

  /// Whether the account is there, and somebody can administer without it.
  func hasAdministrator(besides account: Account) -> Bool {
    byHandle.values.contains { $0.isActingAdministrator && $0.handle != account.handle }
  }

  var isEmpty: Bool { byHandle.isEmpty }

  /// All of them in the order of their handles.
  var sorted: [Account] {
    byHandle.values.sorted { $0.handle.bytes.lexicographicallyPrecedes($1.handle.bytes) }
  }

  mutating func insert(_ account: Account) throws(StorageError) {
    guard byHandle[account.handle] == nil else { throw StorageError(.conflict, "account") }
    byHandle[account.handle] = account
    handles[account.email] = account.handle
  }

  /// Replaces an account whose address stays.
  mutating func replace(_ account: Account) {
    byHandle[account.handle] = account
  }

  mutating func remove(_ account: Account) {
    byHandle[account.handle] = nil
    handles[account.email] = nil
  }
}
