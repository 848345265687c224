// SPDX-License-Identifier: Apache-2.0

/// The result of looking up the credential ID of a registration response among all users.
///
/// Finishing a registration requires this result, because a credential ID that is already registered must be refused
/// (WebAuthn §7.1 step 26).
public enum CredentialLookup: Hashable, Sendable {
  /// The lookup succeeded and found no credential with this ID.
  case notFound
  /// The store contains this credential.
  case found(StoredCredential)

  /// Creates a result from an optional: nil means not found.
  public init(_ result: StoredCredential?) {
    self = result.map(Self.found) ?? .notFound
  }
}
