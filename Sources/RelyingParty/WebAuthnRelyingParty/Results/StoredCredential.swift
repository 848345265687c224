// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// The stored data of a credential ID: the standard's credential record and its user.
public struct StoredCredential: Hashable, Sendable {
  /// The user handle from the registration.
  public var user: UserHandle

  /// The standard's record (WebAuthn §4).
  public var record: CredentialRecord

  /// Creates a stored credential.
  public init(user: UserHandle, record: CredentialRecord) {
    self.user = user
    self.record = record
  }
}

extension StoredCredential: CustomStringConvertible {
  /// The credential ID, the user, the counter and the backup state, for a log line.
  public var description: String {
    "passkey \(record.id) of \(user), counter \(record.signCount)\(record.backupState ? ", backed up" : "")"
  }
}

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
