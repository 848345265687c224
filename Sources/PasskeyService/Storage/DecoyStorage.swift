// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// Storage of the lists that decoys are drawn from.
public protocol DecoyStorage: Sendable {
  /// Returns the credentials to offer at sign-in, grouped by account. Accounts are in the order of their handles, which
  /// are random, and each account's credentials are sorted by creation. Returns at most `limit` credentials, and omits
  /// an account whose credentials do not all fit.
  func credentialLists(limit: Int) async throws(StorageError) -> [[CredentialDescriptor]]

  /// Returns the lists last stored by ``keepDecoyLists(_:)`` on any server.
  func decoyLists() async throws(StorageError) -> [UInt8]?

  /// Stores the lists, replacing the previous ones.
  func keepDecoyLists(_ lists: [UInt8]) async throws(StorageError)
}
