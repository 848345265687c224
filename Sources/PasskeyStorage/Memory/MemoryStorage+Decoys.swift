// SPDX-License-Identifier: Apache-2.0

public import PasskeyService
public import WebAuthnTypes

extension MemoryStorage {
  /// Returns the credential descriptors of enabled passkeys, grouped by account, from at most `limit` passkeys.
  public func credentialLists(limit: Int) throws(StorageError) -> [[CredentialDescriptor]] {
    var rest = limit
    var lists: [[CredentialDescriptor]] = []
    for account in accounts.sorted {
      let passkeys = passkeys.all(of: account.handle)
      guard passkeys.count <= rest else { break }
      rest -= passkeys.count
      lists.append(passkeys.filter { !$0.isDisabled }.map(\.record.descriptor))
    }
    return lists
  }

  /// Returns the stored lists from which decoys are drawn, or nil.
  public func decoyLists() throws(StorageError) -> [UInt8]? { lists }

  /// Stores the lists from which decoys are drawn, replacing earlier ones.
  public func keepDecoyLists(_ lists: [UInt8]) throws(StorageError) { self.lists = lists }
}
