// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
public import WireFormats

/// A credential of an account: the standard's record, and what people and administrators want to know of it.
public struct Passkey: Hashable, Sendable {
  /// Whose it is.
  public var user: UserHandle

  /// The standard's record.
  public var record: CredentialRecord

  /// What its owner calls it.
  public var name: CredentialName

  /// The model of the authenticator, as it says itself.
  public var aaguid: AAGUID

  /// What the authenticator said about itself.
  public var attestation: AttestationSummary

  /// When it was made.
  public var created: Timestamp

  /// When it last signed somebody in or confirmed an act.
  public var lastUsed: Timestamp?

  /// When its counter last did not go up: a sign that there are two of it.
  public var cloneSignal: Timestamp?

  /// When it last said otherwise than before whether it may be backed up.
  public var backupSignal: Timestamp?

  /// Whether it may be used no longer. Its owner can delete it.
  public var isDisabled: Bool

  /// The number of the record's version, by which it is replaced if nobody else has replaced it: it grows when the
  /// signature counter, the backup state, or whether it is disabled changes, and by nothing else.
  public var revision: Int64

  /// Puts together what a store has.
  public init(
    user: UserHandle, record: CredentialRecord, name: CredentialName, aaguid: AAGUID, attestation: AttestationSummary,
    created: Timestamp, lastUsed: Timestamp? = nil, cloneSignal: Timestamp? = nil, backupSignal: Timestamp? = nil,
    isDisabled: Bool = false, revision: Int64 = 1
  ) {
    self.user = user
    self.record = record
    self.name = name
    self.aaguid = aaguid
    self.attestation = attestation
    self.created = created
    self.lastUsed = lastUsed
    self.cloneSignal = cloneSignal
    self.backupSignal = backupSignal
    self.isDisabled = isDisabled
    self.revision = revision
  }
}
