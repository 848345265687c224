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

  /// The accounts whose address begins with a prefix, by address, then the others whose user name does, by its key.
  func all(beginningWith prefix: AccountNamePrefix) -> [Account] {
    func sorted(by name: (Account) -> String?, _ isIncluded: (Account) -> Bool) -> [Account] {
      byHandle.values.filter(isIncluded).map { (name($0) ?? "", $0) }
        .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }.map(\.1)
    }
    return sorted(by: { $0.email?.text }, prefix.beginsEmail)
      + sorted(by: { $0.username?.key }) { prefix.beginsUsername(of: $0) && !prefix.beginsEmail(of: $0) }
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
