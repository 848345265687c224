// SPDX-License-Identifier: Apache-2.0

/// The shape of the decoy credential list for one name, before the decoy is generated.
public struct DecoyChoice: Hashable, Sendable {
  let kinds: [CredentialLists.Kind]
  let userHandleByteCount: Int
  let maximumCount: Int

  /// The number of credentials in the list.
  public var count: Int { kinds.count }
}
