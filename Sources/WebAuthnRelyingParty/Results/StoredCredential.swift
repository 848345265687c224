// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// What a store has under a credential id: the standard's credential record, and whose it is.
public struct StoredCredential: Hashable, Sendable {
  /// The user, by the handle that the registration gave.
  public var user: UserHandle

  /// The standard's record (WebAuthn §4).
  public var record: CredentialRecord

  /// Puts together what the store has.
  public init(user: UserHandle, record: CredentialRecord) {
    self.user = user
    self.record = record
  }
}

extension StoredCredential: CustomStringConvertible {
  /// Which passkey it is, whose, and how far its counter has come, for a log line.
  public var description: String {
    "passkey \(record.id) of \(user), counter \(record.signCount)\(record.backupState ? ", backed up" : "")"
  }
}
