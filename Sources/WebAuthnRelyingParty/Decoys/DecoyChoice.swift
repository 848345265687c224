// SPDX-License-Identifier: Apache-2.0

/// The list of credentials that a decoy for one name has, chosen and not yet made.
public struct DecoyChoice: Hashable, Sendable {
  let kinds: [CredentialLists.Kind]
  let userHandleByteCount: Int
  let maximumCount: Int

  /// The number of credentials in the list.
  public var count: Int { kinds.count }
}
