// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// Storage of the lists that decoys are drawn from.
public protocol DecoyStorage: Sendable {
  /// The credentials that may be asked for, of accounts in the order of their handles, which are random: at most `limit`
  /// credentials, and none of an account of which not all have room. Each account's are in the order in which they were made.
  func credentialLists(limit: Int) async throws(StorageError) -> [[CredentialDescriptor]]

  /// The lists that were last kept with ``keepDecoyLists(_:)``, by whichever server.
  func decoyLists() async throws(StorageError) -> [UInt8]?

  /// Keeps lists in the place of others.
  func keepDecoyLists(_ lists: [UInt8]) async throws(StorageError)
}
