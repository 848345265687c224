// SPDX-License-Identifier: Apache-2.0

/// What the store has under the credential id of a registration response, of whichever user.
///
/// A registration cannot be finished without this answer, because a credential id that is registered already must be refused
/// (WebAuthn §7.1 step 26).
public enum CredentialLookup: Hashable, Sendable {
  /// The store was asked, and has no credential with this id.
  case notFound
  /// The store has this credential.
  case found(StoredCredential)

  /// Takes the result of a query: nil where the store has nothing.
  public init(_ result: StoredCredential?) {
    self = result.map(Self.found) ?? .notFound
  }
}
