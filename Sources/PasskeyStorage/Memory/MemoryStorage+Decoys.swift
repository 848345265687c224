// SPDX-License-Identifier: Apache-2.0

public import PasskeyService
public import WebAuthnTypes

extension MemoryStorage {
  /// Reads the credentials of accounts.
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

  /// Reads what decoys are drawn from.
  public func decoyLists() throws(StorageError) -> [UInt8]? { lists }

  /// Keeps what decoys are drawn from.
  public func keepDecoyLists(_ lists: [UInt8]) throws(StorageError) { self.lists = lists }
}
